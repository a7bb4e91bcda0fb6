/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Calls that block, as they were, free or non-blocking.
 *
 * A non-blocking send ends before the next one of its place, peer and tag.  A
 * non-blocking receive is posted when the one before it has ended.  So each has
 * a buffer of its own.
 */
#include <math.h>

#include "analyzer/replay/replay_calling.h"
#include "analyzer/replay/replay_items.h"
#include "analyzer/replay/replay_op.h"

static enum replay_change change_of(const struct replay_site *site)
{
	return site ? site->change : REPLAY_AS_IT_WAS;
}

static bool is_eager(const struct replay_source *source, enum sim_wait wait,
		     uint64_t bytes)
{
	return wait == SIM_BUFFERED ||
	       (wait == SIM_STANDARD && bytes <= source->eager);
}

/* The sender's own time, which it takes from the record if it is not given. */
static double busy_of(const struct replay_source *source,
		      const struct trace_event *call)
{
	if (!isnan(source->choice->overhead))
		return 0;
	return (double)replay_op_time(call) * 1e-9 / source->choice->scale.cpu;
}

/* Ends the request that a call began, which has the same peer and tag. */
static void end_last(struct replay_source *source, uint32_t *request)
{
	if (*request != REPLAY_NONE)
		replay_op_wait(source, *request);
	*request = REPLAY_NONE;
}

static void send_async(struct replay_source *source,
		       const struct trace_event *call, enum sim_wait wait)
{
	uint32_t *request = replay_sites_request(&source->sites, call);
	struct sim_op *op;

	end_last(source, request);
	op = replay_op_message(source, SIM_ISEND, call);
	op->wait = wait;
	op->request = *request = replay_requests_new(&source->requests);
	if (is_eager(source, wait, call->sent)) {
		op->busy = busy_of(source, call);
		replay_op_compute(source, replay_op_time(call));
	}
}

void replay_calling_send(struct replay_source *source,
			 const struct trace_event *call, enum sim_wait wait,
			 const struct replay_site *site)
{
	const bool free = change_of(site) == REPLAY_FREE;
	struct sim_op *op;

	if (!replay_op_has_peer(source, call)) {
		replay_op_compute(source, replay_op_time(call));
		return;
	}
	if (change_of(site) == REPLAY_ASYNC) {
		send_async(source, call, wait);
		return;
	}
	op = replay_op_message(source, free ? SIM_ISEND : SIM_SEND, call);
	op->wait = wait;
	op->request = SIM_NO_REQUEST;
	if (is_eager(source, wait, call->sent))
		op->busy = busy_of(source, call);
}

/* Posts the next receive of the same place, peer and tag, if no other receive
 * comes before it that takes such messages. */
static void receive_ahead(struct replay_source *source,
			  const struct trace_event *call, uint32_t *request)
{
	const struct trace_event *next = replay_events_again(&source->events,
							     call);

	if (next) {
		*request = replay_requests_new(&source->requests);
		replay_op_message(source, SIM_IRECV, next)->request = *request;
	}
}

static void receive_async(struct replay_source *source,
			  const struct trace_event *call)
{
	uint32_t *request = replay_sites_request(&source->sites, call);

	if (*request == REPLAY_NONE)
		replay_op_message(source, SIM_RECV, call);
	end_last(source, request);
	receive_ahead(source, call, request);
}

void replay_calling_receive(struct replay_source *source,
			    const struct trace_event *call,
			    const struct replay_site *site)
{
	const bool free = change_of(site) == REPLAY_FREE;

	if (!replay_op_has_peer(source, call))
		replay_op_compute(source, replay_op_time(call));
	else if (change_of(site) == REPLAY_ASYNC)
		receive_async(source, call);
	else
		replay_op_message(source, free ? SIM_IRECV : SIM_RECV, call)
			->request = SIM_NO_REQUEST;
}

static struct sim_op *push_collective(struct replay_source *source,
				      const struct trace_event *event,
				      const struct replay_call *call,
				      enum sim_kind kind)
{
	const struct replay_comms *comms = source->events.comms;
	const struct replay_comm *comm = &comms->comms[event->comm];
	const uint32_t root = replay_comms_member(comms, event->comm,
						  event->peer);
	struct sim_op *op = replay_op_push(source, kind);

	op->collective = call->collective;
	op->group = event->comm + 1;
	op->peer = (int32_t)root;
	op->bytes = replay_calls_bytes(call, event, comm->size,
				       root == source->events.of.number);
	return op;
}

void replay_calling_all(struct replay_source *source,
			const struct trace_event *event,
			const struct replay_call *call,
			const struct replay_site *site)
{
	const enum replay_change change = change_of(site);
	struct sim_op *op;

	if (!replay_comms_is_whole(source->events.comms, event->comm)) {
		source->as_recorded++;
		replay_op_compute(source, replay_op_time(event));
		return;
	}
	op = push_collective(source, event, call,
			     change == REPLAY_AS_IT_WAS ? SIM_COLLECTIVE
							: SIM_ICOLLECTIVE);
	op->request = SIM_NO_REQUEST;
	if (change == REPLAY_ASYNC)
		op->request = source->pending = replay_requests_new(
			&source->requests);
}

void replay_calling_start(struct replay_source *source,
			  const struct trace_event *event,
			  const struct replay_call *call)
{
	struct sim_op *op;

	if (!replay_comms_is_whole(source->events.comms, event->comm)) {
		source->as_recorded++;
	} else {
		op = push_collective(source, event, call, SIM_ICOLLECTIVE);
		op->request = event->request ? replay_items_request(
						       source, event, false)
					     : SIM_NO_REQUEST;
	}
	replay_op_compute(source, replay_op_time(event));
}

void replay_calling_begin(struct replay_source *source)
{
	end_last(source, &source->pending);
}

void replay_calling_end(struct replay_source *source)
{
	replay_calling_begin(source);
	for (size_t i = 0; i < source->sites.keys.n; i++)
		end_last(source, &source->sites.requests[i]);
}
