/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Turns the events of a process into operations.
 *
 * A call that does not wait takes as long as it took: an eager send, the start
 * of a request, a call that is no communication.  A call that waits takes no
 * time by itself, for the simulator waits.  Polls in a row wait as well.
 */
#include <errno.h>
#include <stdlib.h>

#include "analyzer/replay/replay_calling.h"
#include "analyzer/replay/replay_items.h"
#include "analyzer/replay/replay_op.h"

#define POLL  10000 /* ns between polls of a loop, at most */
#define FIRST 64    /* events among which MPI_Init is looked for */

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
	if (replay_items_take(source, site))
		return;
	if (polls_on(source, call))
		source->last = replay_events_at(&source->events, 0)->begin;
	else
		replay_op_compute(source, replay_op_time(call));
}

static void take_known(struct replay_source *source,
		       const struct trace_event *event,
		       const struct replay_call *call,
		       const struct replay_site *site)
{
	switch (call->kind) {
	case REPLAY_SEND:
		replay_calling_send(source, event, call->wait, site);
		break;
	case REPLAY_ISEND:
		replay_items_send(source, event, call->wait);
		replay_op_compute(source, replay_op_time(event));
		break;
	case REPLAY_RECV:
		replay_calling_receive(source, event, site);
		break;
	case REPLAY_IRECV:
		replay_items_receive(source, event);
		replay_op_compute(source, replay_op_time(event));
		break;
	case REPLAY_ALL:
		replay_calling_all(source, event, call, site);
		break;
	case REPLAY_IALL:
		replay_calling_start(source, event, call);
		break;
	case REPLAY_TEST:
		take_test(source, event, site);
		break;
	case REPLAY_WAIT:
	case REPLAY_PROBE:
		break;
	default:
		if (replay_items_take(source, site) == 0)
			replay_op_compute(source, replay_op_time(event));
	}
	replay_items_take(source, site);
	replay_items_end(source);
}

static void end(struct replay_source *source)
{
	replay_calling_end(source);
	replay_op_push(source, SIM_END);
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
	const struct replay_site *site = replay_sites_of(
		&source->sites, source->choice, &source->events.of,
		event->path);

	replay_calling_begin(source);
	if (call->kind == REPLAY_FINALIZE) {
		end(source);
		return;
	}
	later(source, event->end);
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
		replay_op_compute(source, event.begin - source->last);
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
		replay_op_push(source, SIM_DELAY)
			->amount = (double)(source->start - zero) * 1e-9;
}

void replay_source_clear(struct replay_source *source)
{
	replay_events_clear(&source->events);
	replay_requests_clear(&source->requests);
	replay_sites_clear(&source->sites);
	free(source->queue);
	free(source->temporary);
}
