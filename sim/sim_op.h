/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_SIM_OP_H
#define BCS_SIM_OP_H

#include <stdint.h>

/*
 * What a process does next, and where that comes from: an application written
 * down in Lua, or a trace.  A source is pulled: it is asked for the next
 * operation when all before it are done.
 */
enum sim_kind {
	SIM_COMPUTE,    /* `amount` instructions on `threads` threads */
	SIM_DELAY,      /* `amount` seconds */
	SIM_READ,       /* `bytes` from a disk of the network */
	SIM_WRITE,      /* likewise, to it */
	SIM_SEND,       /* `bytes` to `peer` with `tag` */
	SIM_RECV,       /* from `peer` or SIM_ANY, with `tag` or SIM_ANY */
	SIM_ISEND,      /* likewise, until SIM_WAIT of `request` */
	SIM_IRECV,      /* likewise */
	SIM_WAIT,       /* for `request`; where there is none it is done */
	SIM_COLLECTIVE, /* `collective` of `group`, `bytes` each, root `peer` */
	SIM_END,
};

enum sim_collective {
	SIM_BARRIER,
	SIM_BCAST,
	SIM_SCATTER,
	SIM_GATHER,
	SIM_ALLTOALL,
	SIM_REDUCE,
	SIM_ALLREDUCE,
	SIM_ALLGATHER,
	SIM_COLLECTIVES,
};

#define SIM_ANY (-1)

struct sim_op {
	enum sim_kind kind;
	enum sim_collective collective;
	int32_t peer;
	int32_t tag;
	uint32_t group;
	uint32_t request; /* a small number of the process's own choice */
	uint32_t threads;
	uint64_t bytes;
	double amount;
};

extern const char *const sim_kind_names[];
extern const char *const sim_collective_names[];

struct sim_source {
	void *self;
	/* 0, or what has gone wrong, -errno; then the run ends with that. */
	int (*next)(void *self, struct sim_op *op);
};

#endif
