/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_ARENA_H
#define BCS_ARENA_H

#include <stddef.h>
#include <stdint.h>

/*
 * The memory of the record: one mapping of fixed size, handed out piece by
 * piece and never given back.  Only pages that are touched cost memory.
 */

/* Reserves `size` bytes, once.  Returns 0 or -errno. */
int arena_start(size_t size);

/*
 * Returns `size` zeroed bytes, or NULL if the arena is full.  They are aligned
 * to a cache line if they fill one, else to 16.  For any thread, but not for a
 * signal handler.
 */
void *arena_alloc(size_t size);

/* Bytes handed out so far, and bytes left. */
size_t arena_used(void);
size_t arena_left(void);

#endif
