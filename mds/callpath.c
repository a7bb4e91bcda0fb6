/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Two tables.  `nodes` finds, by return address and stack pointer, the path
 * that was seen last: enough where a place is reached one way.  Where it is
 * reached in many (a wrapper of the program's own, or every call from Fortran,
 * which goes through one place of the language's library), the second return
 * address tells most of them apart: its place is the same for all, so `entries`
 * is looked up by it before anything is unwound.
 *
 * A full cache is emptied and filled anew with what is then in use.
 */
#include <string.h>

#include "mds/arena.h"
#include "mds/callpath.h"
#include "mds/callpath_trace.h"
#include "mds/clock.h"

static void cache_empty(struct callpath_cache *cache)
{
	memset(cache->nodes, 0, sizeof(cache->nodes));
	memset(cache->entries, 0, sizeof(cache->entries));
	cache->chunk = 0;
	cache->chunk_used = 0;
}

/* Memory that lasts until the cache is emptied; NULL when it is full. */
static void *cache_alloc(struct callpath_cache *cache, size_t size)
{
	void *mem;

	if (cache->chunk_used + size > CALLPATH_CHUNK) {
		cache->chunk++;
		cache->chunk_used = 0;
	}
	if (cache->chunk == CALLPATH_CHUNKS)
		return NULL;
	if (!cache->chunks[cache->chunk])
		cache->chunks[cache->chunk] = arena_alloc(CALLPATH_CHUNK);
	if (!cache->chunks[cache->chunk])
		return NULL;
	mem = cache->chunks[cache->chunk] + cache->chunk_used;
	cache->chunk_used += (size + 15) & ~(size_t)15;
	return memset(mem, 0, size);
}

/* Finds the node, and moves it to where callpath_find looks. */
static struct callpath_node *node_find(struct callpath_cache *cache,
				       uintptr_t ra, uintptr_t sp)
{
	struct callpath_node **head = &cache->nodes[callpath_hash(ra, sp)];
	struct callpath_node **link;
	struct callpath_node *node;

	for (link = head; (node = *link); link = &node->next) {
		if (node->ra != ra || node->sp != sp)
			continue;
		*link = node->next;
		node->next = *head;
		*head = node;
		return node;
	}
	return NULL;
}

/* The word that holds the second return address, on a stack not ours. */
__attribute__((no_sanitize_address)) static uintptr_t
node_second(const struct callpath_node *node)
{
	return node->last->n_words ? *node->last->words[0].at : 0;
}

static struct callpath_entry **entry_head(struct callpath_cache *cache,
					  const struct callpath_node *node,
					  uintptr_t second)
{
	return &cache->entries[callpath_hash(node->ra ^ second, node->sp)];
}

static struct callpath_entry *entry_find(struct callpath_cache *cache,
					 const struct callpath_node *node)
{
	struct callpath_entry *entry;

	entry = *entry_head(cache, node, node_second(node));
	for (; entry; entry = entry->next)
		if (entry->node == node && callpath_matches(entry))
			return entry;
	return NULL;
}

static void entry_fill(struct callpath_entry *entry,
		       const struct callpath_trace *trace)
{
	entry->n_words = trace->n - 1;
	for (unsigned i = 0; i < entry->n_words; i++) {
		entry->words[i].at = trace->at[i + 1];
		entry->words[i].is = trace->addresses[i + 1];
	}
}

/* Keeps a trace in the cache; false if there is no room. */
static bool cache_keep(struct callpath_cache *cache, struct callpath_node *node,
		       const struct callpath_trace *trace, uintptr_t sp)
{
	struct callpath_node **nodes;
	struct callpath_entry **entries;
	struct callpath_entry *entry;

	entry = cache_alloc(cache,
			    sizeof(*entry) +
				    (trace->n - 1) * sizeof(entry->words[0]));
	if (entry && !node) {
		node = cache_alloc(cache, sizeof(*node));
		nodes = &cache->nodes[callpath_hash(trace->addresses[0], sp)];
		if (node)
			*node = (struct callpath_node){ trace->addresses[0], sp,
							NULL, *nodes };
		if (node)
			*nodes = node;
	}
	if (!entry || !node)
		return false;

	entry_fill(entry, trace);
	entry->node = node;
	entry->slot.path = trace->path;
	entries = entry_head(cache, node,
			     entry->n_words ? entry->words[0].is : 0);
	entry->next = *entries;
	*entries = entry;
	node->last = entry;
	return true;
}

static struct callpath_slot *path_unknown(struct callpath_cache *cache,
					  uint32_t path)
{
	cache->unknown.path = path;
	return &cache->unknown;
}

static struct callpath_slot *path_unwind(struct callpath_cache *cache,
					 struct callpath_node *node,
					 uintptr_t ra, uintptr_t sp)
{
	struct callpath_trace trace;

	callpath_trace(&trace, ra);
	if (!trace.located)
		return path_unknown(cache, trace.path);
	if (!cache_keep(cache, node, &trace, sp)) {
		cache_empty(cache);
		return path_unknown(cache, trace.path);
	}
	return &cache->nodes[callpath_hash(ra, sp)]->last->slot;
}

struct callpath_slot *callpath_find_slow(struct callpath_cache *cache,
					 uintptr_t ra, uintptr_t sp)
{
	struct callpath_node *node = node_find(cache, ra, sp);
	struct callpath_entry *entry = node ? entry_find(cache, node) : NULL;
	struct callpath_slot *slot;
	uint64_t start;

	if (entry) {
		node->last = entry;
		return &entry->slot;
	}
	start = clock_ticks();
	slot = path_unwind(cache, node, ra, sp);
	cache->slow_ticks += clock_ticks() - start;
	return slot;
}
