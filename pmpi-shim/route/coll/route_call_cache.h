/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHIM_ROUTE_CALL_CACHE_H
#define SHIM_ROUTE_CALL_CACHE_H

/*
 * The look into the call cache (route_call_cache.c).  Inlined, for every
 * collective call passes it.
 */
#include "pmpi-shim/route/base/route_state.h"
#include "pmpi-shim/route/coll/route_side.h"

/* Where there is data it lies somewhere, and not at one place. */
static inline bool route_call_lies_well(const struct route_call *call)
{
	const struct route_side *out = &call->out;
	const struct route_side *in = &call->in;

	if (in->type == MPI_DATATYPE_NULL)
		return true;
	if (!in->address || route_is_in_place(in))
		return false;
	return out->type == MPI_DATATYPE_NULL ||
	       (out->address &&
		out->address !=
			(in->many ? route_side_place(in, call->members->rank)
				  : in->address));
}

/*
 * Compares the arguments with the last call of this kind, without the
 * addresses.
 */
static inline bool route_call_is_cached(const struct route_call *call,
					const struct route_cache *last)
{
	return last->method.algorithm != COLL_AUTO && last->op == call->op &&
	       last->root == call->root && last->types[0] == call->out.type &&
	       last->types[1] == call->in.type &&
	       last->counts[0] == call->out.count &&
	       last->counts[1] == call->in.count &&
	       !route_has_counts(&call->in) && !call->in.types;
}

/* The kept call that this one repeats, or NULL. */
static inline const struct route_cache *
route_call_cached(const struct route_call *call)
{
	const struct route_cache *cache = call->members->cache;

	return cache && route_call_is_cached(call, &cache[call->kind]) &&
			       route_call_lies_well(call)
		       ? &cache[call->kind]
		       : NULL;
}

#endif
