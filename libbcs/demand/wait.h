/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_WAIT_H
#define BCS_WAIT_H

/*
 * How a process waits: it looks at its inbox without pause while there is a
 * core for each process; where it takes long it gives up the core for some
 * turns, and then sleeps.  Where there are more processes than cores it gives
 * its core up at once, unless who sent last has another core: that one may be
 * at work on the answer, which then comes before the core would be back.
 */
#include <stdbool.h>

struct engine;

/*
 * Once in a process, before anything waits in it or is put by it; whether it is
 * crowded is the same in all of them.
 */
void wait_start(bool crowded);

/* Turns in vain before the core is given up. */
unsigned wait_looks(struct engine *engine);

/* A test that found nothing: others may need the core. */
void wait_idle(struct engine *engine);

#endif
