/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef JOR_SLOW_H
#define JOR_SLOW_H

#include <stdbool.h>

/*
 * What makes two groups of processes of a machine be like two sites: a link
 * between them that is slow, and one of them that computes a part of the time.
 * Whoever waits so gives up the core to others.
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

/* Idle as long as goes with so much of it; too long a time is a debt less than
 * 0, which the next one makes up for. */
void slow_idle(const struct slow *slow, double busy, double *debt);

/* To one half of the processors that this process may use, if it has two. */
void slow_pin(int half);

#endif
