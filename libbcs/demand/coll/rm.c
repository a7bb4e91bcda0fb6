/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Reduce: contributions are folded in an order that follows from the ranks
 * alone (fold_order.c).  So the result has the same bits in every run.  Linear
 * and striped, a process has all contributions to its part in reach.
 */
#include <string.h>

#include "libbcs/demand/coll/coll.h"

/* The largest piece, and room for one. */
static uint64_t slot_bytes(const struct coll *coll, uint64_t vector)
{
	const uint64_t piece = coll->method.segment
				       ? copy_at_most(coll->method.segment,
						      vector)
				       : vector;

	return (piece + 63) / 64 * 64;
}

/*
 * Linear and striped: each process has the contributions of all, or of those
 * before it, to a part of the vector that is its own.
 */
static bool is_striped(const struct coll *coll)
{
	return coll->method.algorithm == COLL_STRIPED;
}

static uint64_t stripe_begin(const struct coll *coll, int rank)
{
	const uint64_t units = coll->bytes / coll->fold->unit;

	return units * (unsigned)rank / (unsigned)coll->size * coll->fold->unit;
}

static struct coll_block part_of(const struct coll *coll, int rank)
{
	uint64_t begin = 0;
	uint64_t end = coll->bytes;

	if (coll->kind == COLL_REDUCE_SCATTER)
		return coll->outs[rank];
	if (is_striped(coll)) {
		begin = stripe_begin(coll, rank);
		end = stripe_begin(coll, rank + 1);
	}
	return (struct coll_block){ coll->out + begin, end - begin, true };
}

static uint64_t largest_part(const struct coll *coll)
{
	const unsigned n = (unsigned)coll->size;

	if (coll->kind == COLL_REDUCE_SCATTER)
		return coll->outs[coll->rank].bytes;
	if (!is_striped(coll))
		return coll->bytes;
	return (coll->bytes / coll->fold->unit + n - 1) / n * coll->fold->unit;
}

/* The last rank that contributes to this process's part; -1: none. */
static int last_of(const struct coll *coll)
{
	switch (coll->kind) {
	case COLL_REDUCE:
		return is_striped(coll) || coll->rank == coll->root
			       ? coll->size - 1
			       : -1;
	case COLL_SCAN:
		return coll->rank;
	case COLL_EXSCAN:
		return coll->rank - 1;
	default:
		return coll->size - 1;
	}
}

static bool is_given(const struct coll *coll, int rank)
{
	switch (coll->kind) {
	case COLL_REDUCE:
		return is_striped(coll) || rank == coll->root;
	case COLL_SCAN:
	case COLL_EXSCAN:
		return rank > coll->rank;
	default:
		return true;
	}
}

/* For a contribution of each, and for one that must stay as it is. */
static uint64_t slots_bytes(const struct coll *coll)
{
	return slot_bytes(coll, largest_part(coll)) *
	       ((unsigned)coll->size + 1);
}

static uint64_t linear_temp(const struct coll *coll)
{
	uint64_t temp = 0;

	if (last_of(coll) >= 0)
		temp = slots_bytes(coll);
	/* A process other than the root keeps its sum behind the slots. */
	if (is_striped(coll) && coll->kind == COLL_REDUCE &&
	    coll->rank != coll->root)
		temp += largest_part(coll);
	return temp;
}

/* Where this process's part comes to lie. */
static unsigned char *result_at(const struct coll *coll)
{
	if (!is_striped(coll))
		return coll->in;
	if (coll->kind == COLL_REDUCE && coll->rank != coll->root)
		return coll->temp + slots_bytes(coll);
	return coll->in + stripe_begin(coll, coll->rank);
}

static unsigned char *slot_of(const struct coll *coll, int rank)
{
	return coll->temp +
	       slot_bytes(coll, largest_part(coll)) * (unsigned)rank;
}

/*
 * True if the other's part is received where the sum will be.  With two
 * processes and long vectors that saves a third place, which would take more of
 * the cache.
 */
static bool comes_to_result(const struct coll *coll)
{
	return coll->method.segment && coll->in != coll->out &&
	       fold_order_is_of_two(coll);
}

static bool has_piece(const struct coll *coll, struct coll_block part,
		      uint32_t piece)
{
	return piece < coll_pieces(part.bytes, coll->method.segment);
}

static void give(struct engine *engine, struct coll *coll, int rank,
		 uint32_t round)
{
	const struct coll_block part = part_of(coll, rank);
	struct coll_block piece;

	if (!is_given(coll, rank) || !has_piece(coll, part, round))
		return;
	piece = coll_piece(part.at, part.bytes, coll->method.segment, round);
	coll_send(engine, coll, rank, piece.at, piece.bytes);
}

static void get_all(struct engine *engine, struct coll *coll, uint32_t round)
{
	const struct coll_block part = part_of(coll, coll->rank);
	const int last = last_of(coll);
	struct coll_block piece;
	int rank;

	if (last < 0 || !has_piece(coll, part, round))
		return;
	piece = coll_piece(part.at, part.bytes, coll->method.segment, round);
	for (int i = 1; i < coll->size; i++) {
		rank = (coll->rank + i) % coll->size;
		if (rank <= last)
			coll_recv(engine, coll, rank,
				  comes_to_result(coll)
					  ? result_at(coll) +
						    coll->method.segment * round
					  : slot_of(coll, rank),
				  piece.bytes);
	}
	coll->work = piece.bytes * ((unsigned)last + 1);
}

static bool linear_begin(struct engine *engine, struct coll *coll,
			 uint32_t round)
{
	if (round >= coll_pieces(largest_part(coll), coll->method.segment))
		return false;
	for (int i = 1; i < coll->size; i++)
		give(engine, coll, (coll->rank + i) % coll->size, round);
	get_all(engine, coll, round);
	return true;
}

static struct fold_part contribution(const struct fold_run *run, int rank)
{
	if (rank == run->coll->rank)
		return run->own;
	if (comes_to_result(run->coll))
		return (struct fold_part){ run->at, true };
	return (struct fold_part){ slot_of(run->coll, rank), true };
}

/* The own part.  If it partly overlaps the result, it is moved away first. */
static struct fold_part own_part(const struct coll *coll, struct coll_block own,
				 const unsigned char *result)
{
	const uint64_t apart = (uintptr_t)own.at - (uintptr_t)result;
	unsigned char *room = slot_of(coll, coll->rank);

	if (apart == 0 || (apart >= own.bytes && -apart >= own.bytes))
		return (struct fold_part){ own.at, false };
	memcpy(room, own.at, own.bytes);
	return (struct fold_part){ room, true };
}

static void linear_work(struct coll *coll, uint32_t round)
{
	const struct coll_block part = part_of(coll, coll->rank);
	const uint64_t before = coll->method.segment * round;
	const struct coll_block own = coll_piece(part.at, part.bytes,
						 coll->method.segment, round);
	struct fold_run run = {
		.coll = coll,
		.part = contribution,
		.base = (uint64_t)(own.at - coll->out),
		.bytes = own.bytes,
		.at = result_at(coll) + before,
		.rooms = slot_of(coll, coll->rank),
		.spare = slot_of(coll, coll->size),
		.room_bytes = slot_bytes(coll, largest_part(coll)),
	};

	run.own = own_part(coll, own, run.at);
	fold_order_run(&run);
}

/* Everybody's part goes to all that are to have the result. */
static void spread(struct engine *engine, struct coll *coll)
{
	const bool all = coll->kind == COLL_ALLREDUCE;
	int rank;

	for (int i = 1; i < coll->size; i++) {
		rank = (coll->rank + i) % coll->size;
		if (all || rank == coll->root)
			coll_send(engine, coll, rank, result_at(coll),
				  part_of(coll, coll->rank).bytes);
	}
	for (int i = 1; i < coll->size; i++) {
		rank = (coll->rank + i) % coll->size;
		if (all || coll->rank == coll->root)
			coll_recv(engine, coll, rank,
				  coll->in + stripe_begin(coll, rank),
				  part_of(coll, rank).bytes);
	}
}

static bool striped_begin(struct engine *engine, struct coll *coll,
			  uint32_t round)
{
	const uint32_t pieces = coll_pieces(largest_part(coll),
					    coll->method.segment);

	if (round > pieces)
		return false;
	if (round == pieces)
		spread(engine, coll);
	else
		linear_begin(engine, coll, round);
	return true;
}

/*
 * Trees: a process folds its children's pieces into its own, and hands on the
 * piece before.
 */
static unsigned children(const struct coll *coll)
{
	int n = 0;

	while (coll_child(coll, n) >= 0)
		n++;
	return (unsigned)n;
}

/* A slot for each child, and two for what it hands on. */
static uint64_t tree_temp(const struct coll *coll)
{
	const unsigned n = children(coll);

	return n ? slot_bytes(coll, coll->bytes) * (n + 2) : 0;
}

static unsigned char *slot_at(const struct coll *coll, unsigned i)
{
	return coll->temp + slot_bytes(coll, coll->bytes) * i;
}

/* The sum that a process hands on for a piece. */
static struct coll_block sum_at(const struct coll *coll, uint32_t piece)
{
	const struct coll_block own = coll_piece(coll->out, coll->bytes,
						 coll->method.segment, piece);
	const unsigned n = children(coll);

	if (n == 0)
		return own;
	if (coll_keeps(coll))
		return coll_piece(coll->in, coll->bytes, coll->method.segment,
				  piece);
	return (struct coll_block){ slot_at(coll, n + piece % 2), own.bytes,
				    true };
}

static void tree_get(struct engine *engine, struct coll *coll, uint32_t round)
{
	const struct coll_block piece = sum_at(coll, round);
	const unsigned n = children(coll);

	for (unsigned i = 0; i < n; i++)
		coll_recv(engine, coll, coll_child(coll, (int)i),
			  slot_at(coll, i), piece.bytes);
	if (n && coll->fold)
		coll->work = piece.bytes * (n + 1);
}

static void tree_give(struct engine *engine, struct coll *coll, uint32_t piece)
{
	const struct coll_block sum = sum_at(coll, piece);

	coll_send(engine, coll, coll_parent(coll), sum.at, sum.bytes);
}

/* The root of an allreduce or barrier gives the result back. */
static bool back(struct engine *engine, struct coll *coll,
		 const struct coll_steps *steps, uint32_t round)
{
	return coll->kind != COLL_REDUCE && steps->begin(engine, coll, round);
}

static bool tree_begin(struct engine *engine, struct coll *coll, uint32_t round)
{
	const uint32_t pieces = coll_pieces(coll->bytes, coll->method.segment);
	const bool inner = coll_node(coll) != 0;

	if (round >= pieces + inner)
		return back(engine, coll, &bbm_tree, round - pieces - inner);
	if (round < pieces)
		tree_get(engine, coll, round);
	if (inner && round > 0)
		tree_give(engine, coll, round - 1);
	return true;
}

static void tree_work(struct coll *coll, uint32_t round)
{
	const struct coll_block own = coll_piece(coll->out, coll->bytes,
						 coll->method.segment, round);
	const struct coll_block sum = sum_at(coll, round);
	const unsigned n = children(coll);

	if (sum.at != own.at && own.bytes)
		copy_here(sum.at, own.at, own.bytes);
	/* The smallest part of a binomial tree first, as MPICH does. */
	for (unsigned i = n; i-- > 0;)
		coll_fold_run(coll, slot_at(coll, i), sum.at, own.bytes);
}

/*
 * Split-binary: two mates give each other a half of their vectors.  Each folds
 * the half that its side of the tree carries to the root.
 */
static struct coll_block half_of(const struct coll *coll, unsigned char *vector,
				 int half)
{
	const uint64_t units = coll->bytes / coll->fold->unit;
	const uint64_t first = (units - units / 2) * coll->fold->unit;

	return (struct coll_block){ vector + (half ? first : 0),
				    half ? coll->bytes - first : first, true };
}

static uint64_t half_slot(const struct coll *coll)
{
	return (half_of(coll, coll->out, 0).bytes + 63) / 64 * 64;
}

static bool is_alone(const struct coll *coll, int node)
{
	return node > 0 && coll_split_mate(node, coll->size) < 0;
}

/* A slot for each child, and one for what it hands on; or, the root's. */
static uint64_t split_temp(const struct coll *coll)
{
	unsigned alone = 0;

	for (int node = 1; coll_node(coll) == 0 && node < coll->size; node++)
		alone += is_alone(coll, node);
	return half_slot(coll) * (alone > 3 ? alone : 3);
}

static unsigned char *split_slot(const struct coll *coll, unsigned i)
{
	return coll->temp + half_slot(coll) * i;
}

/* The half that it hands on, or a piece of it; the root has both. */
static struct coll_block split_sum(const struct coll *coll, int half)
{
	const struct coll_block whole = half_of(coll, coll->in, half);

	if (coll_node(coll) == 0)
		return whole;
	return (struct coll_block){ split_slot(coll, 2), whole.bytes, true };
}

/* The root gets the second half of those that have no mate. */
static void split_swap_root(struct engine *engine, struct coll *coll)
{
	const uint64_t bytes = half_of(coll, coll->in, 1).bytes;
	unsigned n = 0;

	for (int node = 1; node < coll->size; node++)
		if (is_alone(coll, node))
			coll_recv(engine, coll, coll_rank_of(coll, node),
				  split_slot(coll, n++), bytes);
}

static void split_swap(struct engine *engine, struct coll *coll)
{
	const int node = coll_node(coll);
	const int half = coll_split_half(node);
	const int mate = coll_split_mate(node, coll->size);
	const struct coll_block theirs = half_of(coll, coll->out, !half);
	const int rank = coll_rank_of(coll, mate < 0 ? 0 : mate);

	coll_send(engine, coll, rank, theirs.at, theirs.bytes);
	if (mate >= 0)
		coll_recv(engine, coll, rank, split_slot(coll, 0),
			  half_of(coll, coll->out, half).bytes);
}

static void split_swap_work_root(struct coll *coll)
{
	const struct coll_block sum = split_sum(coll, 1);
	unsigned n = 0;

	if (coll->in != coll->out)
		copy_here(coll->in, coll->out, coll->bytes);
	for (int node = 1; node < coll->size; node++)
		if (is_alone(coll, node))
			coll_fold_run(coll, split_slot(coll, n++), sum.at,
				      sum.bytes);
}

static void split_swap_work(struct coll *coll)
{
	const int node = coll_node(coll);
	const int half = coll_split_half(node);
	const struct coll_block own = half_of(coll, coll->out, half);
	const struct coll_block sum = split_sum(coll, half);

	copy_here(sum.at, own.at, own.bytes);
	if (!is_alone(coll, node))
		coll_fold_run(coll, split_slot(coll, 0), sum.at, sum.bytes);
}

static int split_child(const struct coll *coll, unsigned i)
{
	return coll_tree_child(COLL_SPLIT_BINARY, coll_node(coll), coll->size,
			       (int)i);
}

/* The piece of a child's half, in this process's sum; false if none is left. */
static bool split_piece(const struct coll *coll, int child, uint32_t piece,
			struct coll_block *block)
{
	const struct coll_block sum = split_sum(coll, coll_split_half(child));

	if (child < 0 || piece >= coll_pieces(sum.bytes, coll->method.segment))
		return false;
	*block = coll_piece(sum.at, sum.bytes, coll->method.segment, piece);
	return true;
}

static void split_get(struct engine *engine, struct coll *coll, uint32_t piece)
{
	struct coll_block block;

	for (unsigned i = 0; i < 2; i++) {
		const int child = split_child(coll, i);

		if (child < 0 || !split_piece(coll, child, piece, &block))
			continue;
		coll_recv(engine, coll, coll_rank_of(coll, child),
			  split_slot(coll, i), block.bytes);
		coll->work += block.bytes;
	}
}

static void split_give(struct engine *engine, struct coll *coll, uint32_t piece)
{
	const int node = coll_node(coll);
	const int parent = coll_tree_parent(COLL_SPLIT_BINARY, node,
					    coll->size);
	struct coll_block block;

	if (split_piece(coll, node, piece, &block))
		coll_send(engine, coll, coll_rank_of(coll, parent), block.at,
			  block.bytes);
}

static bool split_begin(struct engine *engine, struct coll *coll,
			uint32_t round)
{
	const uint32_t pieces = coll_pieces(half_of(coll, coll->out, 0).bytes,
					    coll->method.segment);
	const bool inner = coll_node(coll) != 0;

	if (round > pieces + inner)
		return back(engine, coll, &bbm_split,
			    round - pieces - inner - 1);
	if (round == 0) {
		if (inner)
			split_swap(engine, coll);
		else
			split_swap_root(engine, coll);
		coll->work = coll->bytes;
		return true;
	}
	if (round <= pieces)
		split_get(engine, coll, round - 1);
	if (inner && round > 1)
		split_give(engine, coll, round - 2);
	return true;
}

static void split_work(struct coll *coll, uint32_t round)
{
	struct coll_block block;
	int child;

	if (round == 0 && coll_node(coll) == 0) {
		split_swap_work_root(coll);
		return;
	}
	if (round == 0) {
		split_swap_work(coll);
		return;
	}
	for (unsigned i = 0; i < 2; i++) {
		child = split_child(coll, i);
		if (child >= 0 && split_piece(coll, child, round - 1, &block))
			coll_fold_run(coll, split_slot(coll, i), block.at,
				      block.bytes);
	}
}

const struct coll_steps rm_linear = { linear_begin, linear_work, linear_temp };
const struct coll_steps rm_striped = { striped_begin, linear_work,
				       linear_temp };
const struct coll_steps rm_tree = { tree_begin, tree_work, tree_temp };
const struct coll_steps rm_split = { split_begin, split_work, split_temp };
