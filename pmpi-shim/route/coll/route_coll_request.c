/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Requests of nonblocking and persistent collectives.  They keep the arguments
 * of the call, which returns before the collective is done.
 */
#include <stdlib.h>

#include "pmpi-shim/route/base/route_blocked.h"
#include "pmpi-shim/route/base/route_state.h"
#include "pmpi-shim/route/coll/route_coll.h"

static void let_go(struct route_coll *c)
{
	if (!c)
		return;
	if (c->keeps_op)
		route_op_release();
	route_call_release(c);
	route_comm_drop(c->call->members);
	free(c); /* the first of what was kept */
}

/* A collective with its arguments, which have to outlive the call. */
struct kept {
	struct route_coll coll;
	struct route_call call;
};

static struct route_coll *coll_keep(const struct route_call *call)
{
	struct kept *kept = calloc(1, sizeof(*kept));
	struct route_coll *c = &kept->coll;

	if (!kept)
		return NULL;
	kept->call = *call;
	kept->call.cached = NULL; /* by then another may be there */
	c->call = &kept->call;
	route_comm_hold(c->call->members);
	c->keeps_op = call->kind >= ROUTE_REDUCE &&
		      (!abi_op_is_builtin(call->op) ||
		       !abi_type_is_builtin(call->in.type));
	if (c->keeps_op)
		route_op_keep();
	if (route_call_keep(c, &kept->call) == MPI_SUCCESS)
		return c;
	let_go(c);
	return NULL;
}

static bool request_is_done(struct route_request *request)
{
	return route_coll_looks_done(request->coll);
}

static int request_end(struct route_request *request)
{
	return route_coll_outcome(request->coll);
}

static int request_start(struct route_request *request)
{
	const int rc = route_coll_start(request->coll, true);

	request->active = rc == MPI_SUCCESS;
	return route_error(route_request_comm(request), rc);
}

static void request_release(struct route_request *request)
{
	let_go(request->coll);
}

static bool request_describe(struct blocked *b, struct route_request *request)
{
	return route_coll_describe(b, request->coll);
}

static const struct route_request_kind kind = {
	.is_done = request_is_done,
	.end = request_end,
	.start = request_start,
	.release = request_release,
	.describe = request_describe,
};

static struct route_request *request_make(const struct route_call *call)
{
	struct route_request *request = route_request_new();

	if (!request)
		return NULL;
	request->coll = coll_keep(call);
	request->op.comm = call->comm;
	request->op.op.kind = OP_SEND;
	if (!request->coll) {
		route_request_release(request);
		return NULL;
	}
	request->kind = &kind;
	request->op.op.key.context = call->members->context;
	route_call_number(request->coll, false);
	return request;
}

int route_coll_post(const struct route_call *call, struct route_companion *also,
		    MPI_Request *handle)
{
	struct route_request *request = request_make(call);
	int rc = MPI_ERR_NO_MEM;

	if (request) {
		request->coll->also = also;
		rc = route_coll_start(request->coll, true);
	}
	if (rc == MPI_SUCCESS) {
		request->active = true;
		*handle = request->handle;
	} else if (request) {
		route_request_release(request);
	}
	return route_error(call->comm, rc);
}

int route_coll_init(const struct route_call *call, MPI_Request *handle)
{
	struct route_request *request = request_make(call);

	if (!request)
		return route_error(call->comm, MPI_ERR_NO_MEM);
	request->persistent = true;
	request->buffer.type = MPI_BYTE;
	*handle = request->handle;
	return MPI_SUCCESS;
}
