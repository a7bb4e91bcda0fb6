/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_HELPER_H
#define BCS_HELPER_H

#include <stdbool.h>
#include <stdint.h>

struct engine;

/*
 * The thread that runs slices while all threads of the program compute.  It
 * sleeps until another process has something that cannot wait: a message that
 * is too large for a descriptor, or one that an inbox has no room for.  It
 * never waits with the token.
 *
 * Where each process has a core, it takes that from nobody who
 * computes: it runs where a core is idle, when the kernel's turn comes to it
 * (in some milliseconds), or on the core that a process lends which waits.
 */

/* Returns 0 or -errno. */
int helper_start(struct engine *engine);

/* Whether the calling thread is one. */
bool helper_is_me(void);

/*
 * For a thread that waits for others and gives up its core: the helpers among
 * theirs that were woken and found none run on this one.
 */
void helper_lend(struct engine *engine);

/* Ends and joins it. */
void helper_stop(struct engine *engine);

#endif
