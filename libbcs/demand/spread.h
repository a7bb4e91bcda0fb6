/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_SPREAD_H
#define BCS_SPREAD_H

/*
 * Two processes may start on one core although there is a core for each.  If
 * they wait for each other, they stay there for 10 to 300 ms.  They yield, and
 * the kernel moves no thread that ran within the last half millisecond.  A
 * small message then takes 25 us instead of 0.1.  So the later of the two moves
 * to an idle core.  Its affinity mask stays as it was.
 */
#include <stdbool.h>

struct engine;

/* Shows on which core the process is, before it waits. */
void spread_start(struct engine *engine);

/*
 * Calls sched_yield() for a thread that waits, where there is a core for each
 * process.  With `looks` it may move first, for which it compares the cores of
 * all processes of the node.
 */
void spread_yield(struct engine *engine, bool looks);

#endif
