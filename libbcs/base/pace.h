/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_PACE_H
#define BCS_PACE_H

#include <stdatomic.h>
#include <stdint.h>

#include "libbcs/base/tuning.h"

/*
 * Chooses the faster of two ways by measuring both.  It uses the one that took
 * less lately, and tries the other at the start of each round, because that may
 * have changed.  A way leaves the caches as it needs them, so an operation is
 * timed only after several of the same way.
 */

/* The cost of each way, shared by a pair of processes; zero at first. */
struct pace {
	_Atomic uint32_t cost[2]; /* 0: not known */
};

/* One process's operations; zero at first. */
struct pace_turns {
	_Atomic uint32_t n;
	_Atomic uint32_t same; /* in a row, by `way` */
	_Atomic uint32_t way;
};

/* An operation that is timed, if `pace` is set. */
struct pace_run {
	struct pace *pace;
	struct pace_turns *turns;
	unsigned way;
	uint64_t since; /* ticks */
	uint64_t bytes;
};

/* The way of the next operation, 0 or 1; pace_choose begins it as well. */
unsigned pace_next(const struct pace *pace, const struct pace_turns *turns);
unsigned pace_choose(const struct pace *pace, struct pace_turns *turns);

/* The operation ended at `now`. */
void pace_end(struct pace_run *run, uint64_t now);

#endif
