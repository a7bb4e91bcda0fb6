/* SPDX-License-Identifier: BSD-3-Clause */

#include "mds/callpath/callpath_nodes.h"
#include "mds/base/clock.h"
#include "mds/callpath/callpath_shared.h"

static void node_fill(struct callpath_node *node,
		      const struct callpath_node *parent, uintptr_t ra,
		      const struct callpath_step *step)
{
	node->ra = ra;
	node->rule = step->rule;
	node->slot.path = step->path;
	node->slot.outside = step->outside;
	node->slot.level = step->outside;
	if (!parent)
		return;
	node->parent = parent->number;
	node->slot.level += parent->slot.level;
}

/* Makes a node; NULL if there is no room. */
static struct callpath_node *node_make(struct callpath_cache *cache,
				       const struct callpath_node *parent,
				       uintptr_t ra, uint32_t hash)
{
	struct callpath_node *node = pool_add(&cache->nodes, hash);
	struct callpath_step step = { 0 };

	if (!node)
		return NULL;
	if (parent) {
		step.path = parent->slot.path;
		step.outside = parent->slot.outside;
	}
	if (!callpath_go_on(&step, ra)) {
		pool_take_back(&cache->nodes);
		return NULL;
	}
	node->number = cache->nodes.n;
	node_fill(node, parent, ra, &step);
	return node;
}

struct callpath_node *callpath_node_find(struct callpath_cache *cache,
					 const struct callpath_node *parent,
					 uintptr_t ra)
{
	const uint32_t number = parent ? parent->number : 0;
	const uint32_t hash = pool_hash(ra, number);
	struct callpath_node *node;
	uint64_t start;

	for (uint32_t i = pool_first(&cache->nodes, hash); i;
	     i = node->link.next) {
		node = pool_at(&cache->nodes, i);
		if (node->ra == ra && node->parent == number)
			return node;
	}
	start = clock_ticks();
	node = node_make(cache, parent, ra, hash);
	cache->slow_ticks += clock_ticks() - start;
	return node;
}

void callpath_node_use(struct callpath_node *node)
{
	if (!node->slot.path)
		node->slot.path = callpath_inside(node->ra);
	if (node->slot.cut)
		callpath_cut(node->slot.path);
	node->slot.used = true;
}

/* A node that is not used yet has no path: callpath_node_use() marks it. */
void callpath_node_cut(struct callpath_cache *cache, struct callpath_node *node)
{
	cache->cut++;
	if (node->slot.used && !node->slot.cut)
		callpath_cut(node->slot.path);
	node->slot.cut = true;
}
