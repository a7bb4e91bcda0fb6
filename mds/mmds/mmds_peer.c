/* SPDX-License-Identifier: BSD-3-Clause */

/* The hash table of the peers of a call path, in the arena of its thread. */
#include "mds/base/arena.h"
#include "mds/mmds/mmds.h"
#include "mds/settings/settings.h"

#define TABLE_FIRST 32

static struct mmds_peer *place(struct mmds_peer *table, uint32_t size,
			       uint64_t key)
{
	uint32_t i = (uint32_t)((key * 0x9e3779b97f4a7c15u) >> 32) & (size - 1);

	while (table[i].key && table[i].key != key)
		i = (i + 1) & (size - 1);
	return &table[i];
}

static bool table_grow(struct mmds_thread *thread)
{
	const uint32_t old_size = thread->peers_size;
	const uint32_t size = old_size ? 2 * old_size : TABLE_FIRST;
	struct mmds_peer *table = arena_alloc(size * sizeof(*table));

	if (!table)
		return false;
	for (uint32_t i = 0; i < old_size; i++)
		if (thread->peers[i].key)
			*place(table, size,
			       thread->peers[i].key) = thread->peers[i];
	thread->peers = table;
	thread->peers_size = size;
	thread->last_peer = NULL;
	return true;
}

struct mmds_peer *mmds_peer_find_slow(struct mmds_thread *thread, uint64_t key)
{
	struct mmds_peer *peer;

	if (!thread->peers_size)
		return NULL;
	peer = place(thread->peers, thread->peers_size, key);
	if (!peer->key)
		return NULL;
	thread->last_peer = peer;
	return peer;
}

struct mmds_peer *mmds_peer_add(struct mmds_thread *thread, uint32_t comm,
				uint32_t rank, uint32_t world_rank)
{
	const uint64_t key = mmds_peer_key(comm, rank);
	struct mmds_peer *peer;

	if (2 * (thread->n_peers + 1) > thread->peers_size &&
	    !table_grow(thread) && thread->n_peers + 1 >= thread->peers_size)
		return NULL;
	peer = place(thread->peers, thread->peers_size, key);
	peer->world_rank = world_rank;
	peer->key = key;
	thread->n_peers++;
	return peer;
}
