/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Turns the events of a process into operations.
 *
 * A call that does not wait takes as long as it took: an eager send, the start
 * of a request, a call that is no communication.  A call that waits takes no
 * time by itself, for the simulator waits.  Polls in a row wait as well.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "analyzer/base/mem.h"
#include "analyzer/replay/replay_source.h"

#define POLL  10000 /* ns between polls of a loop, at most */
#define FIRST 64    /* events among which MPI_Init is looked for */

static struct sim_op *push(struct replay_source *source, enum sim_kind kind)
{
	struct sim_op *op;

	source->queue = mem_grow(source->queue, &source->room, source->n,
				 sizeof(*source->queue));
	op = &source->queue[source->n++];
	*op = (struct sim_op){ .kind = kind };
	return op;
}

static void compute(struct replay_source *source, uint64_t ns)
{
	if (ns)
		push(source, SIM_DELAY)->amount = (double)ns * 1e-9 /
						  source->choice->scale.cpu;
}

/* The number is used again by operations after the wait. */
static void wait_for(struct replay_source *source, uint32_t request)
{
	push(source, SIM_WAIT)->request = request;
	replay_requests_free(&source->requests, request);
}

/* A request until the end of the call. */
static uint32_t temporary(struct replay_source *source)
{
	const uint32_t request = replay_requests_new(&source->requests);

	source->temporary = mem_grow(source->temporary, &source->temporary_room,
				     source->n_temporary,
				     sizeof(*source->temporary));
	source->temporary[source->n_temporary++] = request;
	return request;
}

static void end_temporary(struct replay_source *source)
{
	for (size_t i = 0; i < source->n_temporary; i++)
		wait_for(source, source->temporary[i]);
	source->n_temporary = 0;
}

static uint64_t time_of(const struct trace_event *event)
{
	return event->end - event->begin;
}

static bool is_eager(const struct replay_source *source, enum sim_wait wait,
		     uint64_t bytes)
{
	return wait == SIM_BUFFERED ||
	       (wait == SIM_STANDARD && bytes <= source->eager);
}

/* An operation with a peer; NULL if there is none, or nobody knows who. */
static struct sim_op *push_message(struct replay_source *source,
				   enum sim_kind kind,
				   const struct trace_event *event)
{
	const uint32_t peer = replay_comms_member(source->events.comms,
						  event->comm, event->peer);
	struct sim_op *op;

	if (peer == REPLAY_NOBODY) {
		source->as_recorded += event->peer != TRACE_NOBODY;
		return NULL;
	}
	op = push(source, kind);
	op->peer = (int32_t)peer;
	op->context = event->comm;
	op->tag = event->tag;
	op->bytes = event->sent;
	return op;
}

static uint32_t request_of(struct replay_source *source,
			   const struct trace_event *event, bool receives)
{
	return replay_requests_begin(&source->requests, event->request,
				     receives);
}

/* A send with a request; without one, MPI has the message already. */
static void start_send(struct replay_source *source,
		       const struct trace_event *event, enum sim_wait wait)
{
	struct sim_op *op = push_message(source, SIM_ISEND, event);

	if (!op)
		return;
	op->wait = wait;
	op->request = event->request ? request_of(source, event, false)
				     : SIM_NO_REQUEST;
}

/* A wildcard is what it turns out to be. */
static void start_receive(struct replay_source *source,
			  const struct trace_event *posted)
{
	const bool any = posted->peer == TRACE_ANYBODY ||
			 (posted->tag == TRACE_NOBODY &&
			  posted->peer != TRACE_NOBODY);
	struct trace_event event = *posted;
	const struct trace_event *came;
	struct sim_op *op;

	if (!posted->request)
		return;
	if (any) {
		came = replay_events_received(&source->events, posted);
		if (!came)
			return;
		event.peer = came->peer;
		event.tag = came->tag;
	}
	op = push_message(source, SIM_IRECV, &event);
	if (op)
		op->request = request_of(source, &event, true);
}

/* A message whose receive did not begin on record. */
static void receive_now(struct replay_source *source,
			const struct trace_event *event)
{
	struct sim_op *op = push_message(source, SIM_IRECV, event);

	if (op)
		op->request = temporary(source);
}

static void end_request(struct replay_source *source,
			const struct trace_event *event,
			const struct replay_site *site)
{
	struct replay_request ended;

	if (!replay_requests_end(&source->requests, event->request, &ended)) {
		if (event->kind == TRACE_RECEIVED)
			receive_now(source, event);
		return;
	}
	/* A receive that was cancelled has no message to wait for. */
	if (ended.receives && event->kind == TRACE_DONE)
		return;
	if (!site || site->change != REPLAY_FREE)
		wait_for(source, ended.number);
}

static void take_item(struct replay_source *source,
		      const struct trace_event *item,
		      const struct replay_site *site)
{
	struct sim_op *op;

	switch (item->kind) {
	case TRACE_SENT:
		if (item->request) {
			start_send(source, item, SIM_STANDARD);
			return;
		}
		op = push_message(source, SIM_ISEND, item);
		if (op)
			op->request = temporary(source);
		return;
	case TRACE_POSTED:
		start_receive(source, item);
		return;
	case TRACE_RECEIVED:
	case TRACE_DONE:
		end_request(source, item, site);
		return;
	default:
		return;
	}
}

/* Returns how many there were. */
static size_t take_items(struct replay_source *source,
			 const struct replay_site *site)
{
	const struct trace_event *event;
	struct trace_event item;
	size_t n = 0;

	while ((event = replay_events_at(&source->events, 0)) &&
	       trace_is_item(event->kind)) {
		/* It moves when those that follow are read. */
		item = *event;
		replay_events_drop(&source->events);
		take_item(source, &item, site);
		n++;
	}
	return n;
}

static void take_send(struct replay_source *source,
		      const struct trace_event *call, enum sim_wait wait,
		      struct replay_site *site)
{
	const bool eager = is_eager(source, wait, call->sent);
	const enum replay_change change = site ? site->change
					       : REPLAY_AS_IT_WAS;
	struct sim_op *op = push_message(
		source, change == REPLAY_AS_IT_WAS ? SIM_SEND : SIM_ISEND,
		call);

	if (!op) {
		compute(source, time_of(call));
		return;
	}
	op->wait = wait;
	if (eager && isnan(source->choice->overhead))
		op->busy = (double)time_of(call) * 1e-9 /
			   source->choice->scale.cpu;
	if (change == REPLAY_FREE)
		op->request = SIM_NO_REQUEST;
	if (change != REPLAY_ASYNC)
		return;
	op->request = site->request = replay_requests_new(&source->requests);
	if (eager)
		compute(source, time_of(call));
}

static void take_receive(struct replay_source *source,
			 const struct trace_event *call,
			 const struct replay_site *site)
{
	const bool free = site && site->change == REPLAY_FREE;
	struct sim_op *op = push_message(source, free ? SIM_IRECV : SIM_RECV,
					 call);

	if (op)
		op->request = SIM_NO_REQUEST;
	else
		compute(source, time_of(call));
}

static struct sim_op *push_all(struct replay_source *source,
			       const struct trace_event *event,
			       const struct replay_call *call,
			       enum sim_kind kind)
{
	const struct replay_comms *comms = source->events.comms;
	const struct replay_comm *comm = &comms->comms[event->comm];
	const uint32_t root = replay_comms_member(comms, event->comm,
						  event->peer);
	struct sim_op *op = push(source, kind);

	op->collective = call->collective;
	op->group = event->comm + 1;
	op->peer = (int32_t)root;
	op->bytes = replay_calls_bytes(call, event, comm->size,
				       root == source->events.of.number);
	return op;
}

static void take_all(struct replay_source *source,
		     const struct trace_event *event,
		     const struct replay_call *call, struct replay_site *site)
{
	const enum replay_change change = site ? site->change
					       : REPLAY_AS_IT_WAS;
	struct sim_op *op;

	if (!replay_comms_is_whole(source->events.comms, event->comm)) {
		source->as_recorded++;
		compute(source, time_of(event));
		return;
	}
	op = push_all(source, event, call,
		      change == REPLAY_AS_IT_WAS ? SIM_COLLECTIVE
						 : SIM_ICOLLECTIVE);
	op->request = SIM_NO_REQUEST;
	if (change == REPLAY_ASYNC)
		op->request = source->pending = replay_requests_new(
			&source->requests);
}

static void start_all(struct replay_source *source,
		      const struct trace_event *event,
		      const struct replay_call *call)
{
	struct sim_op *op;

	if (!replay_comms_is_whole(source->events.comms, event->comm)) {
		source->as_recorded++;
	} else {
		op = push_all(source, event, call, SIM_ICOLLECTIVE);
		op->request = event->request ? request_of(source, event, false)
					     : SIM_NO_REQUEST;
	}
	compute(source, time_of(event));
}

/* Whether the next call polls again, at once. */
static bool polls_on(struct replay_source *source,
		     const struct trace_event *call)
{
	const struct trace_event *next = replay_events_at(&source->events, 0);
	enum replay_kind kind;

	if (!next || next->kind != TRACE_CALL || next->begin - call->end > POLL)
		return false;
	kind = replay_calls_of(&source->calls, source->events.of.reader,
			       next->call)
		       ->kind;
	return kind == REPLAY_TEST || kind == REPLAY_PROBE;
}

static void take_test(struct replay_source *source,
		      const struct trace_event *call,
		      const struct replay_site *site)
{
	if (take_items(source, site))
		return;
	if (polls_on(source, call))
		source->last = replay_events_at(&source->events, 0)->begin;
	else
		compute(source, time_of(call));
}

static void take_known(struct replay_source *source,
		       const struct trace_event *event,
		       const struct replay_call *call, struct replay_site *site)
{
	switch (call->kind) {
	case REPLAY_SEND:
		take_send(source, event, call->wait, site);
		break;
	case REPLAY_ISEND:
		start_send(source, event, call->wait);
		compute(source, time_of(event));
		break;
	case REPLAY_RECV:
		take_receive(source, event, site);
		break;
	case REPLAY_IRECV:
		start_receive(source, event);
		compute(source, time_of(event));
		break;
	case REPLAY_ALL:
		take_all(source, event, call, site);
		break;
	case REPLAY_IALL:
		start_all(source, event, call);
		break;
	case REPLAY_TEST:
		take_test(source, event, site);
		break;
	case REPLAY_WAIT:
	case REPLAY_PROBE:
		break;
	default:
		if (take_items(source, site) == 0)
			compute(source, time_of(event));
	}
	take_items(source, site);
	end_temporary(source);
}

/* Waits for what was made non-blocking, and is over with this call. */
static void end_async(struct replay_source *source, struct replay_site *site)
{
	if (source->pending != REPLAY_NONE)
		wait_for(source, source->pending);
	source->pending = REPLAY_NONE;
	if (!site || site->request == REPLAY_NONE)
		return;
	wait_for(source, site->request);
	site->request = REPLAY_NONE;
}

static void end(struct replay_source *source)
{
	end_async(source, NULL);
	for (size_t i = 0; i < source->sites.paths.n; i++)
		end_async(source, &source->sites.of[i]);
	push(source, SIM_END);
	source->recorded = (double)(source->last - source->zero) * 1e-9;
}

static void later(struct replay_source *source, uint64_t ns)
{
	if (ns > source->last)
		source->last = ns;
}

static void take_call(struct replay_source *source,
		      const struct trace_event *event)
{
	const struct replay_call *call = replay_calls_of(
		&source->calls, source->events.of.reader, event->call);
	struct replay_site *site = replay_sites_of(
		&source->sites, source->choice, &source->events.of,
		event->path);

	end_async(source, site);
	if (call->kind == REPLAY_FINALIZE) {
		end(source);
		return;
	}
	later(source, event->end);
	source->in_mpi += time_of(event);
	source->met += site && site->change != REPLAY_AS_IT_WAS;
	take_known(source, event, call, site);
}

static void take_event(struct replay_source *source)
{
	const struct trace_event *next = replay_events_at(&source->events, 0);
	struct trace_event event;

	if (!next) {
		end(source);
		return;
	}
	event = *next;
	replay_events_drop(&source->events);
	if (event.begin > source->last)
		compute(source, event.begin - source->last);
	later(source, event.begin);
	if (event.kind == TRACE_CALL)
		take_call(source, &event);
}

int replay_source_next(void *self, struct sim_op *op)
{
	struct replay_source *source = self;

	while (source->at == source->n) {
		source->at = source->n = 0;
		if (source->events.threads)
			return -ENOTSUP;
		take_event(source);
	}
	*op = source->queue[source->at++];
	return 0;
}

/* How many events are up to the end of MPI_Init; 0: it is not on record. */
static size_t find_init(struct replay_source *source, uint64_t *end)
{
	const struct trace_event *event;

	for (size_t n = 0; n < FIRST; n++) {
		event = replay_events_at(&source->events, n);
		if (!event)
			return 0;
		*end = event->end;
		if (event->kind == TRACE_CALL &&
		    replay_calls_of(&source->calls, source->events.of.reader,
				    event->call)
				    ->kind == REPLAY_INIT)
			return n + 1;
	}
	return 0;
}

bool replay_source_begin(struct replay_source *source)
{
	const struct trace_event *first = replay_events_at(&source->events, 0);
	size_t n;

	if (!first)
		return false;
	source->pending = REPLAY_NONE;
	n = find_init(source, &source->start);
	if (n == 0)
		source->start = replay_events_at(&source->events, 0)->begin;
	for (; n > 0; n--)
		replay_events_drop(&source->events);
	source->last = source->start;
	return true;
}

void replay_source_offset(struct replay_source *source, uint64_t zero)
{
	source->zero = zero;
	if (source->start > zero)
		push(source, SIM_DELAY)->amount = (double)(source->start -
							   zero) *
						  1e-9;
}

void replay_source_clear(struct replay_source *source)
{
	replay_events_clear(&source->events);
	replay_requests_clear(&source->requests);
	replay_sites_clear(&source->sites);
	free(source->queue);
	free(source->temporary);
}
