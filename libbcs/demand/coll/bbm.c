/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Broadcast and barrier: collectives that only move data.  Any process can send
 * to any other directly.  So the plain way is one round, in which nobody waits
 * for a third process.
 */
#include <errno.h>

#include "libbcs/base/tuning.h"
#include "libbcs/demand/coll/coll.h"

/*
 * Each process begins with the rank after its own, so that not all send to the
 * same one first.
 */
static int other(const struct coll *coll, int i)
{
	return (coll->rank + i) % coll->size;
}

static bool barrier_begin(struct engine *engine, struct coll *coll,
			  uint32_t round)
{
	if (round > 0)
		return false;
	for (int i = 1; i < coll->size; i++)
		coll_send(engine, coll, other(coll, i), NULL, 0);
	for (int i = 1; i < coll->size; i++)
		coll_recv(engine, coll, other(coll, i), NULL, 0);
	return true;
}

void coll_keep_own(struct coll *coll)
{
	const struct coll_block *out = &coll->outs[coll->rank];
	const struct coll_block *in = &coll->ins[coll->rank];
	const uint64_t n = out->bytes < in->bytes ? out->bytes : in->bytes;

	if (!out->moves || !in->moves)
		return;
	if (out->bytes > in->bytes)
		coll->error = -EMSGSIZE;
	if (n && in->at != out->at)
		coll_copy(in->at, out->at, n);
}

static bool others_are_large(const struct coll *coll)
{
	const struct coll_block *block;

	for (int i = 1; i < coll->size; i++) {
		block = &coll->outs[other(coll, i)];
		if (block->moves && block->bytes <= BOARD_INLINE)
			return false;
	}
	return true;
}

/*
 * True if the process copies its own block before it sends.  Large blocks
 * stream in both directions while both sides wait, so a peer should not find
 * this process copying.  If the own block is very large, the peers had better
 * read theirs meanwhile.
 */
static bool is_own_first(const struct engine *engine, const struct coll *coll)
{
	const struct coll_block *own = &coll->outs[coll->rank];

	return engine_streams(engine) && !engine->options.gateway &&
	       own->moves && own->bytes > BOARD_INLINE &&
	       own->bytes <= BBM_OWN_MOST && others_are_large(coll);
}

static void block_send(struct engine *engine, struct coll *coll, int to,
		       const struct coll_block *block)
{
	if (block->moves)
		coll_send(engine, coll, to, block->at, block->bytes);
}

static void block_recv(struct engine *engine, struct coll *coll, int from,
		       const struct coll_block *block)
{
	if (block->moves)
		coll_recv(engine, coll, from, block->at, block->bytes);
}

static bool exchange_begin(struct engine *engine, struct coll *coll,
			   uint32_t round)
{
	const bool own_first = is_own_first(engine, coll);

	if (round > 0)
		return false;
	if (own_first)
		coll_keep_own(coll);
	for (int i = 1; i < coll->size; i++)
		block_send(engine, coll, other(coll, i),
			   &coll->outs[other(coll, i)]);
	for (int i = 1; i < coll->size; i++)
		block_recv(engine, coll, other(coll, i),
			   &coll->ins[other(coll, i)]);
	if (!own_first)
		coll_keep_own(coll);
	return true;
}

/*
 * The messages are those of exchange_begin.  So processes that disagree, since
 * a program's sizes do not fit together, still come to an end.
 */
static bool pairwise_begin(struct engine *engine, struct coll *coll,
			   uint32_t round)
{
	const int to = other(coll, (int)round + 1);
	const int from = other(coll, coll->size - 1 - (int)round);

	if (round + 1 >= (uint32_t)coll->size)
		return false;
	block_send(engine, coll, to, &coll->outs[to]);
	block_recv(engine, coll, from, &coll->ins[from]);
	if (round == 0)
		coll_keep_own(coll);
	return true;
}

/*
 * Each round passes on the block that the round before brought.  All processes
 * know the size of all blocks.
 */
static bool ring_begin(struct engine *engine, struct coll *coll, uint32_t round)
{
	const int next = other(coll, 1);
	const int passed = other(coll, coll->size - (int)round);
	const int brought = other(coll, coll->size - 1 - (int)round);
	const struct coll_block *block = round ? &coll->ins[passed]
					       : &coll->outs[next];

	if (round + 1 >= (uint32_t)coll->size)
		return false;
	block_send(engine, coll, next, block);
	block_recv(engine, coll, other(coll, coll->size - 1),
		   &coll->ins[brought]);
	if (round == 0)
		coll_keep_own(coll);
	return true;
}

static void send_down(struct engine *engine, struct coll *coll, uint32_t piece)
{
	const struct coll_block block = coll_piece(coll->in, coll->bytes,
						   coll->method.segment, piece);
	int child;

	for (int i = 0; (child = coll_child(coll, i)) >= 0; i++)
		coll_send(engine, coll, child, block.at, block.bytes);
}

static void recv_from_above(struct engine *engine, struct coll *coll,
			    uint32_t piece)
{
	const struct coll_block block = coll_piece(coll->in, coll->bytes,
						   coll->method.segment, piece);

	coll_recv(engine, coll, coll_parent(coll), block.at, block.bytes);
}

/*
 * An inner process of the tree receives a piece while it passes on the one
 * before.
 */
static bool tree_begin(struct engine *engine, struct coll *coll, uint32_t round)
{
	const uint32_t pieces = coll_pieces(coll->bytes, coll->method.segment);
	const bool inner = coll_node(coll) != 0;

	if (round >= pieces + inner)
		return false;
	if (inner && round < pieces)
		recv_from_above(engine, coll, round);
	if (!inner)
		send_down(engine, coll, round);
	else if (round > 0)
		send_down(engine, coll, round - 1);
	return true;
}

/* A half of the data.  The second is never the longer one. */
static struct coll_block half_at(const struct coll *coll, int half)
{
	const uint64_t first = coll->bytes - coll->bytes / 2;

	return (struct coll_block){ coll->in + (half ? first : 0),
				    half ? coll->bytes - first : first, true };
}

static void split_send_down(struct engine *engine, struct coll *coll,
			    uint32_t piece)
{
	const int node = coll_node(coll);
	struct coll_block half;
	int child;

	for (int i = 0; i < 2; i++) {
		child = coll_tree_child(COLL_SPLIT_BINARY, node, coll->size, i);
		if (child < 0)
			continue;
		half = half_at(coll, coll_split_half(child));
		if (piece >= coll_pieces(half.bytes, coll->method.segment))
			continue;
		half = coll_piece(half.at, half.bytes, coll->method.segment,
				  piece);
		coll_send(engine, coll, coll_rank_of(coll, child), half.at,
			  half.bytes);
	}
}

static void split_recv_from_above(struct engine *engine, struct coll *coll,
				  uint32_t piece)
{
	const int node = coll_node(coll);
	struct coll_block half = half_at(coll, coll_split_half(node));

	if (piece >= coll_pieces(half.bytes, coll->method.segment))
		return;
	half = coll_piece(half.at, half.bytes, coll->method.segment, piece);
	coll_recv(engine, coll,
		  coll_rank_of(coll, coll_tree_parent(COLL_SPLIT_BINARY, node,
						      coll->size)),
		  half.at, half.bytes);
}

/* The root has the other half for those that have no mate. */
static void split_swap_root(struct engine *engine, struct coll *coll)
{
	const struct coll_block half = half_at(coll, 1);

	for (int node = 1; node < coll->size; node++)
		if (coll_split_mate(node, coll->size) < 0)
			coll_send(engine, coll, coll_rank_of(coll, node),
				  half.at, half.bytes);
}

static void split_swap(struct engine *engine, struct coll *coll)
{
	const int node = coll_node(coll);
	const int mate = coll_split_mate(node, coll->size);
	const struct coll_block mine = half_at(coll, coll_split_half(node));
	const struct coll_block theirs = half_at(coll, !coll_split_half(node));
	const int rank = coll_rank_of(coll, mate < 0 ? 0 : mate);

	if (mate >= 0)
		coll_send(engine, coll, rank, mine.at, mine.bytes);
	coll_recv(engine, coll, rank, theirs.at, theirs.bytes);
}

/* The first half is at least as long, and so has as many pieces. */
static bool split_begin(struct engine *engine, struct coll *coll,
			uint32_t round)
{
	const uint32_t pieces = coll_pieces(half_at(coll, 0).bytes,
					    coll->method.segment);
	const bool inner = coll_node(coll) != 0;

	if (round > pieces + inner)
		return false;
	if (round == pieces + inner) {
		if (inner)
			split_swap(engine, coll);
		else
			split_swap_root(engine, coll);
		return true;
	}
	if (inner && round < pieces)
		split_recv_from_above(engine, coll, round);
	if (!inner)
		split_send_down(engine, coll, round);
	else if (round > 0)
		split_send_down(engine, coll, round - 1);
	return true;
}

const struct coll_steps bbm_barrier = { .begin = barrier_begin };
const struct coll_steps bbm_exchange = { .begin = exchange_begin };
const struct coll_steps bbm_pairwise = { .begin = pairwise_begin };
const struct coll_steps bbm_ring = { .begin = ring_begin };
const struct coll_steps bbm_tree = { .begin = tree_begin };
const struct coll_steps bbm_split = { .begin = split_begin };
