/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The call cache.  Programs mostly repeat their collective calls.  A call with
 * the arguments of the last one of its kind skips the checks, and the choice of
 * how it is done.
 */
#include <stdlib.h>

#include "pmpi-shim/route/base/route_state.h"
#include "pmpi-shim/route/coll/route_call_cache.h"

static bool is_plain(const struct route_side *side)
{
	return !route_has_counts(side) && !side->types &&
	       (side->type == MPI_DATATYPE_NULL ||
		abi_type_is_builtin(side->type));
}

static bool can_be_cached(const struct route_call *call)
{
	switch (call->kind) {
	case ROUTE_ALLREDUCE:
		return abi_op_is_builtin(call->op) && is_plain(&call->in);
	case ROUTE_BARRIER:
	case ROUTE_BCAST:
	case ROUTE_ALLGATHER:
		return is_plain(&call->out) && is_plain(&call->in);
	default:
		return false;
	}
}

void route_call_remember(const struct route_coll *c)
{
	const struct route_call *call = c->call;
	struct route_comm *members = call->members;

	if (!can_be_cached(call))
		return;
	if (!members->cache)
		members->cache = calloc(ROUTE_KINDS, sizeof(*members->cache));
	if (members->cache)
		members->cache[call->kind] = (struct route_cache){
			.method = c->coll->method,
			.own_order = c->coll->own_order,
			.bytes = c->bytes,
			.op = call->op,
			.root = call->root,
			.types = { call->out.type, call->in.type },
			.counts = { call->out.count, call->in.count },
		};
}
