/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_STROBE_ARENA_H
#define BCS_STROBE_ARENA_H

#include <stdint.h>

#include "libbcs/strobe/base/strobe_board.h"

/*
 * Blocks of shared memory.  One thread at a time takes them, anybody gives them
 * back.  They have sizes of powers of two, and are never joined: programs send
 * messages of the same sizes again and again.
 */
#define STROBE_CLASSES 25u /* 64 bytes to 1 GiB */

struct strobe_arena {
	unsigned char *memory; /* that offsets count in */
	struct strobe_returned *returned;
	uint64_t next; /* what was never taken: from here */
	uint64_t end;
	uint64_t free[STROBE_CLASSES];
};

/*
 * The offset of the block, aligned to 16; or 0 if there is no room.  So many
 * bytes that were never taken have to stay for others.
 */
uint64_t strobe_arena_get(struct strobe_arena *arena, uint64_t bytes,
			  uint64_t spare);

/* By whom it was not taken, too: to the stack of its owner. */
void strobe_arena_put(unsigned char *memory, struct strobe_returned *returned,
		      uint64_t block);

#endif
