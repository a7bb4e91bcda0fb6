/* SPDX-License-Identifier: BSD-3-Clause */

/* The blocks of a side of a collective call: where they lie and what is in
 * them. */
#include "pmpi-shim/route/coll/route_side.h"
#include "pmpi-shim/route/base/route_state.h"

MPI_Aint route_type_extent(MPI_Datatype type)
{
	MPI_Aint lb;
	MPI_Aint bytes = 0;

	if (abi_type_is_builtin(type))
		return (MPI_Aint)abi_type_size(type);
	REAL(Type_get_extent)(type, &lb, &bytes);
	return bytes;
}

struct route_buffer route_side_block(const struct route_side *side, int rank)
{
	struct route_buffer b = { side->address, side->count, side->type, 0 };
	MPI_Aint at = 0;

	if (!side->many)
		return b;
	if (route_has_counts(side))
		b.count = route_count_at(side->counts, rank);
	if (side->types)
		b.type = side->types[rank];
	if (b.count == 0)
		return (struct route_buffer){ NULL, 0, MPI_BYTE, 0 };
	if (side->types)
		at = route_displ_at(side->displs, rank);
	else if (route_has_displs(side))
		at = route_displ_at(side->displs, rank) *
		     route_type_extent(b.type);
	else
		at = (MPI_Aint)side->count * rank * route_type_extent(b.type);
	b.address = (char *)b.address + at;
	return b;
}

uint64_t route_part_bytes(const struct route_call *call)
{
	const struct route_buffer own = { NULL, call->out.count, call->out.type,
					  0 };
	const struct route_buffer first = route_side_block(&call->in, 0);
	const uint64_t bytes = route_buffer_bytes(&first);

	for (int i = 1; route_has_counts(&call->in) && i < call->members->size;
	     i++)
		if (route_count_at(call->in.counts, i) != first.count)
			return 0;
	if (!route_is_in_place(&call->out) && route_buffer_bytes(&own) != bytes)
		return 0;
	return bytes;
}

MPI_Count route_part_count(const struct route_call *call, int rank)
{
	return route_has_counts(&call->in)
		       ? route_count_at(call->in.counts, rank)
		       : call->in.count;
}

const char *route_side_place(const struct route_side *side, int rank)
{
	const struct route_buffer one = { NULL, 1, side->type, 0 };
	MPI_Aint at;

	if (!side->many)
		return side->address;
	at = route_has_displs(side) ? route_displ_at(side->displs, rank)
				    : (MPI_Aint)side->count * rank;
	return (char *)side->address + at * (MPI_Aint)route_buffer_bytes(&one);
}
