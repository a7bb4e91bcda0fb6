/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The Reduce Helper.  Each process folds all parts to its result, in MPICH's
 * order (fold_order.h), so that the bits are those of every other mode.  First
 * all fetch and fold.  Then what would have overwritten a part that others
 * still read goes to its place.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "libbcs/base/tuning.h"
#include "libbcs/strobe/process/strobe_reduce.h"

/* Behind the rooms of all ranks, and one more. */
static unsigned char *kept_at(const struct coll *coll)
{
	return strobe_room_of(coll, coll->size + 1);
}

/* Others read what this process has from its memory. */
static bool is_read_in_place(const struct strobe *strobe,
			     const struct coll *coll, const uint64_t *shares)
{
	const struct strobe_share *share = strobe_share(strobe, shares,
							coll->rank);

	for (uint32_t i = 0; i < share->n_parts; i++)
		if (share->parts[i].bytes && !share->parts[i].inlined)
			return true;
	return false;
}

static bool overlap(const unsigned char *a, uint64_t n_a,
		    const unsigned char *b, uint64_t n_b)
{
	return (uintptr_t)a < (uintptr_t)b + n_b &&
	       (uintptr_t)b < (uintptr_t)a + n_a;
}

static int fetch_piece(struct strobe *strobe, const struct coll *coll,
		       const uint64_t *shares, uint64_t begin, uint64_t bytes)
{
	struct fold_order order;
	int rc = 0;

	if (strobe_reduce_of_sums(coll, &order))
		return strobe_sums_fetch(strobe, coll, &order, shares, begin,
					 bytes);
	for (int rank = 0; rc == 0 && rank <= strobe_reduce_last(coll);
	     rank++) {
		if (rank == coll->rank)
			continue;
		rc = strobe_part_fetch(strobe, shares, rank, coll->rank, begin,
				       strobe_room_of(coll, rank), bytes);
	}
	return rc;
}

/* A part that lies partly where the result will be is moved away. */
static struct fold_part own_part(const struct coll *coll, struct coll_block own,
				 const unsigned char *result)
{
	unsigned char *room = strobe_room_of(coll, coll->rank);

	if (own.at == result || !overlap(own.at, own.bytes, result, own.bytes))
		return (struct fold_part){ own.at, false };
	memcpy(room, own.at, own.bytes);
	return (struct fold_part){ room, true };
}

static unsigned char *result_of(const struct coll *coll)
{
	return coll->n_ops ? kept_at(coll) : coll->in;
}

static void fold_piece(const struct coll *coll, uint64_t begin, uint64_t bytes)
{
	struct fold_order order;
	const bool of_sums = strobe_reduce_of_sums(coll, &order);
	const struct coll_block all = strobe_reduce_own(coll);
	const struct coll_block own = { all.at + begin, bytes, true };
	struct fold_run run = {
		.coll = coll,
		.part = strobe_reduce_part,
		.base = (uint64_t)(own.at - coll->out),
		.bytes = bytes,
		.at = result_of(coll) + begin,
		.rooms = strobe_room_of(coll, coll->rank),
		.spare = strobe_room_of(coll, coll->size),
		.room_bytes = strobe_room_bytes(coll),
	};

	if (of_sums) {
		run.sum = strobe_sum_part;
		run.subtrees = strobe_reduce_is_tree(&order);
	}
	/* Its room has a sum, unless all of this node have theirs there. */
	run.own = of_sums && !order.leads ? (struct fold_part){ own.at, false }
					  : own_part(coll, own, run.at);
	fold_order_run(&run);
}

static int fold_all(struct strobe *strobe, struct coll *coll,
		    const uint64_t *shares)
{
	const uint64_t all = strobe_reduce_own(coll).bytes;
	const uint64_t step = strobe_room_bytes(coll);
	uint64_t bytes;
	int rc = 0;

	for (uint64_t at = 0; rc == 0 && at < all; at += bytes) {
		bytes = coll->method.segment
				? copy_at_most(coll->method.segment, all - at)
				: copy_at_most(step, all - at);
		rc = fetch_piece(strobe, coll, shares, at, bytes);
		if (rc == 0 && !coll->fold->in_caller)
			fold_piece(coll, at, bytes);
	}
	return rc;
}

static bool must_keep(const struct strobe *strobe, const struct coll *coll,
		      const uint64_t *shares)
{
	struct fold_order order;

	/* Contributions were read when sums were made.  A reduce-scatter's
	 * parts lie in one vector. */
	return !strobe_reduce_of_sums(coll, &order) &&
	       is_read_in_place(strobe, coll, shares) &&
	       (coll->kind == COLL_REDUCE_SCATTER ||
		overlap(coll->in, coll->bytes, coll->out, coll->bytes));
}

int strobe_reduce_fold(struct strobe *strobe, struct coll *coll,
		       const uint64_t *shares)
{
	int rc;

	strobe_reduce_method(coll);
	/* Its only operation is to keep the result. */
	coll->n_ops = 0;
	if (strobe_reduce_last(coll) < 0)
		return 0;
	rc = strobe_reduce_temp(coll);
	if (rc != 0)
		return rc;
	if (!coll->fold->in_caller)
		coll->n_ops = must_keep(strobe, coll, shares);
	rc = fold_all(strobe, coll, shares);
	if (rc == 0 && coll->fold->in_caller) {
		coll->pending = 1;
		return 1;
	}
	return rc;
}

void strobe_reduce_keep(struct coll *coll)
{
	if (coll->n_ops && !coll->error)
		memcpy(coll->in, kept_at(coll), strobe_reduce_own(coll).bytes);
	coll->n_ops = 0;
}

/* Once the slice is over nobody reads the strobe_reduce_parts any more. */
static struct coll *callers_take(struct strobe *strobe)
{
	struct coll *coll;

	if (atomic_exchange(&strobe->copying, 1))
		return NULL;
	coll = strobe->callers.first;
	if (coll && (int32_t)(coll->round - atomic_load(&strobe->closed)) <= 0)
		coll_list_take(&strobe->callers);
	else
		coll = NULL;
	atomic_store(&strobe->copying, 0);
	return coll;
}

bool strobe_reduce_callers(struct strobe *strobe)
{
	struct coll *coll;

	if (!atomic_load(&strobe->callers.n))
		return false;
	coll = callers_take(strobe);
	if (!coll)
		return false;
	atomic_fetch_sub(&strobe->callers.n, 1);
	if (strobe_reduce_own(coll).bytes)
		fold_piece(coll, 0, strobe_reduce_own(coll).bytes);
	coll->pending = 0;
	strobe_block_put(strobe, coll->work);
	strobe_coll_done(strobe, coll);
	return true;
}
