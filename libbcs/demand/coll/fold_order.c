/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * MPICH's choices (its maint/tuning/coll/mpir and ch4/generic.json, and the
 * algorithms of src/mpi/coll).  Non-blocking and persistent calls are alike.
 *
 * - Allreduce: recursive doubling, in which each process has a view of its own.
 *   Or a reduce-scatter and an allgather, in which a block has its owner's
 * view.
 * - Reduce: a binomial tree, or a reduce-scatter and a gather.
 * - Reduce-scatter: recursive halving, or pairwise from the rank before on.  By
 *   ranks in pairs if the operation does not commute.
 * - Scan and exscan: recursive doubling.
 *
 * If a communicator spans nodes with several ranks, some collectives fold on
 * each node first.
 */
#include "libbcs/demand/coll/coll.h"

/* MPIR_CVAR_REDUCE_SHORT_MSG_SIZE, and what a blocking allreduce has. */
#define SHORT_MOST          2048u
#define SHORT_MOST_BLOCKING 8u
/* MPIR_CVAR_REDUCE_SCATTER_COMMUTATIVE_LONG_MSG_SIZE */
#define LONG_LEAST 524288u

static bool waits(const struct coll *coll)
{
	return !coll->in_background;
}

/* The vector is split into a block for each process of a power of two. */
static bool splits(const struct coll_fold *fold, int n)
{
	return fold->predefined && fold->count >= UINT64_C(1) << fold_log2(n);
}

static uint64_t short_most(const struct coll *coll)
{
	return coll->kind == COLL_ALLREDUCE && waits(coll) ? SHORT_MOST_BLOCKING
							   : SHORT_MOST;
}

static struct fold_tree tree_of(const struct coll *coll, enum fold_shape shape,
				int n)
{
	return (struct fold_tree){ .shape = shape,
				   .ordered = !coll->fold->commutes,
				   .node = -1,
				   .n = n };
}

static struct fold_tree reduce_tree(const struct coll *coll, int n, int root)
{
	const struct coll_fold *fold = coll->fold;
	struct fold_tree tree = tree_of(coll, FOLD_BINOMIAL, n);

	if (fold->weight > SHORT_MOST && splits(fold, n)) {
		tree.shape = FOLD_EVEN;
		tree.blocks = true;
		tree.rest_last = !waits(coll);
		tree.own = coll->rank % n;
	} else if (fold->commutes) {
		tree.first = root;
	}
	return tree;
}

static struct fold_tree allreduce_tree(const struct coll *coll, int n, int own)
{
	const struct coll_fold *fold = coll->fold;
	struct fold_tree tree = tree_of(coll, FOLD_ODD, n);

	tree.own = own;
	tree.blocks = fold->weight > short_most(coll) && splits(fold, n);
	tree.rest_last = !waits(coll);
	return tree;
}

uint64_t fold_order_two(const struct coll *coll)
{
	const struct coll_fold *fold = coll->fold;

	if (fold->weight > short_most(coll) && splits(fold, 2))
		return (waits(coll) ? fold->count - fold->count / 2
				    : fold->count / 2) *
		       fold->unit;
	return coll->rank ? 0 : coll->bytes;
}

static struct fold_tree reduce_scatter_tree(const struct coll *coll)
{
	struct fold_tree tree = tree_of(coll, FOLD_BINOMIAL, coll->size);

	if (tree.ordered)
		return tree;
	tree.shape = coll->fold->weight < LONG_LEAST ? FOLD_ODD : FOLD_CHAIN;
	tree.down = true;
	tree.own = coll->rank;
	return tree;
}

static struct fold_tree scan_tree(const struct coll *coll, int n, int own)
{
	struct fold_tree tree = tree_of(coll, FOLD_SCAN, n);

	tree.own = own;
	return tree;
}

/* True if MPICH sees several nodes, and some of them have several ranks. */
static bool has_nodes(const struct coll *coll)
{
	return coll->nodes && coll->nodes->n > 1 && !coll->nodes->made_up &&
	       !coll_nodes_all_apart(coll);
}

struct fold_tree fold_order_node(const struct coll *coll, int node)
{
	const int n = coll_nodes_members(coll->nodes, node);
	struct fold_tree tree = coll->kind == COLL_SCAN
					? scan_tree(coll, n, n - 1)
					: reduce_tree(coll, n, 0);

	tree.node = node;
	return tree;
}

static void allreduce_by_node(struct fold_order *order, const struct coll *coll)
{
	order->by_node = true;
	order->top = allreduce_tree(coll, (int)coll->nodes->n,
				    coll_nodes_node(coll->nodes, coll->rank));
	order->top.of_nodes = true;
}

/*
 * Long ones go to the first rank, by nodes, and from there to the root.  Else
 * the nodes' sums go to the first rank of the root's node, which stands for
 * them when that folds.
 */
static void reduce_by_node(struct fold_order *order, const struct coll *coll)
{
	const bool first = waits(coll) && coll->fold->weight > SHORT_MOST;
	const int node = coll_nodes_node(coll->nodes, coll->root);

	order->by_node = true;
	order->top = reduce_tree(coll, (int)coll->nodes->n, first ? 0 : node);
	order->top.of_nodes = true;
	if (first)
		return;
	order->leads = true;
	order->top.own = node;
	order->last = reduce_tree(coll, coll_nodes_members(coll->nodes, node),
				  coll_nodes_place_in(coll->nodes, coll->root));
	order->last.node = node;
}

/* The node's scan, and before it that of the nodes before. */
static void scan_by_node(struct fold_order *order, const struct coll *coll)
{
	const int node = coll_nodes_node(coll->nodes, coll->rank);

	order->by_node = true;
	order->top = scan_tree(coll, (int)coll->nodes->n, node - 1);
	order->top.of_nodes = true;
	order->last = scan_tree(coll, coll_nodes_members(coll->nodes, node),
				coll_nodes_place_in(coll->nodes, coll->rank));
	order->last.node = node;
}

static void reduce_order(struct fold_order *order, const struct coll *coll)
{
	const struct coll_fold *fold = coll->fold;

	if (has_nodes(coll) && fold->commutes)
		reduce_by_node(order, coll);
	else
		/* A long one, which blocks, goes to rank 0 on a node, too. */
		order->top = reduce_tree(
			coll, coll->size,
			waits(coll) && fold->weight > SHORT_MOST &&
					!coll_nodes_all_apart(coll)
				? 0
				: coll->root);
}

/* The user says how a reduction is done. */
static void own_order(struct fold_order *order, const struct coll *coll)
{
	if (coll->method.algorithm != COLL_NODES) {
		order->top = tree_of(coll, FOLD_BY_RANK, coll->size);
		return;
	}
	order->top = tree_of(coll,
			     coll->kind == COLL_REDUCE ? FOLD_EVEN : FOLD_ODD,
			     (int)coll->nodes->n);
	order->top.own = coll_nodes_place(coll);
}

void fold_order_make(struct fold_order *order, const struct coll *coll)
{
	order->by_node = false;
	order->leads = false;
	if (coll->own_order) {
		own_order(order, coll);
		return;
	}
	switch (coll->kind) {
	case COLL_REDUCE:
		reduce_order(order, coll);
		break;
	case COLL_REDUCE_SCATTER:
		order->top = reduce_scatter_tree(coll);
		break;
	case COLL_SCAN:
		if (has_nodes(coll) && coll->nodes->in_rows)
			scan_by_node(order, coll);
		else
			order->top = scan_tree(coll, coll->size, coll->rank);
		break;
	case COLL_EXSCAN:
		order->top = scan_tree(coll, coll->size, coll->rank);
		order->top.shape = FOLD_EXSCAN;
		break;
	default:
		if (has_nodes(coll) && waits(coll) && coll->fold->commutes)
			allreduce_by_node(order, coll);
		else
			order->top = allreduce_tree(coll, coll->size,
						    coll->rank);
		break;
	}
}
