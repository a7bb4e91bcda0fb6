/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_PAIR_H
#define BCS_PAIR_H

/*
 * Where processes outnumber cores, two that wait for each other only, by turns
 * and for little else, are several times as fast on two cores as on one, where
 * each message is a switch between them.  The kernel cannot know: one of the
 * two swaps places with one of another such pair on another core.  What cores
 * it may use stays as it was.
 */
#include <stdbool.h>
#include <stdint.h>

struct engine;

/*
 * The calling thread goes onto that core, from 1, and may leave it again: its
 * mask is as before.  False if it may not go there.
 */
bool pair_move(int32_t core);

/* After a wait in a crowd, of the thread that waited. */
void pair_waited(struct engine *engine);

/* While it waits: another has taken its place to be. */
bool pair_is_asked(struct engine *engine);
void pair_swap(struct engine *engine);

/* The thread does little but wait for one and the same. */
bool pair_is_tight(void);
/* It takes long, after all. */
void pair_sleeps(void);

#endif
