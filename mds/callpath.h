/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_CALLPATH_H
#define BCS_CALLPATH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Call paths without unwinding each time.  When a path is unwound, the cache
 * keeps where on the stack each of its return addresses lay.  A later call that
 * returns to the same place from the same stack pointer took the same path if
 * those words still hold the same addresses: a handful of loads.
 *
 * A cache belongs to one thread.  Paths have numbers from 1 on that are the
 * same in all threads of the process; 0 is the unknown path.
 */
struct mmds_cell;

/* What the owner of the cache keeps with a path: the cell last used from it. */
struct callpath_slot {
	uint64_t key;
	struct mmds_cell *cell;
	uint32_t path;
};

struct callpath_word {
	const uintptr_t *at;
	uintptr_t is;
};

struct callpath_entry {
	struct callpath_slot slot;
	struct callpath_entry *next;
	const struct callpath_node *node;
	unsigned n_words;
	struct callpath_word words[];
};

/* All paths that share the innermost return address and the stack pointer. */
struct callpath_node {
	uintptr_t ra;
	uintptr_t sp;
	struct callpath_entry *last; /* that was found */
	struct callpath_node *next;
};

#define CALLPATH_HEADS  256
#define CALLPATH_CHUNK  4096
#define CALLPATH_CHUNKS 32

struct callpath_cache {
	struct callpath_node *nodes[CALLPATH_HEADS];
	struct callpath_entry *entries[CALLPATH_HEADS];
	struct callpath_slot unknown;
	uint64_t slow_ticks; /* spent in unwinding */
	char *chunks[CALLPATH_CHUNKS];
	unsigned chunk; /* in use, and how far */
	size_t chunk_used;
};

static inline unsigned callpath_hash(uintptr_t a, uintptr_t b)
{
	const uint64_t mixed = (a ^ (b << 7) ^ (b >> 13)) * 0x9e3779b97f4a7c15u;

	return (unsigned)(mixed >> 56);
}

/* Reads return addresses of frames that are not ours. */
__attribute__((no_sanitize_address)) static inline bool
callpath_matches(const struct callpath_entry *entry)
{
	for (unsigned i = 0; i < entry->n_words; i++)
		if (*entry->words[i].at != entry->words[i].is)
			return false;
	return true;
}

/* The long way: other callers of the same place, then unwinding. */
struct callpath_slot *callpath_find_slow(struct callpath_cache *cache,
					 uintptr_t ra, uintptr_t sp);

/*
 * The slot of the path that leads to return address `ra` and frame address `sp`
 * of one of the calling functions.  Never NULL.
 */
static inline struct callpath_slot *callpath_find(struct callpath_cache *cache,
						  uintptr_t ra, uintptr_t sp)
{
	struct callpath_node *node = cache->nodes[callpath_hash(ra, sp)];

	if (__builtin_expect(node && node->ra == ra && node->sp == sp &&
				     callpath_matches(node->last),
			     1))
		return &node->last->slot;
	return callpath_find_slow(cache, ra, sp);
}

#endif
