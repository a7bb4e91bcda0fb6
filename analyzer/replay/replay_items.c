/* SPDX-License-Identifier: BSD-3-Clause */

/* Requests and items of calls: what began, and what ended. */
#include "analyzer/replay/replay_items.h"
#include "analyzer/base/mem.h"
#include "analyzer/replay/replay_op.h"

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

void replay_items_end(struct replay_source *source)
{
	for (size_t i = 0; i < source->n_temporary; i++)
		replay_op_wait(source, source->temporary[i]);
	source->n_temporary = 0;
}

uint32_t replay_items_request(struct replay_source *source,
			      const struct trace_event *event, bool receives)
{
	return replay_requests_begin(&source->requests, event->request,
				     receives);
}

void replay_items_send(struct replay_source *source,
		       const struct trace_event *event, enum sim_wait wait)
{
	struct sim_op *op = replay_op_message(source, SIM_ISEND, event);

	if (!op)
		return;
	op->wait = wait;
	op->request = event->request
			      ? replay_items_request(source, event, false)
			      : SIM_NO_REQUEST;
}

void replay_items_receive(struct replay_source *source,
			  const struct trace_event *posted)
{
	/* A matched receive (MPI_Imrecv) does not tell its peer. */
	const bool any = posted->peer < 0 || posted->tag == TRACE_NOBODY;
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
	op = replay_op_message(source, SIM_IRECV, &event);
	if (op)
		op->request = replay_items_request(source, &event, true);
}

/* A message whose receive did not begin on record. */
static void receive_now(struct replay_source *source,
			const struct trace_event *event)
{
	struct sim_op *op = replay_op_message(source, SIM_IRECV, event);

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
		replay_op_wait(source, ended.number);
}

static void take_item(struct replay_source *source,
		      const struct trace_event *item,
		      const struct replay_site *site)
{
	struct sim_op *op;

	switch (item->kind) {
	case TRACE_SENT:
		if (item->request) {
			replay_items_send(source, item, SIM_STANDARD);
			return;
		}
		op = replay_op_message(source, SIM_ISEND, item);
		if (op)
			op->request = temporary(source);
		return;
	case TRACE_POSTED:
		replay_items_receive(source, item);
		return;
	case TRACE_RECEIVED:
	case TRACE_DONE:
		end_request(source, item, site);
		return;
	default:
		return;
	}
}

size_t replay_items_take(struct replay_source *source,
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
