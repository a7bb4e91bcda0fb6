/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_SIM_MACHINE_H
#define BCS_SIM_MACHINE_H

#include <stdbool.h>

#include "sim/sim_op.h"

/* What a message costs, in seconds. */
struct sim_cost {
	double send;    /* the sender is busy with it */
	double wire;    /* from its begin until the receiver can have it */
	double receive; /* the receiver is busy, at the end of that or after */
};

/*
 * What a machine takes for what processes do.  Processes are known by their
 * number in the engine.
 */
struct sim_machine {
	void *self;
	/* Of SIM_COMPUTE, SIM_READ and SIM_WRITE. */
	double (*local)(void *self, uint32_t process, const struct sim_op *op);
	void (*message)(void *self, uint32_t from, uint32_t to, uint64_t bytes,
			struct sim_cost *cost);
	double (*collective)(void *self, uint32_t group,
			     enum sim_collective collective, uint64_t bytes);
	/* Up to here a sender goes on whether or not there is a receiver. */
	uint64_t eager;
	/* Large messages go on while their receiver computes. */
	bool overlap;
};

/* When communication is done. */
enum sim_strobe {
	SIM_NATIVE, /* as soon as it can be */
	SIM_FIXED,  /* in slices of `period`: what was posted before one */
	SIM_DEMAND, /* at once, by a slice that costs `slice` */
};

struct sim_policy {
	enum sim_strobe strobe;
	double period;
	double slice;
};

#endif
