/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/mem.h"
#include "analyzer/replay/replay_events.h"

/* Events among which the end of a receive is looked for. */
#define WINDOW 1000000
/* Events among which a call like another is looked for. */
#define SOON 4096

static void resolve(struct replay_events *events, struct trace_event *event)
{
	struct trace_comm comm;

	events->threads |= event->thread != 0;
	if (event->comm == TRACE_NO_COMM ||
	    !trace_comm(events->of.reader, event->comm, &comm)) {
		event->comm = TRACE_NO_COMM;
		return;
	}
	if (comm.id != events->last_id) {
		events->last_id = comm.id;
		events->last = replay_comms_find(events->comms, comm.id);
	}
	event->comm = events->last;
}

static bool read_one(struct replay_events *events)
{
	struct trace_event *to;

	if (events->ended)
		return false;
	if (events->first > 64 && events->first > events->n / 2) {
		events->n -= events->first;
		memmove(events->ahead, events->ahead + events->first,
			events->n * sizeof(*events->ahead));
		events->first = 0;
	}
	events->ahead = mem_grow(events->ahead, &events->room, events->n,
				 sizeof(*events->ahead));
	to = &events->ahead[events->n];
	if (trace_next(events->of.reader, to) != 1) {
		events->ended = true;
		return false;
	}
	resolve(events, to);
	events->n++;
	return true;
}

const struct trace_event *replay_events_at(struct replay_events *events,
					   size_t n)
{
	while (events->first + n >= events->n)
		if (!read_one(events))
			return NULL;
	return &events->ahead[events->first + n];
}

void replay_events_drop(struct replay_events *events)
{
	events->taken++;
	if (++events->first == events->n)
		events->first = events->n = 0;
}

const struct trace_event *
replay_events_received(struct replay_events *events,
		       const struct trace_event *posted)
{
	const uint64_t request = posted->request;
	const struct trace_event *event;

	for (size_t n = 0; n < WINDOW; n++) {
		event = replay_events_at(events, n);
		if (!event ||
		    (event->kind == TRACE_DONE && event->request == request))
			return NULL;
		if (event->kind == TRACE_RECEIVED && event->request == request)
			return event;
	}
	return NULL;
}

/* Whether the event is a receive, or its begin, that may take messages of
 * `call`. */
static bool may_take(const struct replay_events *events,
		     const struct trace_event *event,
		     const struct trace_event *call)
{
	const unsigned receives = TRACE_DOES_RECEIVE | TRACE_DOES_POST;

	if (event->kind != TRACE_POSTED && event->kind != TRACE_RECEIVED &&
	    (event->kind != TRACE_CALL ||
	     !(trace_call_does(events->of.reader, event->call) & receives)))
		return false;
	return event->comm == call->comm &&
	       (event->peer == call->peer || event->peer == TRACE_ANYBODY) &&
	       (event->tag == call->tag || event->tag == TRACE_NOBODY);
}

const struct trace_event *replay_events_again(struct replay_events *events,
					      const struct trace_event *call)
{
	const struct trace_event *event;

	for (size_t n = 0; n < SOON; n++) {
		event = replay_events_at(events, n);
		if (!event)
			return NULL;
		if (may_take(events, event, call))
			return event->kind == TRACE_CALL &&
					       event->call == call->call &&
					       event->path == call->path &&
					       event->tag == call->tag
				       ? event
				       : NULL;
	}
	return NULL;
}

void replay_events_clear(struct replay_events *events)
{
	free(events->ahead);
}
