/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The Reduce Helper, where MPICH folds on each node first, and then the nodes'
 * sums (fold_order.h).  The first process of a node folds what its processes
 * have.  Then each process folds the sums for itself.  A short reduce differs:
 * its sums go up a binomial tree of nodes, and each node adds those below it.
 */
#include "libbcs/demand/coll/coll.h"
#include "libbcs/strobe/process/strobe_reduce.h"

bool strobe_reduce_of_sums(const struct coll *coll, struct fold_order *order)
{
	if (!coll->nodes || coll->own_order || coll->fold->in_caller ||
	    (coll->kind != COLL_REDUCE && coll->kind != COLL_ALLREDUCE))
		return false;
	fold_order_make(order, coll);
	return order->by_node;
}

static uint64_t node_bit(const struct strobe *strobe, const struct coll *coll,
			 int rank)
{
	return UINT64_C(1) << strobe_node(
		       strobe, rank_map_at(coll->peers, (uint32_t)rank));
}

/*
 * MPICH folds the nodes' sums of a short reduce by a binomial tree.  So a node
 * may pass on one sum for itself and the nodes below it.  All other orders need
 * the sum of each node.
 */
bool strobe_reduce_is_tree(const struct fold_order *order)
{
	return order->leads && order->top.shape == FOLD_BINOMIAL &&
	       !order->top.blocks && order->top.n > 2;
}

/* A node's place in the tree; the root's node has 0. */
static unsigned place_of(const struct fold_order *order, int node)
{
	const struct fold_tree *top = &order->top;

	return (unsigned)((node - top->first + top->n) % top->n);
}

static int node_at(const struct fold_order *order, unsigned place)
{
	const struct fold_tree *top = &order->top;

	return (int)(place + (unsigned)top->first) % top->n;
}

/* Number of nodes right below it: at distances of 1, 2, 4 and so on. */
static uint32_t n_below(const struct fold_order *order, unsigned place)
{
	const unsigned end = place ? place & -place : 1u << 31;
	uint32_t n = 0;

	for (unsigned bit = 1;
	     bit < end && place + bit < (unsigned)order->top.n; bit *= 2)
		n++;
	return n;
}

/* Steps that a sum takes from the lowest node below it. */
static uint8_t height(const struct fold_order *order, unsigned place)
{
	const unsigned left = (unsigned)order->top.n - place;
	const unsigned most = place & -place;
	const unsigned n = left < most ? left : most;

	return (uint8_t)(n > 1 ? fold_log2((int)n - 1) + 1 : 0);
}

static void tree_of(const struct strobe *strobe, const struct coll *coll,
		    const struct fold_order *order, unsigned place,
		    struct strobe_descriptor *descriptor)
{
	const int to = node_at(order, place & (place - 1));

	descriptor->sums_to = node_bit(strobe, coll,
				       coll_nodes_member(coll->nodes, to, 0));
	descriptor->sums_below = n_below(order, place);
	descriptor->sums = place != 0;
	descriptor->merges = place ? height(order, place) : 0;
}

void strobe_reduce_by_node(const struct strobe *strobe, const struct coll *coll,
			   struct strobe_descriptor *descriptor)
{
	struct fold_order order;
	uint64_t root;
	int node;

	if (!coll->fold || !strobe_reduce_of_sums(coll, &order))
		return;
	node = coll_nodes_node(coll->nodes, coll->rank);
	if (strobe_reduce_is_tree(&order)) {
		tree_of(strobe, coll, &order, place_of(&order, node),
			descriptor);
		return;
	}
	descriptor->sums_to = UINT64_MAX;
	descriptor->sums_below = coll->nodes->n - 1;
	descriptor->sums = true;
	if (coll->kind != COLL_REDUCE)
		return;
	root = node_bit(strobe, coll, coll->root);
	descriptor->sums_to = root;
	if (root != node_bit(strobe, coll, coll->rank))
		descriptor->sums_below = 0;
	else
		descriptor->sums = !order.leads;
}

/* A rank's share, or a node's sum, into the room of a rank. */
static int fetch_to(struct strobe *strobe, const struct coll *coll,
		    const uint64_t *shares, int from, int room, uint64_t begin,
		    uint64_t bytes)
{
	return strobe_part_fetch(strobe, shares, from, coll->rank, begin,
				 strobe_room_of(coll, room), bytes);
}

/* The shares of the other processes of this node. */
static int fetch_members(struct strobe *strobe, const struct coll *coll,
			 const uint64_t *shares, uint64_t begin, uint64_t bytes)
{
	const int node = coll_nodes_node(coll->nodes, coll->rank);
	const int n = coll_nodes_members(coll->nodes, node);
	int rank;
	int rc = 0;

	for (int i = 0; rc == 0 && i < n; i++) {
		rank = coll_nodes_member(coll->nodes, node, i);
		if (rank != coll->rank)
			rc = fetch_to(strobe, coll, shares, rank, rank, begin,
				      bytes);
	}
	return rc;
}

/* Copies all sums that have come, and this node's, to the room for them. */
static int sums_fetch(struct strobe *strobe, const struct coll *coll,
		      const uint64_t *shares, uint64_t begin, uint64_t bytes)
{
	const int own = coll_nodes_node(coll->nodes, coll->rank);
	int first;
	int from;
	int rc = 0;

	for (int node = 0; rc == 0 && node < (int)coll->nodes->n; node++) {
		first = coll_nodes_member(coll->nodes, node, 0);
		from = node == own ? coll->size : first;
		if (shares[from])
			rc = fetch_to(strobe, coll, shares, from, first, begin,
				      bytes);
	}
	return rc;
}

int strobe_sums_fetch(struct strobe *strobe, const struct coll *coll,
		      const struct fold_order *order, const uint64_t *shares,
		      uint64_t begin, uint64_t bytes)
{
	int rc = 0;

	if (order->leads)
		rc = fetch_members(strobe, coll, shares, begin, bytes);
	return rc == 0 ? sums_fetch(strobe, coll, shares, begin, bytes) : rc;
}

struct fold_part strobe_sum_part(const struct fold_run *run, int node)
{
	const int first = coll_nodes_member(run->coll->nodes, node, 0);

	return (struct fold_part){ strobe_room_of(run->coll, first), true };
}

/* Folds this node's sum to `at`; with an order, that of it and all below it. */
static void sum_piece(const struct coll *coll, const struct fold_order *order,
		      unsigned char *at, uint64_t begin, uint64_t bytes)
{
	const int node = coll_nodes_node(coll->nodes, coll->rank);
	const struct fold_tree tree = fold_order_node(coll, node);
	struct fold_run run = {
		.coll = coll,
		.part = strobe_reduce_part,
		.sum = strobe_sum_part,
		.own = { strobe_reduce_own(coll).at + begin, false },
		.base = begin,
		.bytes = bytes,
		.at = at + begin,
		.rooms = strobe_room_of(coll, coll->rank),
		.spare = strobe_room_of(coll, coll->size),
		.room_bytes = strobe_room_bytes(coll),
	};

	if (order)
		fold_order_run_subtree(&run, order, place_of(order, node));
	else
		fold_order_run_tree(&run, &tree);
}

static int sum_all(struct strobe *strobe, struct coll *coll,
		   const struct fold_order *order, const uint64_t *shares)
{
	const struct strobe_share *share = strobe_share(strobe, shares,
							coll->size);
	unsigned char *at = (unsigned char *)share + share->parts[0].inlined;
	uint64_t bytes;
	int rc;

	strobe_reduce_method(coll);
	coll->n_ops = 0;
	rc = strobe_reduce_temp(coll);
	for (uint64_t begin = 0; rc == 0 && begin < coll->bytes;
	     begin += bytes) {
		bytes = copy_at_most(strobe_room_bytes(coll),
				     coll->bytes - begin);
		if (coll->method.segment)
			bytes = copy_at_most(coll->method.segment, bytes);
		rc = order ? sums_fetch(strobe, coll, shares, begin, bytes)
			   : fetch_members(strobe, coll, shares, begin, bytes);
		if (rc == 0)
			sum_piece(coll, order, at, begin, bytes);
	}
	return rc;
}

int strobe_reduce_sum(struct strobe *strobe, struct coll *coll,
		      const uint64_t *shares)
{
	return sum_all(strobe, coll, NULL, shares);
}

int strobe_reduce_merge(struct strobe *strobe, struct coll *coll,
			const uint64_t *shares)
{
	struct fold_order order;

	strobe_reduce_of_sums(coll, &order);
	return sum_all(strobe, coll, &order, shares);
}
