/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_APART_H
#define BCS_APART_H

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
bool apart_move(int32_t core);

/* After a wait in a crowd, of the thread that waited. */
void apart_waited(struct engine *engine);

/* While it waits: another has taken its place to be. */
bool apart_is_asked(struct engine *engine);
void apart_swap(struct engine *engine);

/* The thread does little but wait for one and the same. */
bool apart_is_tight(void);
/* It takes long, after all. */
void apart_sleeps(void);

#endif
