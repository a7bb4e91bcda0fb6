/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The Reduce Helper, where MPICH folds on each node first, and then the nodes'
 * sums (fold_order.h).  The first process of a node folds what its processes
 * have.  Then all fold the sums, each for itself.
 */
#include "libbcs/demand/coll/coll.h"
#include "libbcs/strobe/strobe_reduce.h"

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
		       strobe, numbers_at(coll->peers, (uint32_t)rank));
}

void strobe_reduce_by_node(const struct strobe *strobe, const struct coll *coll,
			   uint64_t *to, bool *own)
{
	struct fold_order order;
	uint64_t root;

	if (!coll->fold || !strobe_reduce_of_sums(coll, &order))
		return;
	*to = UINT64_MAX;
	*own = true;
	if (coll->kind != COLL_REDUCE)
		return;
	root = node_bit(strobe, coll, coll->root);
	*to = root;
	*own = !order.leads || root != node_bit(strobe, coll, coll->rank);
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

int strobe_sums_fetch(struct strobe *strobe, const struct coll *coll,
		      const struct fold_order *order, const uint64_t *shares,
		      uint64_t begin, uint64_t bytes)
{
	const int own = coll_nodes_node(coll->nodes, coll->rank);
	int first;
	int rc = 0;

	for (int node = 0; rc == 0 && node < (int)coll->nodes->n; node++) {
		first = coll_nodes_member(coll->nodes, node, 0);
		if (node == own && order->leads)
			rc = fetch_members(strobe, coll, shares, begin, bytes);
		else
			rc = fetch_to(strobe, coll, shares,
				      node == own ? coll->size : first, first,
				      begin, bytes);
	}
	return rc;
}

struct fold_part strobe_sum_part(const struct fold_run *run, int node)
{
	const int first = coll_nodes_member(run->coll->nodes, node, 0);

	return (struct fold_part){ strobe_room_of(run->coll, first), true };
}

static void sum_piece(const struct coll *coll, unsigned char *at,
		      uint64_t begin, uint64_t bytes)
{
	const int node = coll_nodes_node(coll->nodes, coll->rank);
	const struct fold_tree tree = fold_order_node(coll, node);
	struct fold_run run = {
		.coll = coll,
		.part = strobe_reduce_part,
		.own = { strobe_reduce_own(coll).at + begin, false },
		.base = begin,
		.bytes = bytes,
		.at = at + begin,
		.rooms = strobe_room_of(coll, coll->rank),
		.spare = strobe_room_of(coll, coll->size),
		.room_bytes = strobe_room_bytes(coll),
	};

	fold_order_run_tree(&run, &tree);
}

int strobe_reduce_sum(struct strobe *strobe, struct coll *coll,
		      const uint64_t *shares)
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
		rc = fetch_members(strobe, coll, shares, begin, bytes);
		if (rc == 0)
			sum_piece(coll, at, begin, bytes);
	}
	return rc;
}
