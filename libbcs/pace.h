/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_PACE_H
#define BCS_PACE_H

#include <stdatomic.h>
#include <stdint.h>

/*
 * Which of two ways to do a thing is the faster here and now: the one that took
 * less lately, and now and then the other, for that may have changed.  Several
 * processes may share one.  It is zero at first.
 */
#define PACE_ROUND  512u /* choices, of which the first so many */
#define PACE_TRIAL  6u   /* are the other way, */
#define PACE_GLANCE 2u   /* or so many, if it takes twice as long */

struct pace {
	_Atomic uint32_t n;
	_Atomic uint32_t cost[2]; /* lately, of each; 0: not known yet */
};

/* 0 or 1. */
unsigned pace_choose(struct pace *pace);
/* So many bytes took so long that way. */
void pace_took(struct pace *pace, unsigned way, uint64_t ticks, uint64_t bytes);

#endif
