/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_SIM_TRANSFER_H
#define BCS_SIM_TRANSFER_H

#include "sim/sim_machine.h"

/*
 * When something happens at the first and at the last of processes that are
 * simulated as one; those between are taken to be evenly between.
 */
struct sim_moment {
	double first;
	double last;
};

/* A message, or as many as there are processes on the side that has several. */
struct sim_transfer {
	struct sim_moment sent;  /* each sender has got to it */
	struct sim_moment taken; /* each receiver has got to it */
	uint32_t senders;
	uint32_t receivers;
	struct sim_cost cost;
	bool eager;
};

/* Of several things of `step` each, done by one from `now` on, in turn. */
struct sim_moment sim_transfer_turns(double now, double step, uint32_t n);

/*
 * When each sender and each receiver is done with it; false if it is not known
 * exactly for those between the first and the last.  An eager sender is done
 * before, by itself: *sender is not set.
 */
bool sim_transfer_end(const struct sim_transfer *transfer,
		      const struct sim_policy *policy,
		      struct sim_moment *sender, struct sim_moment *receiver);

/* When something that is ready at `ready` and takes so long is done. */
double sim_transfer_slot(const struct sim_policy *policy, double ready,
			 double seconds);

#endif
