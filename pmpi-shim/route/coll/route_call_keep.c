/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Keeps the datatypes of a collective that goes on after its call: the program
 * may free them meanwhile.
 */
#include <stdlib.h>

#include "pmpi-shim/route/base/route_state.h"
#include "pmpi-shim/route/coll/route_side.h"

static int type_keep(MPI_Datatype *type)
{
	if (abi_type_is_builtin(*type) || *type == MPI_DATATYPE_NULL)
		return MPI_SUCCESS;
	return route_type_keep(type);
}

static void type_release(MPI_Datatype type)
{
	if (!abi_type_is_builtin(type) && type != MPI_DATATYPE_NULL)
		REAL(Type_free)(&type);
}

static int types_keep(struct route_side *side, MPI_Datatype *copies, int n)
{
	int rc = MPI_SUCCESS;

	for (int i = 0; i < n; i++) {
		copies[i] = route_count_at(side->counts, i) ? side->types[i]
							    : MPI_DATATYPE_NULL;
		if (rc == MPI_SUCCESS)
			rc = type_keep(&copies[i]);
	}
	side->types = copies;
	return rc;
}

static void side_release(const struct route_side *side, int n)
{
	if (!side->types)
		type_release(side->type);
	for (int i = 0; side->types && i < n; i++)
		type_release(side->types[i]);
}

static int side_keep(struct route_side *side, MPI_Datatype *copies, int n)
{
	if (route_is_in_place(side)) {
		side->type = MPI_DATATYPE_NULL;
		side->types = NULL;
		return MPI_SUCCESS;
	}
	if (side->types)
		return types_keep(side, copies, n);
	return type_keep(&side->type);
}

/* Clears arguments that MPI ignores at ranks other than the root. */
static void drop_what_is_not_looked_at(struct route_call *call)
{
	const bool root = call->root == call->members->rank;
	const struct route_side nothing = { .type = MPI_DATATYPE_NULL };

	if (call->kind == ROUTE_BARRIER ||
	    (call->kind == ROUTE_GATHER && !root))
		call->in = nothing;
	if (call->kind == ROUTE_BARRIER || call->kind == ROUTE_BCAST ||
	    (call->kind == ROUTE_SCATTER && !root))
		call->out = nothing;
}

int route_call_keep(struct route_coll *c, struct route_call *call)
{
	const int n = call->members->size;
	int rc;

	if (call->kind >= ROUTE_REDUCE) /* route_op_keep */
		return MPI_SUCCESS;
	drop_what_is_not_looked_at(call);
	if (call->out.types || call->in.types) {
		c->types = calloc(2 * (size_t)n, sizeof(*c->types));
		if (!c->types)
			return MPI_ERR_NO_MEM;
	}
	rc = side_keep(&call->out, c->types, n);
	if (rc == MPI_SUCCESS)
		rc = side_keep(&call->in, c->types + n, n);
	c->keeps_types = true;
	return rc;
}

void route_call_release(struct route_coll *c)
{
	const int n = c->call->members->size;

	if (!c->keeps_types)
		return;
	c->keeps_types = false;
	side_release(&c->call->out, n);
	side_release(&c->call->in, n);
	free(c->types);
	c->types = NULL;
}
