/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_HELPER_H
#define BCS_HELPER_H

#include <stdbool.h>
#include <stdint.h>

struct engine;

/*
 * The thread that runs turns while all threads of the program compute.  It
 * sleeps until another process has something that cannot wait.  That is a
 * message that is too large for a descriptor, or one that an inbox has no room
 * for.  It never waits with the token.
 *
 * Where each process has a core, the helper takes none from a process that
 * computes.  It runs on an idle core, on a core that a waiting process lends,
 * or when its turn comes by the kernel, in some milliseconds.
 */

/* Returns 0 or -errno. */
int helper_start(struct engine *engine);

/*
 * Lends the core of a thread that waits for others.  Their helpers run on it if
 * they were woken and found no core.
 */
void helper_lend(struct engine *engine);

/* Ends and joins it. */
void helper_stop(struct engine *engine);

#endif
