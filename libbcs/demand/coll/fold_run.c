/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Folds the contributions that this process can reach by a tree, from its
 * leaves.  A sum replaces one of its two parts, if that part is ours.  The last
 * sum goes to the result.
 */
#include "libbcs/demand/coll/coll.h"

static void copy_now(const struct fold_run *run, unsigned char *to,
		     const unsigned char *from)
{
	if (to != from)
		copy_here(to + run->begin, from + run->begin, run->now);
}

/* A program's own operation may write to what it is given on the left. */
static const unsigned char *left_of(const struct fold_run *run,
				    struct fold_part in)
{
	if (!run->coll->fold->in_caller || in.ours)
		return in.at;
	copy_now(run, run->spare, in.at);
	return run->spare;
}

static void call(const struct fold_run *run, const unsigned char *in,
		 unsigned char *inout)
{
	const struct coll_fold *fold = run->coll->fold;

	fold->run(fold, in + run->begin, inout + run->begin, run->now);
}

/* `to` = `in` op `inout`; `to` may be one of them. */
static void fold(const struct fold_run *run, struct fold_part in,
		 struct fold_part inout, unsigned char *to)
{
	const struct coll_fold *how = run->coll->fold;
	const uint64_t at = run->begin;
	unsigned char *sum;

	if (how->run_to) {
		how->run_to(in.at + at, inout.at + at, to + at, run->now);
		return;
	}
	if (to != in.at) {
		copy_now(run, to, inout.at);
		call(run, left_of(run, in), to);
		return;
	}
	sum = inout.ours ? inout.at : run->spare;
	copy_now(run, sum, inout.at);
	call(run, in.at, sum);
	copy_now(run, to, sum);
}

/*
 * Where the sum of two goes: rooms that were taken since there were `rooms` are
 * free then, save this one's.
 */
static unsigned char *sum_at(struct fold_run *run, struct fold_part a,
			     struct fold_part b, unsigned char *want,
			     unsigned rooms)
{
	unsigned char *room = run->rooms + run->room_bytes * rooms;
	unsigned char *to = want ? want : a.ours ? a.at : b.ours ? b.at : room;

	run->n_rooms = rooms + (to == room);
	return to;
}

static struct fold_part folded(struct fold_run *run, struct fold_part in,
			       struct fold_part inout, unsigned char *want,
			       unsigned rooms)
{
	unsigned char *to = sum_at(run, inout, in, want, rooms);

	fold(run, in, inout, to);
	return (struct fold_part){ to, true };
}

static struct fold_part tree_run(struct fold_run *run,
				 const struct fold_tree *tree,
				 unsigned char *want);

static struct fold_part node_part(struct fold_run *run, int node)
{
	const struct fold_tree tree = fold_order_node(run->coll, node);

	return tree_run(run, &tree, NULL);
}

static struct fold_part leaf(struct fold_run *run, const struct fold_tree *tree,
			     int i)
{
	const struct fold_order *order = run->order;
	const int member = (i + tree->first) % tree->n;

	if (!tree->of_nodes && tree->node < 0)
		return run->part(run, member);
	if (order && tree == &order->last && order->leads && member == 0)
		return tree_run(run, &order->top, NULL);
	if (tree->of_nodes && (!order->leads || member != order->top.own))
		return run->sum ? run->sum(run, member)
				: node_part(run, member);
	return run->part(run,
			 coll_nodes_member(run->coll->nodes,
					   tree->of_nodes ? member : tree->node,
					   tree->of_nodes ? 0 : member));
}

/* A leaf, or two where there are more than a power of two. */
static struct fold_part end(struct fold_run *run, const struct fold_tree *tree,
			    int place, unsigned char *want)
{
	const int extra = fold_extra(tree);
	const unsigned rooms = run->n_rooms;
	const int odd = tree->shape == FOLD_ODD;
	struct fold_part inout;

	if (tree->shape != FOLD_ODD && tree->shape != FOLD_EVEN)
		return leaf(run, tree, place);
	if (place >= extra)
		return leaf(run, tree, place + extra);
	inout = leaf(run, tree, 2 * place + odd);
	return folded(run, leaf(run, tree, 2 * place + !odd), inout, want,
		      rooms);
}

/*
 * The owner of a block has the bits of the block's number in reverse.  So when
 * groups of 1 << bit members meet, elements whose view has the same bit lie in
 * a row of blocks.  Returns the row of an element.
 */
static uint64_t row_of(const struct fold_tree *tree, uint64_t count, int bit,
		       uint64_t element)
{
	const int blocks = fold_log2(tree->n);
	const uint64_t each = count >> blocks;
	const uint64_t more = count - (each << blocks);
	const uint64_t last = (UINT64_C(1) << blocks) - 1;
	uint64_t block;

	if (element == 0)
		return 0;
	block = tree->rest_last ? element / each : element / (each + 1);
	if (!tree->rest_last && block >= more)
		block = more + (element - more * (each + 1)) / each;
	return (block < last ? block : last) >> (blocks - 1 - bit);
}

/* Returns the element at which a row begins. */
static uint64_t row_begin(const struct fold_tree *tree, uint64_t count, int bit,
			  uint64_t row)
{
	const int blocks = fold_log2(tree->n);
	const uint64_t block = row << (blocks - 1 - bit);
	const uint64_t each = count >> blocks;
	const uint64_t more = count - (each << blocks);

	if (tree->rest_last)
		return block >> blocks ? count : block * each;
	return block * each + (block < more ? block : more);
}

/*
 * Folds two halves of a group.  `upper` is on the right where `view` has the
 * bit.
 */
static void halves_fold(struct fold_run *run, const struct fold_tree *tree,
			int bit, struct fold_part lower, struct fold_part upper,
			unsigned char *to)
{
	const struct coll_fold *how = run->coll->fold;
	const uint64_t begin = run->begin;
	const uint64_t end = begin + run->now;
	uint64_t row = row_of(tree, how->count, bit,
			      (run->base + begin) / how->unit);
	uint64_t next;

	for (; run->begin < end; run->begin = next, row++) {
		next = row_begin(tree, how->count, bit, row + 1) * how->unit -
		       run->base;
		if (next > end)
			next = end;
		run->now = next - run->begin;
		if (row & 1)
			fold(run, lower, upper, to);
		else
			fold(run, upper, lower, to);
	}
	run->begin = begin;
	run->now = end - begin;
}

/* True if the member's sum already has those of all members below it. */
static bool is_whole(const struct fold_run *run, const struct fold_tree *tree,
		     unsigned base)
{
	return run->subtrees && tree->of_nodes && base != run->from;
}

/* Folds a group of members from `base` on, by powers of two. */
static struct fold_part group(struct fold_run *run,
			      const struct fold_tree *tree, unsigned base,
			      int level, unsigned char *want)
{
	const int bit = tree->down ? fold_log2(tree->n) - level : level - 1;
	const unsigned rooms = run->n_rooms;
	struct fold_part lower;
	struct fold_part upper;
	unsigned char *to;

	if (level == 0 || is_whole(run, tree, base))
		return end(run, tree, (int)base, want);
	if (tree->shape == FOLD_BINOMIAL &&
	    (base | 1u << bit) >= (unsigned)tree->n)
		return group(run, tree, base, level - 1, want);
	lower = group(run, tree, base, level - 1, NULL);
	upper = group(run, tree, base | 1u << bit, level - 1, NULL);
	to = sum_at(run, lower, upper, want, rooms);
	if (tree->blocks)
		halves_fold(run, tree, bit, lower, upper, to);
	else if (tree->ordered || run->view >> bit & 1)
		fold(run, lower, upper, to);
	else
		fold(run, upper, lower, to);
	return (struct fold_part){ to, true };
}

static struct fold_part
by_rank(struct fold_run *run, const struct fold_tree *tree, unsigned char *want)
{
	struct fold_part sum = leaf(run, tree, tree->n - 1);

	for (int i = tree->n - 2; i >= 0; i--)
		sum = folded(run, leaf(run, tree, i), sum, i ? NULL : want, 0);
	return sum;
}

static struct fold_part chain(struct fold_run *run,
			      const struct fold_tree *tree, unsigned char *want)
{
	const int n = tree->n;
	struct fold_part sum = leaf(run, tree, tree->own);

	for (int i = 1; i < n; i++)
		sum = folded(run, leaf(run, tree, (tree->own - i + n) % n), sum,
			     i + 1 < n ? NULL : want, 0);
	return sum;
}

/* Before it come groups of members, by its number's bits. */
static struct fold_part scan(struct fold_run *run, const struct fold_tree *tree,
			     unsigned char *want)
{
	const unsigned own = (unsigned)tree->own;
	bool any = tree->shape == FOLD_SCAN;
	struct fold_part sum = { NULL, false };
	struct fold_part next;

	if (any)
		sum = leaf(run, tree, tree->own);
	for (int bit = 0; own >> bit; bit++) {
		if (!(own >> bit & 1))
			continue;
		next = group(run, tree, ((own >> bit) - 1) << bit, bit, NULL);
		sum = any ? folded(run, next, sum,
				   own >> bit == 1 ? want : NULL, 0)
			  : next;
		any = true;
	}
	return sum;
}

static struct fold_part with_view(struct fold_run *run,
				  const struct fold_tree *tree,
				  unsigned char *want)
{
	switch (tree->shape) {
	case FOLD_BY_RANK:
		return by_rank(run, tree, want);
	case FOLD_CHAIN:
		return chain(run, tree, want);
	case FOLD_SCAN:
	case FOLD_EXSCAN:
		run->view = (unsigned)tree->own;
		return scan(run, tree, want);
	case FOLD_BINOMIAL:
		run->view = 0;
		return group(run, tree, 0,
			     fold_log2(tree->n) + (fold_extra(tree) != 0),
			     want);
	default:
		run->view = fold_place(tree, tree->own);
		return group(run, tree, 0, fold_log2(tree->n), want);
	}
}

/* It may be a leaf of another. */
static struct fold_part tree_run(struct fold_run *run,
				 const struct fold_tree *tree,
				 unsigned char *want)
{
	const unsigned view = run->view;
	const struct fold_part sum = with_view(run, tree, want);

	run->view = view;
	return sum;
}

static struct fold_part order_run(struct fold_run *run)
{
	const struct fold_order *order = run->order;
	struct fold_part inout;

	if (run->tree)
		return tree_run(run, run->tree, run->at);
	if (order->leads)
		return tree_run(run, &order->last, run->at);
	if (run->coll->kind != COLL_SCAN || !order->by_node)
		return tree_run(run, &order->top, run->at);
	if (order->top.own < 0)
		return tree_run(run, &order->last, run->at);
	inout = tree_run(run, &order->last, NULL);
	return folded(run, tree_run(run, &order->top, NULL), inout, run->at, 0);
}

void fold_order_run_tree(struct fold_run *run, const struct fold_tree *tree)
{
	struct fold_part sum;

	if (run->bytes == 0)
		return;
	run->tree = tree;
	run->n_rooms = 0;
	run->begin = 0;
	run->now = run->bytes;
	sum = order_run(run);
	copy_now(run, run->at, sum.at);
}

void fold_order_run_subtree(struct fold_run *run,
			    const struct fold_order *order, unsigned from)
{
	const struct fold_tree *top = &order->top;
	struct fold_part sum;

	run->order = order;
	run->subtrees = true;
	run->from = from;
	run->view = 0;
	run->n_rooms = 0;
	run->begin = 0;
	run->now = run->bytes;
	sum = group(run, top, from, __builtin_ctz(from), run->at);
	copy_now(run, run->at, sum.at);
}

bool fold_order_is_of_two(const struct coll *coll)
{
	return coll->size == 2 && coll->fold->run_to && !coll->own_order &&
	       (coll->kind == COLL_ALLREDUCE || coll->kind == COLL_REDUCE);
}

/* Most are, and are short: without a tree. */
static void two_run(const struct fold_run *run)
{
	const struct coll *coll = run->coll;
	const unsigned char *own = run->own.at;
	const unsigned char *other = run->part(run, !coll->rank).at;
	const unsigned char *zero = coll->rank ? other : own;
	const unsigned char *one = coll->rank ? own : other;
	uint64_t zeros = fold_order_two(coll);

	zeros = zeros > run->base ? zeros - run->base : 0;
	if (zeros > run->bytes)
		zeros = run->bytes;
	if (zeros)
		coll->fold->run_to(one, zero, run->at, zeros);
	if (zeros < run->bytes)
		coll->fold->run_to(zero + zeros, one + zeros, run->at + zeros,
				   run->bytes - zeros);
}

void fold_order_run(struct fold_run *run)
{
	struct fold_order order;

	if (fold_order_is_of_two(run->coll)) {
		two_run(run);
		return;
	}
	fold_order_make(&order, run->coll);
	run->order = &order;
	fold_order_run_tree(run, NULL);
	run->order = NULL;
}

void fold_order_meet(const struct coll *coll, int bit, uint64_t base,
		     uint64_t bytes, unsigned char *mine, unsigned char *theirs)
{
	struct fold_run run = {
		.coll = coll, .base = base, .bytes = bytes, .now = bytes
	};
	struct fold_order order;
	const struct fold_tree *tree = &order.top;
	struct fold_part lower = { mine, true };
	struct fold_part upper = { theirs, true };
	unsigned place;

	if (bytes == 0)
		return;
	fold_order_make(&order, coll);
	place = fold_place(tree, tree->own);
	if (bit < 0 ? tree->own % 2 == 1 : (place >> bit & 1) == 1) {
		lower.at = theirs;
		upper.at = mine;
	}
	if (bit >= 0 && tree->blocks)
		halves_fold(&run, tree, bit, lower, upper, mine);
	else if (tree->ordered ||
		 (bit < 0 ? tree->shape == FOLD_ODD : (place >> bit & 1) == 1))
		fold(&run, lower, upper, mine);
	else
		fold(&run, upper, lower, mine);
}
