/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Chooses how a collective is done, by its kind, its processes and its bytes.
 * Every process has to come to the same answer.  The choices are those that
 * benchmarks/methods/methods.sh measured as the fastest, or nearly.
 */
#include "libbcs/base/tuning.h"
#include "libbcs/demand/coll/coll_tune.h"

/* True if MPICH folds in the order of a tree of messages. */
static bool is_binomial(const struct coll *coll, const struct fold_order *order)
{
	return coll->kind == COLL_REDUCE && coll->fold->commutes &&
	       !order->by_node && order->top.shape == FOLD_BINOMIAL &&
	       order->top.first == coll->root;
}

static bool is_doubling(const struct fold_order *order)
{
	return !order->by_node &&
	       (order->top.shape == FOLD_ODD || order->top.shape == FOLD_EVEN);
}

/*
 * True if MPICH folds in each process for itself, with left and right of its
 * own.  The results differ if an operation of the program's does not quite
 * commute.
 */
static bool has_views(const struct coll *coll, const struct fold_order *order)
{
	return coll->kind == COLL_ALLREDUCE && coll->fold->commutes &&
	       !order->by_node && !order->top.blocks;
}

static struct coll_method choose_reduction(const struct coll *coll,
					   const struct fold_order *order)
{
	const struct coll_method linear = { COLL_LINEAR, CHOOSE_CACHED };
	const struct coll_method striped = { COLL_STRIPED, CHOOSE_CACHED };
	const struct coll_method doubling = { COLL_DOUBLING, CHOOSE_BETWEEN };
	const bool is_many = coll->size > CHOOSE_LINEAR_MOST;
	const bool is_tree = is_many ||
			     (coll->kind == COLL_REDUCE && coll->fold->unit &&
			      coll->size > CHOOSE_TREE_RANKS &&
			      coll->bytes >= CHOOSE_TREE_LEAST);

	if (coll->fold->unit && coll->size == 2 &&
	    (coll->bytes > CHOOSE_TWO_ABOVE || has_views(coll, order)))
		return linear;
	if (coll->bytes > CHOOSE_STRIPED_ABOVE && has_views(coll, order))
		return doubling;
	if (coll->fold->unit && coll->bytes > CHOOSE_STRIPED_ABOVE)
		return striped;
	if (is_tree && is_binomial(coll, order))
		return (struct coll_method){ COLL_BINOMIAL, 0 };
	if (is_tree && is_doubling(order))
		return doubling;
	return (struct coll_method){ COLL_LINEAR, 0 };
}

static struct coll_method choose_bcast(const struct coll *coll)
{
	if (coll->size >= CHOOSE_TREE_RANKS &&
	    coll->bytes >= CHOOSE_TREE_LEAST && coll->bytes <= CHOOSE_TREE_MOST)
		return (struct coll_method){ COLL_BINOMIAL, CHOOSE_PASSED_ON };
	return (struct coll_method){
		coll->size > CHOOSE_LINEAR_MOST ? COLL_BINOMIAL : COLL_LINEAR, 0
	};
}

static bool spans_nodes(const struct coll *coll)
{
	return coll->nodes && coll->nodes->n != 0;
}

/* MPICH folds on each node, too, or each process has one of its own. */
static bool folds_by_node(const struct coll *coll,
			  const struct fold_order *order)
{
	return order->by_node || coll->nodes->n == (uint32_t)coll->size;
}

/*
 * In two levels, each node is sent what there is once.  Small broadcasts, and
 * reductions to one, go straight: whoever need not wait makes the next
 * meanwhile.
 */
static struct coll_method choose_nodes(const struct coll *coll,
				       const struct fold_order *order)
{
	const struct coll_method none = { COLL_AUTO, 0 };
	const struct coll_method pieces = { COLL_NODES, CHOOSE_BETWEEN };
	const bool small = coll->size <= CHOOSE_LINEAR_MOST &&
			   coll->bytes < CHOOSE_TREE_LEAST;

	if (!spans_nodes(coll))
		return none;
	switch (coll->kind) {
	case COLL_BARRIER:
		return pieces;
	case COLL_BCAST:
		return small ? none : pieces;
	case COLL_ALLREDUCE:
		return folds_by_node(coll, order) ? pieces : none;
	default:
		return none;
	}
}

static struct coll_method choose(const struct coll *coll,
				 const struct fold_order *order)
{
	switch (coll->kind) {
	case COLL_REDUCE:
	case COLL_ALLREDUCE:
		return choose_reduction(coll, order);
	case COLL_SCAN:
	case COLL_EXSCAN:
		if (coll->fold->unit)
			return (struct coll_method){ COLL_LINEAR,
						     CHOOSE_CACHED };
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
	if (method.algorithm == COLL_DOUBLING)
		return coll->kind == COLL_ALLREDUCE ||
		       coll->kind == COLL_REDUCE;
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
	case COLL_EXCHANGE:
		return !method.segment &&
		       (method.algorithm == COLL_LINEAR ||
			method.algorithm == COLL_PAIRWISE ||
			(method.algorithm == COLL_RING && coll->bytes));
	default:
		return false;
	}
}

static bool is_there(const struct coll *coll, struct coll_method method)
{
	return method.algorithm != COLL_AUTO && coll_method_fits(coll, method);
}

/* Goes straight whatever MPICH's order is, which takes a while to make. */
static bool is_short_reduction(const struct coll *coll)
{
	const uint64_t most = coll->size <= CHOOSE_TREE_RANKS
				      ? CHOOSE_STRIPED_ABOVE
				      : CHOOSE_TREE_LEAST - 1;

	return (coll->kind == COLL_REDUCE ||
		(coll->kind == COLL_ALLREDUCE && !spans_nodes(coll))) &&
	       coll->size <= CHOOSE_LINEAR_MOST && coll->bytes <= most;
}

struct coll_method coll_choose(const struct coll *coll, bool *tuned)
{
	const struct coll_method method = coll_tuned(coll);
	struct fold_order order;
	struct coll_method nodes;

	*tuned = is_there(coll, method);
	if (*tuned)
		return method;
	if (is_short_reduction(coll))
		return (struct coll_method){ COLL_LINEAR, 0 };
	if (coll->fold)
		fold_order_make(&order, coll);
	nodes = choose_nodes(coll, &order);
	return is_there(coll, nodes) ? nodes : choose(coll, &order);
}
