/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * One call of MPI as events of an OTF2 archive: enter, the operations that it
 * begins, those that it ends, leave.
 */
#include <stdlib.h>

#include "analyzer/base/mem.h"
#include "analyzer/export/export_otf2_call.h"

/* A request that is under way, with the call that began it. */
struct request {
	enum { SEND, RECEIVE, ALL, OTHER } kind;
	struct trace_event event;
};

static struct {
	OTF2_AttributeList *attributes;
	size_t process; /* its number in the definitions */
	struct request *requests;
	size_t n_requests;
	size_t requests_room;
} now;

void otf2_call_process(size_t process)
{
	now.process = process;
	now.n_requests = 0;
}

uint64_t otf2_call_time(const struct traces_process *process,
			struct otf2_thread *thread, uint64_t ns)
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
static void put_send(const struct traces_process *process,
		     struct otf2_thread *t, const struct trace_event *e,
		     bool blocking)
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

static void put_post(struct otf2_thread *t, const struct trace_event *e)
{
	if (!e->request)
		return;
	OTF2_EvtWriter_MpiIrecvRequest(t->writer, NULL, t->last, e->request);
	add_request(RECEIVE, e);
}

static void put_receive(const struct traces_process *process,
			struct otf2_thread *t, const struct trace_event *e)
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
static void put_all(const struct traces_process *process, struct otf2_thread *t,
		    const struct trace_event *e, uint64_t request)
{
	const char *name = trace_call_name(process->reader, e->call);
	const OTF2_CollectiveOp op = otf2_operation(name ? name : "");
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

static void put_done(const struct traces_process *process,
		     struct otf2_thread *t, uint64_t number)
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

static void put_enter(const struct traces_process *process,
		      struct otf2_thread *t, const struct trace_event *call,
		      uint32_t region)
{
	const char *site = traces_site(process, call->path);
	uint32_t place;

	if (!now.attributes)
		now.attributes = OTF2_AttributeList_New();
	if (otf2_defs_place(site, &place))
		OTF2_AttributeList_AddSourceCodeLocationRef(now.attributes,
							    OTF2_PLACE, place);
	if (site)
		OTF2_AttributeList_AddStringRef(now.attributes, OTF2_PLACE_TEXT,
						otf2_defs_string(site));
	OTF2_EvtWriter_Enter(t->writer, now.attributes,
			     otf2_call_time(process, t, call->begin), region);
}

/* Sends, receives and collectives that a call begins, at its begin. */
static void put_begun(const struct traces_process *process,
		      struct otf2_thread *t, const struct otf2_call *whole,
		      unsigned does)
{
	const struct trace_event *call = &whole->event;
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
	for (size_t i = 0; i < whole->n_items; i++) {
		const struct trace_event *item = &whole->items[i];

		if (item->kind == TRACE_SENT)
			put_send(process, t, item, false);
		else if (item->kind == TRACE_POSTED)
			put_post(t, item);
		else if (item->kind == TRACE_STARTED && item->request)
			add_request(OTHER, item);
	}
}

/* Operations that the call ends, at its end. */
static void put_ended(const struct traces_process *process,
		      struct otf2_thread *t, const struct otf2_call *whole,
		      unsigned does)
{
	const struct trace_event *call = &whole->event;

	if (does & TRACE_DOES_RECEIVE)
		put_receive(process, t, call);
	else if (does & TRACE_DOES_ALL && !(does & TRACE_DOES_BEGIN))
		put_all(process, t, call, 0);
	for (size_t i = 0; i < whole->n_items; i++) {
		const struct trace_event *item = &whole->items[i];

		if (item->kind == TRACE_RECEIVED)
			put_receive(process, t, item);
		else if (item->kind == TRACE_DONE)
			put_done(process, t, item->request);
	}
}

void otf2_call_put(const struct traces_process *process, struct otf2_thread *t,
		   const struct otf2_call *call)
{
	const struct trace_event *event = &call->event;
	const unsigned does = trace_call_does(process->reader, event->call);
	const char *name = trace_call_name(process->reader, event->call);
	const uint32_t region = otf2_defs_region(name ? name : "?", does,
						 false);

	put_enter(process, t, event, region);
	put_begun(process, t, call, does);
	otf2_call_time(process, t, event->end);
	put_ended(process, t, call, does);
	OTF2_EvtWriter_Leave(t->writer, NULL, t->last, region);
}

void otf2_call_end(void)
{
	if (now.attributes)
		OTF2_AttributeList_Delete(now.attributes);
	free(now.requests);
}
