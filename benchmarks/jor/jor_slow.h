/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef JOR_SLOW_H
#define JOR_SLOW_H

#include <stdbool.h>

/*
 * Makes two groups of processes of a machine behave like two sites.  The link
 * between the groups is slow, and one group computes only a part of the time. A
 * process that is held back gives up its core.
 */
struct slow {
	double delay;     /* seconds of a message between the groups */
	double bandwidth; /* bytes a second; 0: no limit */
	double duty;      /* the share of time that this process computes */
};

/* By a clock that all processes of a machine have. */
double slow_now(void);

/* Until a message that was sent then may be looked at. */
void slow_hold(const struct slow *slow, double sent, int bytes);

/* Processor time of this thread. */
double slow_busy(void);

/*
 * Idles as long as belongs to so much busy time.  An idle time that was too
 * long is a debt below 0, which the next one makes up for.
 */
void slow_idle(const struct slow *slow, double busy, double *debt);

/* To one half of the processors that this process may use, if it has two. */
void slow_pin(int half);

#endif
