/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_ARENA_H
#define BCS_ARENA_H

#include <stddef.h>
#include <stdint.h>

/*
 * The memory of the record: one mapping of a size fixed at the start, handed
 * out piece by piece and never given back. A process pays for no more than it
 * was allowed, and only for the pages that it touches.
 */

/* Sets `size` bytes aside, once.  Returns 0 or -errno. */
int arena_start(size_t size);

/*
 * `size` zeroed bytes, aligned to a cache line if they fill one, else to 16; or
 * NULL when the arena is full.  Any thread; not from a signal handler.
 */
void *arena_alloc(size_t size);

/* Bytes handed out so far, and those that are left. */
size_t arena_used(void);
size_t arena_left(void);

#endif
