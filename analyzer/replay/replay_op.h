/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_REPLAY_OP_H
#define BCS_REPLAY_OP_H

#include "analyzer/replay/replay_source.h"

/* Append operations to those of the source's current call.  An operation is
 * valid until the next one. */
struct sim_op *replay_op_push(struct replay_source *source, enum sim_kind kind);
void replay_op_compute(struct replay_source *source, uint64_t ns);
/* The number of the request is used again by later operations. */
void replay_op_wait(struct replay_source *source, uint32_t request);
/* An operation with a peer; NULL if there is none, or nobody knows who. */
struct sim_op *replay_op_message(struct replay_source *source,
				 enum sim_kind kind,
				 const struct trace_event *event);

/* Whether a call has a peer; counts those whose peer nobody knows. */
bool replay_op_has_peer(struct replay_source *source,
			const struct trace_event *event);

static inline uint64_t replay_op_time(const struct trace_event *event)
{
	return event->end - event->begin;
}

#endif
