/* SPDX-License-Identifier: BSD-3-Clause */
#include "analyzer/replay/replay_op.h"
#include "analyzer/base/mem.h"

struct sim_op *replay_op_push(struct replay_source *source, enum sim_kind kind)
{
	struct sim_op *op;

	source->queue = mem_grow(source->queue, &source->room, source->n,
				 sizeof(*source->queue));
	op = &source->queue[source->n++];
	*op = (struct sim_op){ .kind = kind };
	return op;
}

void replay_op_compute(struct replay_source *source, uint64_t ns)
{
	if (ns)
		replay_op_push(source, SIM_DELAY)->amount = (double)ns * 1e-9 /
							    source->choice
								    ->scale.cpu;
}

void replay_op_wait(struct replay_source *source, uint32_t request)
{
	replay_op_push(source, SIM_WAIT)->request = request;
	replay_requests_free(&source->requests, request);
}

bool replay_op_has_peer(struct replay_source *source,
			const struct trace_event *event)
{
	if (replay_comms_member(source->events.comms, event->comm,
				event->peer) != REPLAY_NOBODY)
		return true;
	source->as_recorded += event->peer != TRACE_NOBODY;
	return false;
}

struct sim_op *replay_op_message(struct replay_source *source,
				 enum sim_kind kind,
				 const struct trace_event *event)
{
	struct sim_op *op;

	if (!replay_op_has_peer(source, event))
		return NULL;
	op = replay_op_push(source, kind);
	op->peer = (int32_t)replay_comms_member(source->events.comms,
						event->comm, event->peer);
	op->context = event->comm;
	op->tag = event->tag;
	op->bytes = event->sent;
	return op;
}
