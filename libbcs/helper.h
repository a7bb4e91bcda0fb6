/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_HELPER_H
#define BCS_HELPER_H

#include <stdbool.h>

struct board_slot;
struct engine;

/*
 * The thread that runs slices while all threads of the program compute.  It
 * sleeps until another process has something that cannot wait: a message that
 * is too large for a descriptor, or one that an inbox has no room for; by time,
 * any.  It never waits with the token.
 */

/* Returns 0 or -errno. */
int helper_start(struct engine *engine);

/* Whether the calling thread is one. */
bool helper_is_me(void);

/* Wakes the helper of a slot, if it has one and no thread is blocked there. */
void helper_wake(struct board_slot *slot);

/* Ends and joins it. */
void helper_stop(struct engine *engine);

#endif
