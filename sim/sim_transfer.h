/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_SIM_TRANSFER_H
#define BCS_SIM_TRANSFER_H

#include "sim/sim_machine.h"

/*
 * A time of the first and the last of several processes that are simulated as
 * one.  The times of those between are assumed to be evenly spaced.
 */
struct sim_moment {
	double first;
	double last;
	/* All that the last one had to wait for. */
	struct sim_path path;
};

static inline double sim_moment_mean(struct sim_moment moment)
{
	return (moment.first + moment.last) / 2;
}

/* The later one, of the first and of the last. */
struct sim_moment sim_moment_later(struct sim_moment a, struct sim_moment b);
/* Both are so many seconds later, by themselves or by `path`. */
struct sim_moment sim_moment_after(struct sim_moment moment, double seconds,
				   const struct sim_path *path);

/* A message; or several, one for each process on the side of many. */
struct sim_transfer {
	struct sim_moment sent;  /* time when each sender reaches it */
	struct sim_moment taken; /* time when each receiver reaches it */
	uint32_t senders;
	uint32_t receivers;
	struct sim_cost cost;
	bool eager;
};

/* The starts of `n` things of `step` each, which one process does in turn from
 * `now` on. */
struct sim_moment sim_transfer_turns(double now, double step, uint32_t n);

/*
 * Computes when each sender and each receiver is done.  Returns false if that
 * is not exact for those between the first and the last.  An eager sender is
 * done earlier, so *sender is not set then.
 */
bool sim_transfer_end(const struct sim_transfer *transfer,
		      const struct sim_policy *policy,
		      struct sim_moment *sender, struct sim_moment *receiver);

/* When a transfer of `seconds` that is ready at `ready` is done. */
double sim_transfer_slot(const struct sim_policy *policy, double ready,
			 double seconds);

#endif
