/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * How a collective is done: a function of what it is, of how many and of how
 * much.  Every process of it has to come to the same answer.
 */
#include "libbcs/coll_tune.h"

/* Above, so many messages to everybody cost more than several rounds. */
#define LINEAR_MOST 64
/* Below, a part of its own for each process is not worth the second round. */
#define STRIPED_LEAST 32768u
/* Of which a piece stays in the cache while it is reduced. */
#define STRIPED_SEGMENT 131072u

static struct coll_method choose_reduction(const struct coll *coll)
{
	const struct coll_method linear = { COLL_LINEAR, 0 };

	if (coll->fold->unit && coll->bytes >= STRIPED_LEAST)
		return (struct coll_method){ COLL_STRIPED, STRIPED_SEGMENT };
	if (coll->fold->commutes && coll->size > LINEAR_MOST)
		return (struct coll_method){ COLL_BINOMIAL, 0 };
	return linear;
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
			return (struct coll_method){ COLL_LINEAR,
						     STRIPED_SEGMENT };
		break;
	case COLL_BARRIER:
	case COLL_BCAST:
		if (coll->size > LINEAR_MOST)
			return (struct coll_method){ COLL_BINOMIAL, 0 };
		break;
	default:
		break;
	}
	return (struct coll_method){ COLL_LINEAR, 0 };
}

bool coll_method_fits(const struct coll *coll, struct coll_method method)
{
	switch (coll->kind) {
	case COLL_BARRIER: /* a reduction of nothing */
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
