/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_PAIR_H
#define BCS_PAIR_H

/*
 * Pairs of an oversubscribed node: two processes that wait for each other only,
 * in turns.  They are several times as fast on two cores as on one, where each
 * message is a switch between them.  The kernel cannot know that.  So one of
 * the two swaps places with one of another such pair on another core.  Its
 * affinity mask stays as it was.
 */
#include <stdbool.h>
#include <stdint.h>

struct engine;

/*
 * Moves the calling thread to a core, counted from 1, and leaves its mask as
 * before.  Returns false if it may not go there.
 */
bool pair_move(int32_t core);

/* Call it after a wait on an oversubscribed node, in the thread that waited. */
void pair_waited(struct engine *engine);

/* True if another thread is to take this one's place, while it waits. */
bool pair_is_asked(struct engine *engine);
void pair_swap(struct engine *engine);

/* True if the thread does little but wait for one process. */
bool pair_is_tight(void);
/* It takes long, after all. */
void pair_sleeps(void);

#endif
