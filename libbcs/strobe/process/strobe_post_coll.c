/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Posts collectives.  A process's share says where its part for each of the
 * others lies; few bytes lie behind that table.
 */
#include <errno.h>
#include <string.h>

#include "libbcs/strobe/process/strobe_process.h"

static bool reduces(const struct coll *coll)
{
	return coll->fold != NULL;
}

/* The parts of a share: one for all, or one for each rank. */
static uint32_t n_parts(const struct coll *coll)
{
	return (coll->kind == COLL_EXCHANGE && !coll->bytes) ||
			       coll->kind == COLL_REDUCE_SCATTER
		       ? (uint32_t)coll->size
		       : 1;
}

static struct coll_block block_for(const struct coll *coll, uint32_t i)
{
	if (coll->kind == COLL_EXCHANGE || coll->kind == COLL_REDUCE_SCATTER)
		return coll->outs[i];
	if (coll->kind == COLL_BCAST)
		return (struct coll_block){ coll->in, coll->bytes,
					    coll->rank == coll->root };
	return (struct coll_block){ coll->out, coll->bytes, reduces(coll) };
}

static uint64_t share_bytes(const struct coll *coll)
{
	uint64_t bytes = 0;

	for (uint32_t i = 0; i < n_parts(coll); i++)
		if (block_for(coll, i).moves)
			bytes += (block_for(coll, i).bytes + 15) & ~15ull;
	return bytes;
}

static uint64_t table_bytes(const struct coll *coll)
{
	return (sizeof(struct strobe_share) +
		n_parts(coll) * sizeof(struct strobe_part) + 15) &
	       ~15ull;
}

static struct strobe_part part_make(struct strobe_share *share,
				    struct coll_block block, uint64_t *next)
{
	struct strobe_part part = { .address = (uintptr_t)block.at };

	if (!block.moves)
		return part;
	part.bytes = block.bytes;
	if (*next && block.bytes) {
		part.inlined = *next;
		memcpy((char *)share + *next, block.at, block.bytes);
		*next += (block.bytes + 15) & ~15ull;
	}
	return part;
}

/* Few bytes lie behind the table of them. */
static uint64_t share_get(struct strobe *strobe, const struct coll *coll,
			  bool *inlined)
{
	const uint64_t table = table_bytes(coll);
	const uint64_t bytes = share_bytes(coll);
	uint64_t place = 0;

	*inlined = bytes <= STROBE_INLINE;
	if (*inlined)
		place = strobe_block_get(strobe, table + bytes,
					 STROBE_ARENA / 4);
	if (place)
		return place;
	*inlined = false;
	return strobe_block_get(strobe, table, 0);
}

static uint64_t share_make(struct strobe *strobe, const struct coll *coll,
			   bool *inlined)
{
	const uint64_t place = share_get(strobe, coll, inlined);
	struct strobe_share *share = strobe_at(strobe, place);
	uint64_t next = *inlined ? table_bytes(coll) : 0;

	if (!place)
		return 0;
	atomic_store_explicit(&share->called, 0, memory_order_relaxed);
	share->slot = strobe->me;
	share->path = coll->path;
	share->n_parts = n_parts(coll);
	for (uint32_t i = 0; i < share->n_parts; i++)
		share->parts[i] = part_make(share, block_for(coll, i), &next);
	return place;
}

/* If not, the process moves its own bytes, and at once. */
static bool needs_others(const struct coll *coll)
{
	switch (coll->kind) {
	case COLL_BARRIER:
		return coll->size > 1;
	case COLL_BCAST:
		return coll->rank != coll->root;
	case COLL_EXCHANGE:
		for (int i = 0; i < coll->size; i++)
			if (i != coll->rank && coll->ins[i].moves)
				return true;
		return false;
	case COLL_SCAN:
		return coll->rank != 0;
	default:
		return strobe_reduce_last(coll) >= 0;
	}
}

static void serve_self(struct coll *coll)
{
	if (coll->kind == COLL_EXCHANGE)
		coll_keep_own(coll);
	else if (coll->kind == COLL_SCAN && coll->in != coll->out)
		coll_copy(coll->in, coll->out, coll->bytes);
}

static void coll_begin(struct strobe *strobe, struct coll *coll)
{
	strobe_stop_here(strobe);
	coll->error = 0;
	coll->n_ops = 0;
	coll->pending = 0;
	coll->on_pages = false;
	coll->steps = NULL;
	coll_path_begin(coll);
	atomic_store_explicit(&coll->done, 0, memory_order_relaxed);
	atomic_fetch_add(&strobe->n_open, 1);
}

/* The nodes of its processes, 0 if there is one; and how many are here. */
static uint64_t nodes_of(const struct strobe *strobe, const struct coll *coll,
			 uint32_t *here)
{
	uint64_t nodes = 0;
	uint32_t peer;

	*here = (uint32_t)coll->size;
	if (strobe->options.n_nodes <= 1)
		return 0;
	*here = 0;
	for (uint32_t i = 0; i < (uint32_t)coll->size; i++) {
		peer = rank_map_at(coll->peers, i);
		nodes |= UINT64_C(1) << strobe_node(strobe, peer);
		*here += strobe_is_local(strobe, peer);
	}
	return nodes & (nodes - 1) ? nodes : 0;
}

static struct strobe_descriptor coll_descriptor(const struct strobe *strobe,
						const struct coll *coll)
{
	uint32_t here;
	const uint64_t nodes = nodes_of(strobe, coll, &here);
	struct strobe_descriptor descriptor = {
		.kind = STROBE_COLL,
		.op = (uintptr_t)coll,
		.bytes = share_bytes(coll),
		.block = coll->work,
		.key = { coll->context, 0, coll->number },
		.signature = coll->signature,
		.nodes = nodes,
		.here = here,
		.first = strobe_world(strobe, rank_map_at(coll->peers, 0)),
		.rank = coll->rank,
		.size = coll->size,
		.reduces = reduces(coll),
	};

	if (nodes)
		strobe_reduce_by_node(strobe, coll, &descriptor);
	return descriptor;
}

/* The first process of a node folds for the others. */
static bool folds_for_node(const struct coll *coll,
			   const struct strobe_descriptor *descriptor)
{
	return descriptor->sums && coll->nodes->at == 0;
}

int strobe_engine_coll_post(struct strobe *strobe, struct coll *coll)
{
	struct strobe_descriptor descriptor;
	bool inlined;

	coll_begin(strobe, coll);
	if (reduces(coll) && coll->bytes == 0) {
		strobe_coll_done(strobe, coll);
		return 0;
	}
	coll->work = share_make(strobe, coll, &inlined);
	if (!coll->work) {
		atomic_fetch_sub(&strobe->n_open, 1);
		return -ENOMEM;
	}
	descriptor = coll_descriptor(strobe, coll);
	descriptor.eager = inlined && !needs_others(coll) &&
			   !folds_for_node(coll, &descriptor);
	if (descriptor.eager)
		serve_self(coll);
	strobe_descriptor_post(
		strobe, &descriptor,
		descriptor.eager ? (uintptr_t)coll | STROBE_EAGER_COLL : 0);
	return 0;
}

void strobe_engine_coll_give_up(struct strobe *strobe, struct coll *coll,
				int culprit)
{
	struct strobe_descriptor descriptor = {
		.kind = STROBE_GIVE_UP,
		.about = (uintptr_t)coll,
		.key = { coll->context, 0, coll->number },
		.rank = culprit,
	};

	strobe_descriptor_post(strobe, &descriptor, 0);
}
