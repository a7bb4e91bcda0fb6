/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_TUNER_H
#define BCS_TUNER_H

#include <stdatomic.h>
#include <stdint.h>

#include "libbcs/base/tuning.h"

/*
 * Chooses the faster of two ways by measuring both.  It uses the one that took
 * less time lately, and tries the other at the start of each round, because
 * that may have changed.  Each way leaves the caches as it needs them.  So an
 * operation is timed only after several by the same way.
 */

/* The cost of each way, shared by a pair of processes; zero at first. */
struct tuner {
	_Atomic uint32_t cost[2]; /* 0: not known */
};

/* One process's operations; zero at first. */
struct tuner_turns {
	_Atomic uint32_t n;
	_Atomic uint32_t same; /* in a row, by `way` */
	_Atomic uint32_t way;
};

/* An operation that is timed, if `tuner` is set. */
struct tuner_run {
	struct tuner *tuner;
	struct tuner_turns *turns;
	unsigned way;
	uint64_t since; /* ticks */
	uint64_t bytes;
};

/* The way of the next operation, 0 or 1; tuner_choose begins it as well. */
unsigned tuner_next(const struct tuner *tuner, const struct tuner_turns *turns);
unsigned tuner_choose(const struct tuner *tuner, struct tuner_turns *turns);

/* The operation ended at `now`. */
void tuner_end(struct tuner_run *run, uint64_t now);

#endif
