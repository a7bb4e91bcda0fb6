/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Reductions and barriers in two levels, a piece after the other.  On each
 * node, the head folds the contributions.  If they are long, each process folds
 * a stripe, and the head collects the stripes.  Then the heads fold their sums.
 * In an allreduce, two heads exchange sums at each step, each of twice as many
 * nodes as before, and hand out the result.  In a reduction to one, one of the
 * two is done after a step.  If the heads are not a power of two, some of the
 * first ones join in pairs.  One of a pair gives its sum to the other, and gets
 * the result from it.  This is MPICH's order (fold_order.h), too.
 *
 * With COLL_DOUBLING each process is a head.
 */
#include "libbcs/base/tuning.h"
#include "libbcs/demand/coll/coll.h"

/* The rounds of a piece; STEP_SWAP and so many more are exchanges of heads. */
enum step {
	STEP_FOLD,
	STEP_COLLECT,
	STEP_RESULT, /* the last of who is no head, */
	STEP_LEND = STEP_RESULT,
	STEP_SWAP,
};

struct stage {
	uint32_t step;
	struct coll_block own; /* what this process contributes to the piece */
	unsigned char *sum;
};

static bool is_flat(const struct coll *coll)
{
	return coll->method.algorithm == COLL_DOUBLING;
}

static int n_heads(const struct coll *coll)
{
	return is_flat(coll) ? coll->size : (int)coll->nodes->n;
}

static int place_of(const struct coll *coll)
{
	return is_flat(coll) ? coll->rank : coll_nodes_place(coll);
}

static bool is_head(const struct coll *coll)
{
	return is_flat(coll) || coll_nodes_head(coll) == coll->rank;
}

static unsigned others_here(const struct coll *coll)
{
	return is_flat(coll) ? 0 : coll->nodes->here.n - 1;
}

static bool is_striped(const struct coll *coll)
{
	return others_here(coll) >= RM_STRIPED_OTHERS &&
	       coll->bytes >= RM_STRIPED_LEAST;
}

/* Exchanges, each with a head that is twice as far. */
static uint32_t swaps(const struct coll *coll)
{
	return (uint32_t)fold_log2(n_heads(coll));
}

/* So many of the first heads are in pairs. */
static int paired(const struct coll *coll)
{
	return 2 * (n_heads(coll) - (1 << swaps(coll)));
}

/* The root's place; in an allreduce all are as the first. */
static int root_place(const struct coll *coll)
{
	return is_flat(coll) && coll->kind == COLL_REDUCE ? coll->root : 0;
}

/*
 * One head of a pair goes on: the second, as in MPICH.  In a reduction to one
 * it is the first, or the root.
 */
static int second_goes_on(const struct coll *coll, int pair)
{
	const int root = root_place(coll);

	if (coll->kind != COLL_REDUCE)
		return 1;
	return root < paired(coll) && root / 2 == pair ? root % 2 : 0;
}

static bool is_over(const struct coll *coll)
{
	const int place = place_of(coll);

	return place < paired(coll) &&
	       place % 2 != second_goes_on(coll, place / 2);
}

/* Places among those that go on; and back. */
static int going(const struct coll *coll, int place)
{
	return place < paired(coll) ? place / 2 : place - paired(coll) / 2;
}

static int place_at(const struct coll *coll, int going)
{
	return going < paired(coll) / 2
		       ? 2 * going + second_goes_on(coll, going)
		       : going + paired(coll) / 2;
}

/* Bits in which it is not as the root. */
static int from_root(const struct coll *coll)
{
	return going(coll, place_of(coll)) ^ going(coll, root_place(coll));
}

/* It only gives what it has. */
static bool is_leaf(const struct coll *coll)
{
	return is_flat(coll) && coll->kind == COLL_REDUCE &&
	       (is_over(coll) ||
		(place_of(coll) >= paired(coll) && from_root(coll) & 1));
}

static uint32_t step_return(const struct coll *coll)
{
	return STEP_SWAP + swaps(coll);
}

static uint64_t room(uint64_t bytes)
{
	return (bytes + 63) / 64 * 64;
}

static uint64_t piece_bytes(const struct coll *coll)
{
	return room(coll_piece(coll->out, coll->bytes, coll->method.segment, 0)
			    .bytes);
}

/* Where it begins in a piece of so many bytes. */
static uint64_t stripe_begin(const struct coll *coll, uint64_t bytes,
			     uint32_t i)
{
	const uint64_t units = bytes / coll->fold->unit;

	return units * i / coll->nodes->here.n * coll->fold->unit;
}

static struct coll_block stripe(const struct coll *coll, unsigned char *at,
				uint64_t bytes, uint32_t i)
{
	const uint64_t begin = stripe_begin(coll, bytes, i);

	return (struct coll_block){ at + begin,
				    stripe_begin(coll, bytes, i + 1) - begin,
				    true };
}

/* Room for one contribution: a whole piece, or a stripe of it. */
static uint64_t slot_bytes(const struct coll *coll)
{
	uint64_t n;

	if (!is_striped(coll))
		return piece_bytes(coll);
	n = coll->nodes->here.n;
	return room((piece_bytes(coll) + n - 1) / n + coll->fold->unit);
}

/*
 * Where the slots begin.  A process that does not keep the result has its sum
 * before them.
 */
static uint64_t slots_begin(const struct coll *coll)
{
	return coll_keeps(coll) ? 0 : piece_bytes(coll);
}

static unsigned char *slot(const struct coll *coll, unsigned i)
{
	return coll->temp + slots_begin(coll) + slot_bytes(coll) * i;
}

/* For each contribution, and two that are folded elsewhere; and then for
 * another head's sum. */
static uint64_t temp_bytes(const struct coll *coll)
{
	const uint64_t slots = slot_bytes(coll) * (others_here(coll) + 2);

	if (!is_head(coll) && !is_striped(coll))
		return 0;
	return slots_begin(coll) +
	       (slots > piece_bytes(coll) ? slots : piece_bytes(coll));
}

static uint32_t steps(const struct coll *coll)
{
	return is_head(coll) ? step_return(coll) + 2 : STEP_RESULT + 1;
}

static struct stage stage_of(const struct coll *coll, uint32_t round)
{
	const uint64_t segment = coll->method.segment;
	const uint32_t piece = round / steps(coll);
	const struct coll_block own = coll_piece(coll->out, coll->bytes,
						 segment, piece);

	return (struct stage){
		.step = round % steps(coll),
		.own = own,
		.sum = coll_keeps(coll) ? coll->in + segment * piece
		       : is_leaf(coll)  ? own.at
					: coll->temp,
	};
}

static void fold_later(struct coll *coll, uint64_t bytes)
{
	if (coll->fold)
		coll->work = bytes;
}

/* Another's place among those of the node. */
static uint32_t place_here(const struct coll *coll, unsigned other)
{
	return other < coll->nodes->at ? other : other + 1;
}

static void exchange_stripes(struct engine *engine, struct coll *coll,
			     const struct stage *s)
{
	const struct coll_block mine = stripe(coll, s->sum, s->own.bytes,
					      coll->nodes->at);
	struct coll_block block;

	for (unsigned i = 0; i < others_here(coll); i++) {
		block = stripe(coll, s->own.at, s->own.bytes,
			       place_here(coll, i));
		coll_send(engine, coll, coll_nodes_other(coll, i), block.at,
			  block.bytes);
	}
	for (unsigned i = 0; i < others_here(coll); i++)
		coll_recv(engine, coll, coll_nodes_other(coll, i),
			  slot(coll, i), mine.bytes);
	fold_later(coll, mine.bytes * coll->nodes->here.n);
}

static void collect(struct engine *engine, struct coll *coll,
		    const struct stage *s)
{
	struct coll_block block = stripe(coll, s->sum, s->own.bytes,
					 coll->nodes->at);

	if (!is_head(coll)) {
		coll_send(engine, coll, coll_nodes_head(coll), block.at,
			  block.bytes);
		return;
	}
	for (unsigned i = 0; i < others_here(coll); i++) {
		block = stripe(coll, s->sum, s->own.bytes, place_here(coll, i));
		coll_recv(engine, coll, coll_nodes_other(coll, i), block.at,
			  block.bytes);
	}
}

static void gather(struct engine *engine, struct coll *coll,
		   const struct stage *s)
{
	if (!is_head(coll)) {
		coll_send(engine, coll, coll_nodes_head(coll), s->own.at,
			  s->own.bytes);
		return;
	}
	for (unsigned i = 0; i < others_here(coll); i++)
		coll_recv(engine, coll, coll_nodes_other(coll, i),
			  slot(coll, i), s->own.bytes);
	fold_later(coll, s->own.bytes * (others_here(coll) + 1));
}

static void spread(struct engine *engine, struct coll *coll,
		   const struct stage *s)
{
	for (unsigned i = 0; i < others_here(coll); i++)
		coll_send(engine, coll, coll_nodes_other(coll, i), s->sum,
			  s->own.bytes);
}

/* The head, by its place, with which one exchanges; -1: with none. */
static int partner(const struct coll *coll, uint32_t step)
{
	int bit;

	if (step < STEP_SWAP || step >= step_return(coll))
		return place_of(coll) < paired(coll) ? place_of(coll) ^ 1 : -1;
	bit = 1 << (step - STEP_SWAP);
	if (is_over(coll) ||
	    (coll->kind == COLL_REDUCE && from_root(coll) & (bit - 1)))
		return -1;
	return place_at(coll, going(coll, place_of(coll)) ^ bit);
}

static int head_at(const struct coll *coll, int place)
{
	return is_flat(coll) ? place : coll_nodes_head_at(coll, place);
}

/*
 * True if this head gives its sum in that step.  In a reduction to one, that is
 * the head further from the root.
 */
static bool gives(const struct coll *coll, uint32_t step)
{
	if (step == STEP_LEND)
		return is_over(coll);
	return coll->kind != COLL_REDUCE ||
	       from_root(coll) >> (step - STEP_SWAP) & 1;
}

static bool takes(const struct coll *coll, uint32_t step)
{
	return !gives(coll, step) ||
	       (step != STEP_LEND && coll->kind != COLL_REDUCE);
}

static void swap(struct engine *engine, struct coll *coll,
		 const struct stage *s, int other)
{
	const int with = head_at(coll, other);

	if (gives(coll, s->step))
		coll_send(engine, coll, with, s->sum, s->own.bytes);
	if (takes(coll, s->step)) {
		coll_recv(engine, coll, with, slot(coll, 0), s->own.bytes);
		fold_later(coll, s->own.bytes);
	}
}

static void give_back(struct engine *engine, struct coll *coll,
		      const struct stage *s, int other)
{
	const int with = head_at(coll, other);

	if (is_over(coll))
		coll_recv(engine, coll, with, s->sum, s->own.bytes);
	else
		coll_send(engine, coll, with, s->sum, s->own.bytes);
}

static void head_begin(struct engine *engine, struct coll *coll,
		       const struct stage *s)
{
	const uint32_t last = step_return(coll);
	const int other = partner(coll, s->step);

	if (s->step < last && other >= 0)
		swap(engine, coll, s, other);
	else if (s->step == last && other >= 0 && coll->kind != COLL_REDUCE)
		give_back(engine, coll, s, other);
	else if (s->step > last && coll->kind != COLL_REDUCE)
		spread(engine, coll, s);
}

static bool begin(struct engine *engine, struct coll *coll, uint32_t round)
{
	const struct stage s = stage_of(coll, round);

	if (round >=
	    steps(coll) * coll_pieces(coll->bytes, coll->method.segment))
		return false;
	if (s.step == STEP_FOLD && is_striped(coll))
		exchange_stripes(engine, coll, &s);
	else if (s.step == STEP_FOLD)
		gather(engine, coll, &s);
	else if (s.step == STEP_COLLECT && is_striped(coll))
		collect(engine, coll, &s);
	else if (s.step > STEP_COLLECT && is_head(coll))
		head_begin(engine, coll, &s);
	else if (s.step == STEP_RESULT && coll->kind != COLL_REDUCE)
		coll_recv(engine, coll, coll_nodes_head(coll), s.sum,
			  s.own.bytes);
	return true;
}

static struct fold_part contribution(const struct fold_run *run, int rank)
{
	const struct coll *coll = run->coll;
	unsigned i = 0;

	if (rank == coll->rank)
		return run->own;
	while (coll_nodes_other(coll, i) != rank)
		i++;
	return (struct fold_part){ slot(coll, i), true };
}

/* Folds the contributions to this process's stripe, or to all of the piece. */
static void fold_here(struct coll *coll, const struct stage *s)
{
	const unsigned n = others_here(coll);
	const int node = coll->nodes->n
				 ? coll_nodes_node(coll->nodes, coll->rank)
				 : 0;
	const struct fold_tree tree = fold_order_node(coll, node);
	struct coll_block own = s->own;
	struct fold_run run;

	if (is_striped(coll))
		own = stripe(coll, s->own.at, s->own.bytes, coll->nodes->at);
	run = (struct fold_run){
		.coll = coll,
		.part = contribution,
		.own = { own.at, false },
		.base = (uint64_t)(own.at - coll->out),
		.bytes = own.bytes,
		.at = s->sum + (own.at - s->own.at),
		.rooms = slot(coll, n),
		.spare = slot(coll, n + 1),
		.room_bytes = slot_bytes(coll),
	};
	fold_order_run_tree(&run, &tree);
}

static void sum_begin(const struct stage *s)
{
	if (s->sum != s->own.at)
		copy_here(s->sum, s->own.at, s->own.bytes);
}

/* Both of an exchange do the same, so that they have the same bits. */
static void work(struct coll *coll, uint32_t round)
{
	const struct stage s = stage_of(coll, round);

	if (s.step == STEP_FOLD && is_flat(coll))
		sum_begin(&s);
	else if (s.step == STEP_FOLD)
		fold_here(coll, &s);
	else
		fold_order_meet(coll,
				s.step == STEP_LEND ? -1
						    : (int)(s.step - STEP_SWAP),
				(uint64_t)(s.own.at - coll->out), s.own.bytes,
				s.sum, slot(coll, 0));
}

const struct coll_steps rm_nodes = { begin, work, temp_bytes };
