/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "libbcs/net_block.h"

#define LANES 4
#define ODD   UINT64_C(0x9e3779b97f4a7c15)

static uint64_t word_at(const unsigned char *at)
{
	uint64_t word;

	memcpy(&word, at, sizeof(word));
	return word;
}

/* Each byte's place counts.  Several sums, so that none waits for another. */
static uint64_t sum(const unsigned char *at, uint64_t bytes, uint64_t seed)
{
	uint64_t lanes[LANES] = { seed, ~seed, seed + ODD, seed ^ ODD };
	unsigned char last[8 * LANES] = { 0 };
	uint64_t i = 0;

	for (; i + sizeof(last) <= bytes; i += sizeof(last))
		for (int k = 0; k < LANES; k++)
			lanes[k] = lanes[k] * ODD + word_at(at + i + 8 * k);
	memcpy(last, at + i, bytes - i);
	for (int k = 0; k < LANES; k++)
		seed = seed * ODD + (lanes[k] ^ lanes[k] >> 32) +
		       word_at(last + 8 * k);
	return seed;
}

static uint64_t seal_of(const struct net_block *head, const void *bytes)
{
	const uint64_t n = head->bytes == NET_BLOCK_WRAP ? 0 : head->bytes;

	return sum(bytes, n,
		   (head->number * ODD + head->taken) * ODD + head->bytes);
}

void net_block_seal(struct net_block *block)
{
	block->seal = seal_of(block, block + 1);
}

/* It may be written meanwhile, in any order: what is judged is a copy. */
enum net_look net_block_look(const struct net_block *block, uint64_t number,
			     uint64_t room)
{
	struct net_block head;

	if (*(const volatile uint64_t *)&block->number != number)
		return NET_NOTHING;
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	memcpy(&head, block, sizeof(head));
	if (head.number != number ||
	    (head.bytes > room && head.bytes != NET_BLOCK_WRAP) ||
	    seal_of(&head, block + 1) != head.seal)
		return NET_PART;
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	return NET_WHOLE;
}
