/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_SIM_MACHINE_H
#define BCS_SIM_MACHINE_H

#include <stdbool.h>

#include "sim/sim_op.h"

/* By how much a time grows with latency, and with the time of a byte. */
struct sim_path {
	double messages; /* seconds per second more of latency */
	double bytes;    /* seconds per second more of each byte */
	double moving;   /* seconds that bytes take */
};

/* The cost of a message, in seconds. */
struct sim_cost {
	double send; /* time that the sender is busy */
	double wire; /* from its start until the receiver can have it */
	/* Time that the receiver is busy, at the end of `wire` or after. */
	double receive;
	struct sim_path path; /* of `wire` */
};

/* The cost of operations.  Processes are known by their number in the engine.
 */
struct sim_machine {
	void *self;
	/* Seconds of SIM_COMPUTE, SIM_READ or SIM_WRITE, begun at `when`. Asked
	 * for in the order of time. */
	double (*local)(void *self, uint32_t process, const struct sim_op *op,
			double when);
	void (*message)(void *self, uint32_t from, uint32_t to, uint64_t bytes,
			struct sim_cost *cost);
	/* Seconds; sets `path`, or leaves it. */
	double (*collective)(void *self, uint32_t group,
			     enum sim_collective collective, uint64_t bytes,
			     struct sim_path *path);
	/* Largest message that a sender sends without a receiver, in bytes. */
	uint64_t eager;
	/* Large messages move while their receiver computes. */
	bool overlap;
	/* A process ends; told in the order of time.  May be NULL. */
	void (*end)(void *self, uint32_t process, double when);
};

/* When communication is done. */
enum sim_strobe {
	SIM_NATIVE, /* as soon as possible */
	/* In slices of `period`: operations posted before the slice begins. */
	SIM_FIXED,
	SIM_DEMAND, /* at once, by a slice that costs `slice` */
};

struct sim_policy {
	enum sim_strobe strobe;
	double period;
	double slice;
};

#endif
