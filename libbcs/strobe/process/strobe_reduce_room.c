/* SPDX-License-Identifier: BSD-3-Clause */

/* What the two ways to fold share: whose parts, in which pieces, and memory. */
#include <errno.h>
#include <stdlib.h>

#include "libbcs/base/tuning.h"
#include "libbcs/strobe/process/strobe_reduce.h"

int strobe_reduce_last(const struct coll *coll)
{
	switch (coll->kind) {
	case COLL_REDUCE:
		return coll->rank == coll->root ? coll->size - 1 : -1;
	case COLL_SCAN:
		return coll->rank;
	case COLL_EXSCAN:
		return coll->rank - 1;
	default:
		return coll->size - 1;
	}
}

struct fold_part strobe_reduce_part(const struct fold_run *run, int rank)
{
	if (rank == run->coll->rank)
		return run->own;
	return (struct fold_part){ strobe_room_of(run->coll, rank), true };
}

void strobe_reduce_method(struct coll *coll)
{
	const uint64_t unit = coll->fold->unit;

	coll->method.algorithm = COLL_LINEAR;
	coll->method.segment = 0;
	if (unit && !coll->fold->in_caller)
		coll->method.segment = unit < STROBE_FOLD_PIECE
					       ? STROBE_FOLD_PIECE -
							 STROBE_FOLD_PIECE %
								 unit
					       : unit;
}

int strobe_reduce_temp(struct coll *coll)
{
	const uint64_t bytes = strobe_room_bytes(coll) *
				       ((unsigned)coll->size + 1) +
			       strobe_reduce_own(coll).bytes;

	if (bytes <= coll->temp_bytes)
		return 0;
	free(coll->temp);
	coll->temp_bytes = 0;
	coll->temp = malloc(bytes);
	if (!coll->temp)
		return -ENOMEM;
	coll->temp_bytes = bytes;
	return 0;
}
