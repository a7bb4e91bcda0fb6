/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_STROBE_REDUCE_H
#define BCS_STROBE_REDUCE_H

/* For the files of the Reduce Helper alone. */
#include "libbcs/demand/coll/fold_order.h"
#include "libbcs/strobe/process/strobe_process.h"

/* This process's contribution to its own result, which has as many bytes. */
static inline struct coll_block strobe_reduce_own(const struct coll *coll)
{
	if (coll->kind == COLL_REDUCE_SCATTER)
		return coll->outs[coll->rank];
	return (struct coll_block){ coll->out, coll->bytes, true };
}

/* Contributions are fetched to a room for each rank, in pieces. */
static inline uint64_t strobe_room_bytes(const struct coll *coll)
{
	const uint64_t bytes = strobe_reduce_own(coll).bytes;
	const uint64_t piece = coll->method.segment
				       ? copy_at_most(coll->method.segment,
						      bytes)
				       : bytes;

	return (piece + 63) & ~63ull;
}

static inline unsigned char *strobe_room_of(const struct coll *coll, int rank)
{
	return coll->temp + strobe_room_bytes(coll) * (unsigned)rank;
}

/* strobe_reduce_room.c: how it folds, and memory for that: 0 or -ENOMEM. */
void strobe_reduce_method(struct coll *coll);
int strobe_reduce_temp(struct coll *coll);
/* A rank's contribution, for fold_run. */
struct fold_part strobe_reduce_part(const struct fold_run *run, int rank);

/* strobe_reduce_nodes.c: what is folded are nodes' sums, in this order. */
bool strobe_reduce_of_sums(const struct coll *coll, struct fold_order *order);
/* True if the sums go up a tree of nodes: a node gets those right below it. */
bool strobe_reduce_is_tree(const struct fold_order *order);
/* The sums, each to the room of its node's first rank. */
int strobe_sums_fetch(struct strobe *strobe, const struct coll *coll,
		      const struct fold_order *order, const uint64_t *shares,
		      uint64_t begin, uint64_t bytes);
struct fold_part strobe_sum_part(const struct fold_run *run, int node);

#endif
