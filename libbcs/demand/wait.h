/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_WAIT_H
#define BCS_WAIT_H

/*
 * How a process waits.  With a core for each process it spins on its inbox,
 * then yields for some turns, then sleeps.  With more processes than cores it
 * yields at once, unless the last sender is on another core.  That one may be
 * at work on the answer, which then comes before the core would be back.
 */
#include <stdbool.h>

struct engine;

/*
 * Call it once in a process, before anything waits or is sent.  `crowded` is
 * the same in all processes of the node.
 */
void wait_start(bool crowded);

/* Turns in vain before the core is given up. */
unsigned wait_looks(struct engine *engine);

/*
 * Call it after a test that found nothing: other processes may need the core.
 */
void wait_idle(struct engine *engine);

#endif
