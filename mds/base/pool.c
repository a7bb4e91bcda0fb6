/* SPDX-License-Identifier: BSD-3-Clause */

/* Chunks of equal elements in the arena, linked by the caller's hash. */
#include <string.h>

#include "mds/base/arena.h"
#include "mds/base/pool.h"

/* Memory kept back for the cells that count calls. */
#define KEPT_BACK (64u << 10)

static void *room(size_t size)
{
	return arena_left() < size + KEPT_BACK ? NULL : arena_alloc(size);
}

static void link_in(struct pool *pool, uint32_t number)
{
	struct pool_link *link = pool_at(pool, number);
	uint32_t *head = &pool->heads[link->hash & (pool->n_heads - 1)];

	link->next = *head;
	*head = number;
}

/* If there is no room for more heads, the lists become longer. */
static void heads_grow(struct pool *pool)
{
	const uint32_t n = pool->n_heads ? 2 * pool->n_heads : POOL_FIRST;
	uint32_t *heads = room(n * sizeof(*heads));

	if (!heads)
		return;
	pool->heads = heads;
	pool->n_heads = n;
	for (uint32_t i = 1; i <= pool->n; i++)
		link_in(pool, i);
}

void *pool_add(struct pool *pool, uint32_t hash)
{
	const uint32_t i = pool->n + POOL_FIRST;
	const unsigned chunk = 25 - (unsigned)__builtin_clz(i);
	struct pool_link *link;

	if (chunk >= POOL_CHUNKS)
		return NULL;
	if (pool->n >= pool->n_heads)
		heads_grow(pool);
	if (!pool->n_heads)
		return NULL;
	if (!pool->chunks[chunk])
		pool->chunks[chunk] = room((size_t)(POOL_FIRST << chunk) *
					   pool->size);
	if (!pool->chunks[chunk])
		return NULL;
	link = memset(pool_at(pool, pool->n + 1), 0, pool->size);
	link->hash = hash;
	pool->n++;
	link_in(pool, pool->n);
	return link;
}

void pool_take_back(struct pool *pool)
{
	const struct pool_link *link = pool_at(pool, pool->n);

	pool->heads[link->hash & (pool->n_heads - 1)] = link->next;
	pool->n--;
}

void pool_clear(struct pool *pool)
{
	if (pool->n_heads)
		memset(pool->heads, 0, pool->n_heads * sizeof(*pool->heads));
	pool->n = 0;
}
