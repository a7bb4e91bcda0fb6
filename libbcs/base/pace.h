/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_PACE_H
#define BCS_PACE_H

#include <stdatomic.h>
#include <stdint.h>

/*
 * Which of two ways to do a thing is the faster here and now: the one that took
 * less lately, and now and then the other, for that may have changed.  Each
 * leaves caches to the other as it needs them itself, so that what counts is
 * only what follows others of its kind.
 */
#define PACE_ROUND  512u /* turns, of which the first so many */
#define PACE_TRIAL  12u  /* are the other way, */
#define PACE_GLANCE 8u   /* or so many, if it takes twice as long; */
#define PACE_WARM   6u   /* and which count after so many of their kind, */
#define PACE_EVERY  16u  /* of what goes on longer only so many */

/* What each takes, for all who do so between them; zero at first. */
struct pace {
	_Atomic uint32_t cost[2]; /* 0: not known yet */
};

/* The turns of one of them; zero at first. */
struct pace_turns {
	_Atomic uint32_t n;
	_Atomic uint32_t same; /* that it timed, one like the other: */
	_Atomic uint32_t way;
};

/* One that is timed, if there is a pace. */
struct pace_run {
	struct pace *pace;
	struct pace_turns *turns;
	unsigned way;
	uint64_t since; /* ticks */
	uint64_t bytes;
};

/* 0 or 1; which it would be, and which it is. */
unsigned pace_next(const struct pace *pace, const struct pace_turns *turns);
unsigned pace_choose(const struct pace *pace, struct pace_turns *turns);

/* It is over, and is not timed any more. */
void pace_end(struct pace_run *run, uint64_t now);

#endif
