/* SPDX-License-Identifier: BSD-3-Clause */

/* The shared memory: how much there is, and blocks of a process's own arena. */
#include <sched.h>

#include "libbcs/strobe/base/strobe_state.h"

/* One arena more is the leader's. */
uint64_t strobe_memory_bytes(uint32_t n)
{
	return strobe_arenas_at(n) + n * STROBE_ARENA + STROBE_ARENA_REMOTE;
}

void strobe_posting_begin(struct strobe *strobe)
{
	while (atomic_exchange_explicit(&strobe->posting, 1,
					memory_order_acquire))
		sched_yield();
}

void strobe_posting_end(struct strobe *strobe)
{
	atomic_store_explicit(&strobe->posting, 0, memory_order_release);
}

uint64_t strobe_block_get(struct strobe *strobe, uint64_t bytes, uint64_t spare)
{
	uint64_t block;

	strobe_posting_begin(strobe);
	block = strobe_arena_get(&strobe->arena, bytes, spare);
	strobe_posting_end(strobe);
	return block;
}

void strobe_block_put(struct strobe *strobe, uint64_t block)
{
	if (block)
		strobe_arena_put(strobe->memory, &strobe->slot->returned,
				 block);
}
