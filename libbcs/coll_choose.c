/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * How a collective is done: a function of what it is, of how many and of how
 * much.  Every process of it has to come to the same answer.  What is chosen is
 * what was fastest, or nearly, by benchmarks/methods.sh.
 */
#include "libbcs/coll_tune.h"

/* Above, so many messages to everybody cost more than several rounds. */
#define LINEAR_MOST 64
/* With fewer, a part of its own for each process is not worth a second round.
 */
#define STRIPED_RANKS 4
/* Of which a piece stays in the cache while it is reduced. */
#define CACHED 131072u
/* From here on, what only the root folds is worth several rounds. */
#define FOLD_LEAST 512
/* Below, to be put into descriptors in pieces is faster than to be fetched. */
#define FETCHED_LEAST 65536u

static struct coll_method choose_reduction(const struct coll *coll)
{
	const bool only_root = coll->kind == COLL_REDUCE &&
			       coll->size >= STRIPED_RANKS &&
			       coll->bytes >= FOLD_LEAST;

	if (coll->fold->unit && coll->bytes > BOARD_INLINE)
		return (struct coll_method){ coll->size < STRIPED_RANKS
						     ? COLL_LINEAR
						     : COLL_STRIPED,
					     CACHED };
	if (coll->fold->commutes && (only_root || coll->size > LINEAR_MOST))
		return (struct coll_method){ COLL_BINOMIAL, 0 };
	return (struct coll_method){ COLL_LINEAR, 0 };
}

static struct coll_method choose_bcast(const struct coll *coll)
{
	if (coll->bytes > BOARD_INLINE && coll->bytes < FETCHED_LEAST)
		return (struct coll_method){ coll->size == 2 ? COLL_LINEAR
							     : COLL_BINOMIAL,
					     BOARD_INLINE };
	return (struct coll_method){ coll->size > LINEAR_MOST ? COLL_BINOMIAL
							      : COLL_LINEAR,
				     0 };
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

struct coll_method coll_choose(const struct coll *coll)
{
	const struct coll_method tuned = coll_tuned(coll);

	return tuned.algorithm != COLL_AUTO && coll_method_fits(coll, tuned)
		       ? tuned
		       : choose(coll);
}
