/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_REPLAY_CALLS_H
#define BCS_REPLAY_CALLS_H

#include "mds/trace/trace_read.h"
#include "mds/trace/trace_write.h"
#include "sim/sim_op.h"

/* The part that a call has in a replay. */
enum replay_kind {
	REPLAY_UNKNOWN, /* not looked at yet */
	REPLAY_OTHER,   /* its items count; without any, its time */
	REPLAY_SEND,
	REPLAY_ISEND,
	REPLAY_RECV,
	REPLAY_IRECV,
	REPLAY_WAIT,  /* ends with its items */
	REPLAY_TEST,  /* likewise; without any, it is a poll */
	REPLAY_PROBE, /* waits for what the receive after it waits for */
	REPLAY_ALL,
	REPLAY_IALL,
	REPLAY_INIT,
	REPLAY_FINALIZE,
};

struct replay_call {
	enum replay_kind kind;
	enum sim_wait wait;             /* of sends */
	enum sim_collective collective; /* of collectives */
};

/* By their number in the trace. */
struct replay_calls {
	struct replay_call of[TRACE_CALLS_MAX];
};

const struct replay_call *replay_calls_of(struct replay_calls *calls,
					  const struct trace_reader *reader,
					  unsigned call);

/* The bytes that the simulator takes for a collective call of `size` ranks. */
uint64_t replay_calls_bytes(const struct replay_call *call,
			    const struct trace_event *event, uint32_t size,
			    bool is_root);

#endif
