/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_POOL_H
#define BCS_POOL_H

#include <stddef.h>
#include <stdint.h>

/*
 * Elements of one size in the arena, numbered from 1 and found by a hash.  They
 * never move.  Each chunk of memory is twice as large as the last.  One thread
 * at a time may add or look up; any thread may read an element that it knows to
 * exist.
 */
#define POOL_CHUNKS 24
#define POOL_FIRST  64

/* Each element begins with this. */
struct pool_link {
	uint32_t next;
	uint32_t hash;
};

struct pool {
	char *chunks[POOL_CHUNKS];
	uint32_t n;
	uint32_t size; /* of one element */
	uint32_t *heads;
	uint32_t n_heads; /* a power of two, or 0 */
};

static inline void *pool_at(const struct pool *pool, uint32_t number)
{
	const uint32_t i = number - 1 + POOL_FIRST;
	const unsigned chunk = 25 - (unsigned)__builtin_clz(i);

	return pool->chunks[chunk] +
	       (size_t)(i - (POOL_FIRST << chunk)) * pool->size;
}

/* The number of the first element that may have the hash; 0: none. */
static inline uint32_t pool_first(const struct pool *pool, uint32_t hash)
{
	return pool->n_heads ? pool->heads[hash & (pool->n_heads - 1)] : 0;
}

/* A hash of two values; all their bits affect its lowest bits. */
static inline uint32_t pool_hash(uint64_t a, uint64_t b)
{
	const uint64_t mixed = (a ^ b * 0xff51afd7ed558ccdu) *
			       0x9e3779b97f4a7c15u;

	return (uint32_t)(mixed >> 40) ^ (uint32_t)(mixed >> 20);
}

/* Adds a zeroed element, whose number is pool->n.  NULL if the arena is full.
 */
void *pool_add(struct pool *pool, uint32_t hash);

/* Removes the last element, or all; their memory is used again. */
void pool_take_back(struct pool *pool);
void pool_clear(struct pool *pool);

#endif
