/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_SPREAD_H
#define BCS_SPREAD_H

/*
 * With a core for each process, two that begin on one core and wait for each
 * other may stay there for 10 to 300 ms: they yield, and the kernel moves no
 * thread that ran within the last half a millisecond.  A small message takes 25
 * us then, not 0.1.  So the later of the two moves to an idle core.  Its mask
 * stays as it was.
 */
#include <stdbool.h>

struct engine;

/* Before the process waits: shows where it is. */
void spread_start(struct engine *engine);

/*
 * sched_yield() for a thread that waits; only where there is a core for each
 * process.  With `looks` it may move before, which compares the places of all
 * processes of the node.
 */
void spread_yield(struct engine *engine, bool looks);

#endif
