/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_SIM_OP_H
#define BCS_SIM_OP_H

#include <stdint.h>

/*
 * The operations of a process and their source.  A source is pulled: the engine
 * asks for the next operation when all earlier ones are done.  A source is an
 * application in Lua or a trace.
 */
enum sim_kind {
	SIM_COMPUTE,    /* `amount` instructions on `threads` threads */
	SIM_DELAY,      /* `amount` seconds */
	SIM_READ,       /* `bytes` from a disk of the network */
	SIM_WRITE,      /* `bytes` to a disk of the network */
	SIM_SEND,       /* `bytes` to `peer` with `tag` */
	SIM_RECV,       /* from `peer` or SIM_ANY, with `tag` or SIM_ANY */
	SIM_ISEND,      /* as SIM_SEND, until SIM_WAIT of `request` */
	SIM_IRECV,      /* as SIM_RECV, until SIM_WAIT of `request` */
	SIM_WAIT,       /* for `request`; returns at once if there is none */
	SIM_COLLECTIVE, /* `collective` of `group`, `bytes` each, root `peer` */
	SIM_ICOLLECTIVE, /* likewise, until SIM_WAIT of `request` */
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

/* A request that nobody waits for. */
#define SIM_NO_REQUEST (UINT32_MAX - 1)

/* How a sender waits for its receiver. */
enum sim_wait {
	SIM_STANDARD,    /* if the message is large */
	SIM_SYNCHRONOUS, /* always */
	SIM_BUFFERED,    /* never */
};

struct sim_op {
	enum sim_kind kind;
	enum sim_collective collective;
	int32_t peer;
	int32_t tag;
	uint32_t group;
	uint32_t request; /* a small number that the process chooses */
	uint32_t threads;
	/* Messages match within a context: their communicator. */
	uint32_t context;
	enum sim_wait wait;
	uint64_t bytes;
	double amount;
	/* Seconds that a sender is busy; 0: the machine's. */
	double busy;
};

extern const char *const sim_kind_names[];
extern const char *const sim_collective_names[];

struct sim_source {
	void *self;
	/* Sets the next operation.  Returns 0, or -errno, which ends the run.
	 */
	int (*next)(void *self, struct sim_op *op);
};

#endif
