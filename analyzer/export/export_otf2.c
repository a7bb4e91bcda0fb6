/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * A trace as an OTF2 archive, by its own library: a folder.  A call is written
 * when the next one comes, since its items are between its enter and leave.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyzer/base/mem.h"
#include "analyzer/base/say.h"
#include "analyzer/export/export_otf2.h"

#define PHASES_DEEP 64

/* A request that is under way, with the call that began it. */
struct request {
	enum { GONE, SEND, RECEIVE, ALL, OTHER } kind;
	struct trace_event event;
};

struct thread {
	unsigned number;
	uint64_t location;
	OTF2_EvtWriter *writer;
	uint64_t last; /* time, which must not go back */
	uint32_t phases[PHASES_DEEP];
	size_t n_phases;
};

static struct {
	OTF2_Archive *archive;
	OTF2_AttributeList *attributes;
	bool failed;
	/* The current process's: */
	size_t process;
	struct thread *threads;
	size_t n_threads;
	size_t threads_room;
	struct request *requests;
	size_t n_requests;
	size_t requests_room;
	struct trace_event call; /* not written yet */
	bool has_call;
	struct trace_event *items; /* of that call */
	size_t n_items;
	size_t items_room;
} now;

static OTF2_FlushType flush_always(void *data, OTF2_FileType type,
				   OTF2_LocationRef location, void *caller,
				   bool final)
{
	(void)data;
	(void)type;
	(void)location;
	(void)caller;
	(void) final;
	return OTF2_FLUSH;
}

/* Prints the first error only, in one line. */
static OTF2_ErrorCode take_error(void *data, const char *file, uint64_t line,
				 const char *function, OTF2_ErrorCode code,
				 const char *format, va_list arguments)
{
	(void)data;
	(void)file;
	(void)line;
	(void)function;
	(void)format;
	(void)arguments;
	if (!now.failed)
		say_error("libotf2: %s", OTF2_Error_GetDescription(code));
	now.failed = true;
	return code;
}

static int begin(const char *output)
{
	static const OTF2_FlushCallbacks callbacks = {
		.otf2_pre_flush = flush_always
	};

	if (!output || access(output, F_OK) == 0) {
		say_error(output ? "%s: is there already"
				 : "this format is a folder: name it with "
				   "--output",
			  output);
		return -1;
	}
	OTF2_Error_RegisterCallback(take_error, NULL);
	now.archive = OTF2_Archive_Open(output, "traces", OTF2_FILEMODE_WRITE,
					OTF2_CHUNK_SIZE_EVENTS_DEFAULT,
					OTF2_CHUNK_SIZE_DEFINITIONS_DEFAULT,
					OTF2_SUBSTRATE_POSIX,
					OTF2_COMPRESSION_NONE);
	if (!now.archive)
		return -1;
	OTF2_Archive_SetFlushCallbacks(now.archive, &callbacks, NULL);
	OTF2_Archive_SetSerialCollectiveCallbacks(now.archive);
	OTF2_Archive_SetCreator(now.archive, "bcs " BCS_VERSION);
	OTF2_Archive_OpenEvtFiles(now.archive);
	now.attributes = OTF2_AttributeList_New();
	return now.failed ? -1 : 0;
}

static struct thread *thread_of(unsigned number)
{
	struct thread *thread;

	for (size_t i = 0; i < now.n_threads; i++)
		if (now.threads[i].number == number)
			return &now.threads[i];
	now.threads = mem_grow(now.threads, &now.threads_room, now.n_threads,
			       sizeof(*now.threads));
	thread = &now.threads[now.n_threads++];
	*thread = (struct thread){
		.number = number,
		.location = otf2_defs_location(now.process, number),
	};
	thread->writer = OTF2_Archive_GetEvtWriter(now.archive,
						   thread->location);
	return thread;
}

static uint64_t time_of(const struct traces_process *process,
			struct thread *thread, uint64_t ns)
{
	const int64_t since = traces_since(process, ns);

	if (since > 0 && (uint64_t)since > thread->last)
		thread->last = (uint64_t)since;
	return thread->last;
}

static void add_request(int kind, const struct trace_event *event)
{
	now.requests = mem_grow(now.requests, &now.requests_room,
				now.n_requests, sizeof(*now.requests));
	now.requests[now.n_requests].kind = kind;
	now.requests[now.n_requests++].event = *event;
}

/* NULL: it began before the trace, or is lost. */
static struct request *find_request(uint64_t number)
{
	for (size_t i = 0; i < now.n_requests; i++)
		if (now.requests[i].event.request == number)
			return &now.requests[i];
	return NULL;
}

static void drop_request(struct request *request)
{
	*request = now.requests[--now.n_requests];
}

static bool comm_of(const struct traces_process *process, uint32_t number,
		    uint32_t *ref)
{
	struct trace_comm comm;

	if (!trace_comm(process->reader, number, &comm))
		return false;
	*ref = otf2_defs_comm(process, &comm, now.process);
	return true;
}

/* A send without a request has ended with its call. */
static void put_send(const struct traces_process *process, struct thread *t,
		     const struct trace_event *e, bool blocking)
{
	uint32_t comm;

	if (e->peer < 0 || !comm_of(process, e->comm, &comm))
		return;
	if (blocking || !e->request) {
		OTF2_EvtWriter_MpiSend(t->writer, NULL, t->last,
				       (uint32_t)e->peer, comm,
				       (uint32_t)e->tag, e->sent);
		return;
	}
	OTF2_EvtWriter_MpiIsend(t->writer, NULL, t->last, (uint32_t)e->peer,
				comm, (uint32_t)e->tag, e->sent, e->request);
	add_request(SEND, e);
}

static void put_post(struct thread *t, const struct trace_event *e)
{
	if (!e->request)
		return;
	OTF2_EvtWriter_MpiIrecvRequest(t->writer, NULL, t->last, e->request);
	add_request(RECEIVE, e);
}

static void put_receive(const struct traces_process *process, struct thread *t,
			const struct trace_event *e)
{
	struct request *request = e->request ? find_request(e->request) : NULL;
	uint32_t comm;

	if (e->peer >= 0 && comm_of(process, e->comm, &comm)) {
		if (request && request->kind == RECEIVE)
			OTF2_EvtWriter_MpiIrecv(t->writer, NULL, t->last,
						(uint32_t)e->peer, comm,
						(uint32_t)e->tag, e->received,
						e->request);
		else
			OTF2_EvtWriter_MpiRecv(t->writer, NULL, t->last,
					       (uint32_t)e->peer, comm,
					       (uint32_t)e->tag, e->received);
	}
	if (request)
		drop_request(request);
}

static uint32_t root_of(const struct trace_event *e)
{
	return e->peer >= 0 ? (uint32_t)e->peer : OTF2_UNDEFINED_UINT32;
}

/* A collective call that ended.  `request` is 0 if the call blocks. */
static void put_all(const struct traces_process *process, struct thread *t,
		    const struct trace_event *e, uint64_t request)
{
	const char *name = trace_call_name(process->reader, e->call);
	const OTF2_CollectiveOp op = otf2_defs_operation(name ? name : "");
	uint32_t comm;

	if (!comm_of(process, e->comm, &comm))
		comm = OTF2_UNDEFINED_COMM;
	if (request)
		OTF2_EvtWriter_NonBlockingCollectiveComplete(
			t->writer, NULL, t->last, op, comm, root_of(e), e->sent,
			e->received, request);
	else
		OTF2_EvtWriter_MpiCollectiveEnd(t->writer, NULL, t->last, op,
						comm, root_of(e), e->sent,
						e->received);
}

static void put_done(const struct traces_process *process, struct thread *t,
		     uint64_t number)
{
	struct request *request = find_request(number);

	if (!request)
		return;
	if (request->kind == SEND)
		OTF2_EvtWriter_MpiIsendComplete(t->writer, NULL, t->last,
						number);
	else if (request->kind == RECEIVE)
		OTF2_EvtWriter_MpiRequestCancelled(t->writer, NULL, t->last,
						   number);
	else if (request->kind == ALL)
		put_all(process, t, &request->event, number);
	drop_request(request);
}

static void put_enter(const struct traces_process *process, struct thread *t,
		      const struct trace_event *call, uint32_t region)
{
	const char *site = traces_site(process, call->path);
	uint32_t place;

	if (otf2_defs_place(site, &place))
		OTF2_AttributeList_AddSourceCodeLocationRef(now.attributes,
							    OTF2_PLACE, place);
	if (site)
		OTF2_AttributeList_AddStringRef(now.attributes, OTF2_PLACE_TEXT,
						otf2_defs_string(site));
	OTF2_EvtWriter_Enter(t->writer, now.attributes,
			     time_of(process, t, call->begin), region);
}

/* Sends, receives and collectives that a call begins, at its begin. */
static void put_begun(const struct traces_process *process, struct thread *t,
		      const struct trace_event *call, unsigned does)
{
	const bool blocking = !(does & TRACE_DOES_BEGIN);

	if (does & TRACE_DOES_SEND)
		put_send(process, t, call, blocking);
	else if (does & TRACE_DOES_POST)
		put_post(t, call);
	else if (does & TRACE_DOES_ALL && blocking)
		OTF2_EvtWriter_MpiCollectiveBegin(t->writer, NULL, t->last);
	else if (does & TRACE_DOES_ALL && call->request) {
		OTF2_EvtWriter_NonBlockingCollectiveRequest(
			t->writer, NULL, t->last, call->request);
		add_request(ALL, call);
	}
	for (size_t i = 0; i < now.n_items; i++) {
		const struct trace_event *item = &now.items[i];

		if (item->kind == TRACE_SENT)
			put_send(process, t, item, false);
		else if (item->kind == TRACE_POSTED)
			put_post(t, item);
		else if (item->kind == TRACE_STARTED && item->request)
			add_request(OTHER, item);
	}
}

/* Operations that the call ends, at its end. */
static void put_ended(const struct traces_process *process, struct thread *t,
		      const struct trace_event *call, unsigned does)
{
	if (does & TRACE_DOES_RECEIVE)
		put_receive(process, t, call);
	else if (does & TRACE_DOES_ALL && !(does & TRACE_DOES_BEGIN))
		put_all(process, t, call, 0);
	for (size_t i = 0; i < now.n_items; i++) {
		const struct trace_event *item = &now.items[i];

		if (item->kind == TRACE_RECEIVED)
			put_receive(process, t, item);
		else if (item->kind == TRACE_DONE)
			put_done(process, t, item->request);
	}
}

static void call_close(const struct traces_process *process)
{
	const struct trace_event *call = &now.call;
	const unsigned does = trace_call_does(process->reader, call->call);
	const char *name = trace_call_name(process->reader, call->call);
	struct thread *t;
	uint32_t region;

	if (!now.has_call)
		return;
	t = thread_of(call->thread);
	region = otf2_defs_region(name ? name : "?", does, false);
	put_enter(process, t, call, region);
	put_begun(process, t, call, does);
	time_of(process, t, call->end);
	put_ended(process, t, call, does);
	OTF2_EvtWriter_Leave(t->writer, NULL, t->last, region);
	now.has_call = false;
	now.n_items = 0;
}

static void phase_end(struct thread *t)
{
	if (t->n_phases)
		OTF2_EvtWriter_Leave(t->writer, NULL, t->last,
				     t->phases[--t->n_phases]);
}

static void phase_begin(const struct traces_process *process, struct thread *t,
			unsigned phase)
{
	const char *name = trace_phase_name(process->reader, phase);

	if (t->n_phases == PHASES_DEEP)
		return;
	t->phases[t->n_phases] = otf2_defs_region(name && *name ? name : "?", 0,
						  true);
	OTF2_EvtWriter_Enter(t->writer, NULL, t->last,
			     t->phases[t->n_phases++]);
}

static void moment(const struct traces_process *process,
		   const struct trace_event *event)
{
	struct thread *t = thread_of(event->thread);

	time_of(process, t, event->begin);
	if (event->kind == TRACE_PHASE_BEGIN)
		phase_begin(process, t, event->phase);
	else if (event->kind == TRACE_PHASE_END)
		phase_end(t);
	else
		OTF2_EvtWriter_MeasurementOnOff(t->writer, NULL, t->last,
						event->kind == TRACE_ON
							? OTF2_MEASUREMENT_ON
							: OTF2_MEASUREMENT_OFF);
}

static void add_item(const struct trace_event *event)
{
	now.items = mem_grow(now.items, &now.items_room, now.n_items,
			     sizeof(*now.items));
	now.items[now.n_items++] = *event;
}

static void event_put(const struct traces_process *process,
		      const struct trace_event *event)
{
	if (trace_is_item(event->kind)) {
		if (now.has_call)
			add_item(event);
		return;
	}
	call_close(process);
	if (event->kind == TRACE_CALL) {
		now.call = *event;
		now.has_call = true;
	} else {
		moment(process, event);
	}
}

static void process_begin(const struct traces_process *process)
{
	now.process = otf2_defs_process(process);
	thread_of(0);
}

static void process_end(const struct traces_process *process)
{
	uint64_t n;

	call_close(process);
	for (size_t i = 0; i < now.n_threads; i++) {
		struct thread *t = &now.threads[i];

		while (t->n_phases)
			phase_end(t);
		n = 0;
		OTF2_EvtWriter_GetNumberOfEvents(t->writer, &n);
		otf2_defs_events(t->location, n);
		otf2_defs_time(t->last);
		OTF2_Archive_CloseEvtWriter(now.archive, t->writer);
	}
	now.n_threads = now.n_requests = 0;
}

/* Each location has definitions of its own, here none. */
static void write_local_defs(uint64_t n)
{
	OTF2_Archive_OpenDefFiles(now.archive);
	for (uint64_t i = 0; i < n; i++)
		OTF2_Archive_CloseDefWriter(
			now.archive, OTF2_Archive_GetDefWriter(now.archive, i));
	OTF2_Archive_CloseDefFiles(now.archive);
}

static int end(uint64_t lost)
{
	(void)lost; /* traces_end warned of it */
	OTF2_Archive_CloseEvtFiles(now.archive);
	write_local_defs(otf2_defs_locations());
	otf2_defs_write(now.archive);
	OTF2_Archive_Close(now.archive);
	OTF2_AttributeList_Delete(now.attributes);
	free(now.threads);
	free(now.requests);
	free(now.items);
	return now.failed ? -1 : 0;
}

const struct export_format export_otf2 = {
	.name = "otf2",
	.begin = begin,
	.process = process_begin,
	.event = event_put,
	.process_end = process_end,
	.end = end,
	.makes_folder = true,
};
