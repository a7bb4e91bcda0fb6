/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * How a collective is done: a function of what it is, of how many and of how
 * much.  Every process of it has to come to the same answer.  What is chosen is
 * what was fastest, or nearly, by benchmarks/methods.sh.
 */
#include "libbcs/coll_tune.h"

/* Above, so many messages to everybody cost more than several rounds. */
#define LINEAR_MOST 64
/* Bytes; of several, each has a part of its own to fold. */
#define STRIPED_LEAST 8192u
/* Above, each of two folds all of it. */
#define TWO_LEAST 131072u
/* Of which a piece stays in the cache while it is folded, */
#define CACHED 131072u
/* and while a tree passes it on. */
#define PASSED_ON 65536u
/* From here on a tree pays off, for a broadcast or what only the root folds. */
#define TREE_LEAST 512
#define TREE_RANKS 3
/* Above, all fetch it from the root at once. */
#define TREE_MOST 131072u
/* Of which a piece is on its way from node to node. */
#define BETWEEN 524288u

static struct coll_method choose_reduction(const struct coll *coll)
{
	const struct coll_method linear = { COLL_LINEAR, CACHED };
	const struct coll_method striped = { COLL_STRIPED, CACHED };
	const bool is_tree = coll->size > LINEAR_MOST ||
			     (coll->kind == COLL_REDUCE && coll->fold->unit &&
			      coll->size > TREE_RANKS &&
			      coll->bytes >= TREE_LEAST);

	if (coll->fold->unit && coll->size == 2 && coll->bytes > TWO_LEAST)
		return linear;
	if (coll->fold->unit && coll->bytes > STRIPED_LEAST)
		return striped;
	if (coll->fold->commutes && is_tree)
		return (struct coll_method){ COLL_BINOMIAL, 0 };
	return (struct coll_method){ COLL_LINEAR, 0 };
}

static struct coll_method choose_bcast(const struct coll *coll)
{
	if (coll->size >= TREE_RANKS && coll->bytes >= TREE_LEAST &&
	    coll->bytes <= TREE_MOST)
		return (struct coll_method){ COLL_BINOMIAL, PASSED_ON };
	return (struct coll_method){ coll->size > LINEAR_MOST ? COLL_BINOMIAL
							      : COLL_LINEAR,
				     0 };
}

static bool spans_nodes(const struct coll *coll)
{
	return coll->nodes && coll->nodes->n != 0;
}

/*
 * In two levels, each node is sent what there is once.  Small broadcasts, and
 * reductions to one, go straight: whoever need not wait makes the next
 * meanwhile. By time each round takes a slice; but sums have to have the same
 * bits as on demand.
 */
static struct coll_method choose_nodes(const struct coll *coll, bool by_time)
{
	const struct coll_method none = { COLL_AUTO, 0 };
	const struct coll_method pieces = { COLL_NODES, BETWEEN };
	const bool few = coll->size <= LINEAR_MOST;
	const bool small = few && coll->bytes < TREE_LEAST;

	if (!spans_nodes(coll))
		return none;
	switch (coll->kind) {
	case COLL_BARRIER:
		return few && by_time ? none : pieces;
	case COLL_BCAST:
		return small || (few && by_time) ? none : pieces;
	case COLL_REDUCE:
		return small ? none : pieces;
	case COLL_ALLREDUCE:
		return pieces;
	default:
		return none;
	}
}

static struct coll_method choose(const struct coll *coll)
{
	switch (coll->kind) {
	case COLL_REDUCE:
	case COLL_ALLREDUCE:
		return choose_reduction(coll);
	case COLL_SCAN:
	case COLL_EXSCAN:
		if (coll->fold->unit)
			return (struct coll_method){ COLL_LINEAR, CACHED };
		break;
	case COLL_BARRIER: /* a reduction of nothing */
	case COLL_BCAST:
		return choose_bcast(coll);
	default:
		break;
	}
	return (struct coll_method){ COLL_LINEAR, 0 };
}

bool coll_method_fits(const struct coll *coll, struct coll_method method)
{
	if (method.algorithm == COLL_NODES && !spans_nodes(coll))
		return false;
	switch (coll->kind) {
	case COLL_BARRIER:
		return method.algorithm != COLL_STRIPED &&
		       method.algorithm != COLL_SPLIT_BINARY;
	case COLL_BCAST:
		return method.algorithm != COLL_STRIPED;
	case COLL_REDUCE:
	case COLL_ALLREDUCE:
		if (method.algorithm == COLL_LINEAR && !method.segment)
			return true;
		return coll->fold->unit && (coll->fold->commutes ||
					    method.algorithm == COLL_LINEAR ||
					    method.algorithm == COLL_STRIPED);
	default:
		return false;
	}
}

static bool is_there(const struct coll *coll, struct coll_method method)
{
	return method.algorithm != COLL_AUTO && coll_method_fits(coll, method);
}

struct coll_method coll_choose(const struct coll *coll, bool by_time)
{
	const struct coll_method tuned = coll_tuned(coll);
	const struct coll_method nodes = choose_nodes(coll, by_time);

	if (is_there(coll, tuned))
		return tuned;
	return is_there(coll, nodes) ? nodes : choose(coll);
}
