/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHIM_ROUTE_SIDE_H
#define SHIM_ROUTE_SIDE_H

/*
 * One side of a collective call: counts, displacements and types of its blocks
 * as MPI has them, in either width.
 */
#include "pmpi-shim/route/coll/route_coll.h"

static inline MPI_Count route_count_at(struct shim_counts counts, int i)
{
	return counts.ints ? counts.ints[i] : counts.longs[i];
}

static inline MPI_Aint route_displ_at(struct route_displs displs, int i)
{
	return displs.ints ? displs.ints[i] : displs.longs[i];
}

static inline bool route_has_counts(const struct route_side *side)
{
	return side->counts.ints || side->counts.longs;
}

static inline bool route_has_displs(const struct route_side *side)
{
	return side->displs.ints || side->displs.longs;
}

/* The extent of a type, without a call of MPI if it is built in. */
MPI_Aint route_type_extent(MPI_Datatype type);
/* Where a rank's block begins, as MPI's check of aliases has it. */
const char *route_side_place(const struct route_side *side, int rank);

#endif
