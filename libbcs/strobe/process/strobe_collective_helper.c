/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The Collective Helper: barriers, broadcasts, and exchanges, which are
 * broadcasts of many.  All processes of a collective have called, so each
 * fetches what is for it from where the others said that it lies.
 */
#include <errno.h>

#include "libbcs/strobe/process/strobe_process.h"

static bool hears(const struct coll *coll, int rank)
{
	switch (coll->kind) {
	case COLL_BARRIER:
		return true;
	case COLL_BCAST:
		return rank == coll->root;
	case COLL_EXCHANGE:
		return coll->ins[rank].moves;
	default:
		return rank <= strobe_reduce_last(coll);
	}
}

void strobe_collective_path(const struct strobe *strobe, struct coll *coll,
			    const uint64_t *shares)
{
	for (int rank = 0; rank < coll->size; rank++)
		if (shares[rank] && hears(coll, rank))
			coll_path_add(coll,
				      strobe_share(strobe, shares, rank)->path);
}

static int fetch(struct strobe *strobe, const uint64_t *shares, int rank,
		 int me, void *to, uint64_t bytes)
{
	const uint64_t got = strobe_part(strobe, shares, rank, me)->bytes;

	return strobe_part_fetch(strobe, shares, rank, me, 0, to,
				 copy_at_most(got, bytes));
}

static int bcast(struct strobe *strobe, struct coll *coll,
		 const uint64_t *shares)
{
	if (coll->rank == coll->root)
		return 0;
	if (strobe_part(strobe, shares, coll->root, 0)->bytes > coll->bytes)
		coll->error = -EMSGSIZE;
	return fetch(strobe, shares, coll->root, 0, coll->in, coll->bytes);
}

/* Blocks may be smaller than their rooms, so each tells how much came. */
static void tell_got(struct coll *coll, int rank, uint64_t got, uint64_t bytes)
{
	struct op *op = &coll->ops[coll->n_ops++];

	op->kind = OP_RECV;
	op->source = rank;
	op->bytes = bytes;
	op->got = got;
	if (got > bytes)
		coll->error = -EMSGSIZE;
}

static int exchange(struct strobe *strobe, struct coll *coll,
		    const uint64_t *shares)
{
	const struct coll_block *in;
	uint64_t got;
	int rc = 0;
	int rank;

	coll_keep_own(coll);
	for (int i = 1; rc == 0 && i < coll->size; i++) {
		rank = (coll->rank + i) % coll->size;
		in = &coll->ins[rank];
		if (!in->moves)
			continue;
		got = strobe_part(strobe, shares, rank, coll->rank)->bytes;
		rc = fetch(strobe, shares, rank, coll->rank, in->at, in->bytes);
		tell_got(coll, rank, got, in->bytes);
	}
	return rc;
}

int strobe_collective_move(struct strobe *strobe, struct coll *coll,
			   const uint64_t *shares)
{
	switch (coll->kind) {
	case COLL_BCAST:
		return bcast(strobe, coll, shares);
	case COLL_EXCHANGE:
		return exchange(strobe, coll, shares);
	default:
		return 0;
	}
}
