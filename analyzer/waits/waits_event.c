/* SPDX-License-Identifier: BSD-3-Clause */

/* Takes the events of a process: its calls, and what they do to requests. */
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/mem.h"
#include "analyzer/waits/waits_add.h"
#include "analyzer/waits/waits_event.h"
#include "analyzer/waits/waits_whatif.h"

/* Calls that slices may do something for. */
#define COMMUNICATES                                             \
	(TRACE_DOES_SEND | TRACE_DOES_RECEIVE | TRACE_DOES_ALL | \
	 TRACE_DOES_WAIT | TRACE_DOES_TEST)

#define WHERE_BITS 48 /* of a call's number; a thread's is above */

/* A nonblocking collective that was begun. */
struct begun {
	uint64_t id;
	struct waits_ref call;
};

static struct waits_thread *thread_make(struct waits_stream *stream,
					unsigned number)
{
	const struct trace_head *head = stream->process.head;
	struct waits_thread *thread = mem_alloc(1, sizeof(*thread));

	thread->host = stream->process.host;
	thread->rank = head->ranked ? head->rank : head->pid;
	thread->thread = number;
	thread->at = stream->n_threads;
	thread->wanted = stream->wanted;
	thread->slice_ns = traces_slices(&stream->process, &thread->slice_zero);
	return thread;
}

static struct waits_thread *thread_of(struct waits_stream *stream,
				      unsigned number)
{
	const size_t n = stream->n_threads;

	for (size_t i = 0; i < n; i++)
		if (stream->threads[i]->thread == number)
			return stream->threads[i];
	stream->threads = mem_grow(stream->threads, &stream->threads_room, n,
				   sizeof(struct waits_thread *));
	stream->threads[n] = thread_make(stream, number);
	return stream->threads[stream->n_threads++];
}

static struct waits_ref ref_of(const struct waits_stream *stream,
			       uint64_t where)
{
	struct waits_ref ref = {
		.thread = stream->threads[where >> WHERE_BITS],
		.number = where & ((UINT64_C(1) << WHERE_BITS) - 1),
	};
	const struct waits_call *call = waits_call_at(&ref);

	ref.begin = call ? call->begin : 0;
	return ref;
}

void waits_event_met(void *to, const struct message_end *end)
{
	static const struct waits_ref nobody;
	struct waits_stream *stream = to;
	struct waits_messages *messages = &stream->joining->messages;
	const struct waits_ref ended = ref_of(stream, end->where);
	const struct waits_ref posted = ref_of(stream, end->posted);

	if (!end->sent) {
		waits_message_received(messages, end->id, &posted, &ended);
	} else if (stream->request) {
		waits_map_put(&stream->sends, stream->request, end->id);
		waits_message_sent(messages, end->id, &ended, NULL);
	} else {
		waits_message_sent(messages, end->id, &ended,
				   stream->blocks ? &ended : &nobody);
	}
}

uint64_t waits_event_since(const struct waits_stream *stream, uint64_t ns)
{
	const int64_t time = traces_since(&stream->process, ns);

	return time > 0 ? (uint64_t)time : 0;
}

static const char *call_name(const struct waits_stream *stream,
			     const struct trace_event *event)
{
	const char *name = trace_call_name(stream->process.reader, event->call);

	return name ? name : "(unknown)";
}

static uint32_t place_of(struct waits_stream *stream,
			 const struct trace_event *event)
{
	const uint64_t key = (uint64_t)event->path << 16 | event->call;
	uint64_t known = waits_map_get(&stream->places, key);

	if (known)
		return (uint32_t)(known - 1);
	known = waits_add_place(stream->joining->waits,
				call_name(stream, event),
				traces_site(&stream->process, event->path));
	waits_map_put(&stream->places, key, known + 1);
	return (uint32_t)known;
}

/* `before` of them are not in the trace. */
static uint64_t count_coll(struct waits_stream *stream, uint64_t comm,
			   uint64_t before)
{
	const size_t n = stream->comms.n;
	const size_t at = intern_add(&stream->comms, &comm, sizeof(comm));

	if (at == n) {
		stream->counts = mem_grow(stream->counts, &stream->counts_room,
					  n, sizeof(*stream->counts));
		stream->counts[n] = before;
	}
	return stream->counts[at]++;
}

static void begun_add(struct waits_stream *stream, uint64_t request,
		      const struct waits_coll_call *call)
{
	struct begun *begun = mem_alloc(1, sizeof(*begun));

	*begun = (struct begun){ call->id, call->call };
	/* Events that were lost can leave one of the same request. */
	free((void *)(uintptr_t)waits_map_take(&stream->begun, request));
	waits_map_put(&stream->begun, request, (uintptr_t)begun);
}

static void coll_take(struct waits_stream *stream,
		      const struct trace_event *event, unsigned does,
		      const struct waits_ref *ref)
{
	struct waits_coll_call call = {
		.name = call_name(stream, event),
		.blocks = !(does & TRACE_DOES_BEGIN),
		.call = *ref,
		.end = waits_event_since(stream, event->end),
	};
	struct trace_comm comm;

	if (!trace_comm(stream->process.reader, event->comm, &comm))
		return;
	call.id = messages_mix(
		comm.id, count_coll(stream, comm.id,
				    trace_colls_before(stream->process.reader,
						       event->comm)));
	call.rank = comm.rank;
	call.size = comm.size;
	call.is_root = event->peer >= 0 && (uint32_t)event->peer == comm.rank;
	/* With fewer traces than members it is never known of all of them. */
	if (call.size > stream->joining->n_processes)
		return;
	waits_coll_begun(&stream->joining->colls, &call);
	if (event->request)
		begun_add(stream, event->request, &call);
}

static void call_take(struct waits_stream *stream,
		      const struct trace_event *event)
{
	const unsigned does = trace_call_does(stream->process.reader,
					      event->call);
	struct waits_thread *thread = thread_of(stream, event->thread);
	struct waits_whatif *whatif = stream->joining->whatif;
	const uint64_t end = waits_event_since(stream, event->end);
	struct waits_ref ref;

	waits_whatif_before(whatif, thread);
	ref = waits_thread_call(thread, stream->begin,
				end > stream->begin ? end : stream->begin,
				place_of(stream, event));
	waits_call_at(&ref)->communicates = does & COMMUNICATES;
	waits_whatif_call(whatif, &ref);
	waits_add_begin(stream->joining->waits, thread,
			event->sent > event->received ? event->sent
						      : event->received);
	if (does & TRACE_DOES_ALL)
		coll_take(stream, event, does, &ref);
	waits_add_calls(stream->joining->waits, thread, WAITS_DELAY);
}

static bool is_buffered(const char *name)
{
	return strncmp(name, "MPI_Bsend", 9) == 0 ||
	       strncmp(name, "MPI_Ibsend", 10) == 0;
}

/* Prepares for waits_event_met(), which is called for a send at once. */
static void send_look(struct waits_stream *stream,
		      const struct trace_event *event)
{
	const unsigned does = trace_call_does(stream->process.reader,
					      event->call);
	const bool buffered = is_buffered(call_name(stream, event));

	stream->request = buffered ? 0 : event->request;
	stream->blocks = !buffered && !(does & TRACE_DOES_BEGIN);
}

static void done_take(struct waits_stream *stream, uint64_t request,
		      uint64_t where)
{
	const struct waits_ref ref = ref_of(stream, where);
	const uint64_t id = waits_map_take(&stream->sends, request);
	struct begun *begun;

	if (id)
		waits_message_done(&stream->joining->messages, id, &ref);
	begun = (struct begun *)(uintptr_t)waits_map_take(&stream->begun,
							  request);
	if (begun)
		waits_coll_awaited(&stream->joining->colls, begun->id,
				   &begun->call, &ref);
	free(begun);
}

/* Recording was off: a call without a name, until it is on. */
static void off_take(struct waits_stream *stream,
		     const struct trace_event *event)
{
	struct waits *waits = stream->joining->waits;
	struct waits_thread *thread = thread_of(stream, event->thread);
	struct waits_ref ref;

	waits_whatif_before(stream->joining->whatif, thread);
	ref = waits_thread_call(thread, stream->begin, stream->begin,
				waits_add_place(waits, NULL, NULL));
	waits_whatif_call(stream->joining->whatif, &ref);
}

static void on_take(struct waits_stream *stream,
		    const struct trace_event *event)
{
	struct waits_thread *thread = thread_of(stream, event->thread);
	const struct waits_ref last = { thread, thread->n - 1, 0 };
	struct waits_call *call = thread->n ? waits_call_open(&last) : NULL;

	if (call && call->end == call->begin && stream->begin > call->end)
		call->end = call->complete_from = stream->begin;
}

static void core_take(struct waits_stream *stream,
		      const struct trace_event *event)
{
	struct waits_thread *thread = thread_of(stream, event->thread);
	const struct waits_ref last = { thread, thread->n - 1, 0 };
	struct waits_call *call = thread->n ? waits_call_open(&last) : NULL;

	if (!call)
		return;
	call->core = event->core_within;
	waits_add_core(thread, event->core_before);
}

void waits_event_take(struct waits_stream *stream,
		      const struct trace_event *event)
{
	const struct waits_thread *thread;
	uint64_t where;

	if (event->kind == TRACE_CALL)
		call_take(stream, event);
	else if (event->kind == TRACE_OFF)
		off_take(stream, event);
	else if (event->kind == TRACE_ON)
		on_take(stream, event);
	else if (event->kind == TRACE_CORE)
		core_take(stream, event);
	else if (!trace_is_item(event->kind))
		return;
	/* The call of an item may be lost. */
	thread = thread_of(stream, event->thread);
	if (!thread->n)
		return;
	where = thread->at << WHERE_BITS | (thread->n - 1);
	send_look(stream, event);
	messages_take(stream->messages, &stream->process, event, where);
	if (event->kind == TRACE_DONE)
		done_take(stream, event->request, where);
}
