/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * MPI_Wait, MPI_Test and other calls for one request.  Calls for arrays are in
 * route_many_all.c and route_many_any.c.
 */
#include "pmpi-shim/route/base/route_blocked.h"
#include "pmpi-shim/route/base/route_comm.h"
#include "pmpi-shim/route/base/route_install.h"
#include "pmpi-shim/route/base/route_op.h"
#include "pmpi-shim/route/base/route_progress.h"
#include "pmpi-shim/route/base/route_state.h"
#include "pmpi-shim/route/p2p/route_guard.h"
#include "pmpi-shim/route/p2p/route_request.h"
#include "pmpi-shim/route/p2p/route_strict.h"
#include "pmpi-shim/shim.h"

bool route_request_is_soon(MPI_Request handle)
{
	const struct route_request *r = route_request_get(handle);

	if (!r->active || r->ended || r->kind)
		return false;
	return engines_is_soon(&route_engines, &r->op.op) ||
	       (r->op.also && engines_is_soon(&route_engines, &r->op.also->op));
}

static bool request_ready(void *request)
{
	return route_request_is_done(request);
}

/* Ends a request once, and keeps its error class. */
SHIM_INLINE int request_end(struct route_request *r, MPI_Status *status)
{
	if (!r->ended && !r->kind) {
		if (r->op.op.error > 0)
			route_op_unlike(&r->op, r->handle);
		route_strict_end(&r->op, r);
		r->error = route_op_end(&r->op, status);
	} else {
		if (!r->ended)
			r->error = r->kind->end(r);
		route_status_fill(&r->op, status);
	}
	r->ended = true;
	return r->error;
}

static uint32_t context_of(const struct route_request *r)
{
	return r->members ? r->members->context : r->op.op.key.context;
}

MPI_Comm route_request_comm(const struct route_request *r)
{
	const struct route_comm *comm = route_comm_find(r->op.comm);

	return comm && comm->context == context_of(r) ? r->op.comm
						      : MPI_COMM_WORLD;
}

static const struct route_comm *members_of(const struct route_request *r)
{
	const struct route_comm *comm = r->members
						? r->members
						: route_comm_find(r->op.comm);

	return comm && comm->context == context_of(r) ? comm : NULL;
}

bool route_request_describe(struct blocked *b, struct route_request *r)
{
	const struct route_comm *comm = members_of(r);
	struct blocked_comm where;

	if (r->kind)
		return r->kind->describe(b, r);
	if (!comm)
		return false;
	where = route_blocked_comm(comm);
	if (!r->op.also)
		return engines_blocked_op(&route_engines, b, &r->op.op, &where);
	/* Both have to end: that one of them does not is enough to know. */
	return !blocked_any(b) &&
	       (engines_blocked_op(&route_engines, b, &r->op.op, &where) ||
		engines_blocked_op(&route_engines, b, &r->op.also->op, &where));
}

static bool request_describe(struct blocked *b, void *request)
{
	struct route_request *r = request;

	return route_blocked_group(b, false, members_of(r)) &&
	       route_request_describe(b, r);
}

int route_request_finish(MPI_Request *handle, MPI_Status *status,
			 MPI_Comm *whose)
{
	struct route_request *r = route_request_get(*handle);
	int rc = MPI_SUCCESS;

	if (*handle == ABI_REQUEST_DONE) {
		*handle = MPI_REQUEST_NULL;
		route_status_empty(status);
		return MPI_SUCCESS;
	}
	if (r->active)
		rc = request_end(r, status);
	else
		route_status_empty(status);
	if (__builtin_expect(rc != MPI_SUCCESS, 0) && whose)
		*whose = route_request_comm(r);
	r->active = false;
	r->ended = false;
	if (!r->persistent) {
		route_request_release(r);
		*handle = MPI_REQUEST_NULL;
	}
	route_requests_unpack_freed();
	return rc;
}

void route_request_await(MPI_Request handle)
{
	struct route_request *r = route_request_get(handle);

	if (r->active && !r->ended && !route_request_is_done(r))
		engines_wait_until(&route_engines, request_ready, r);
}

/* Finishes a request, and calls the error handler if it failed. */
static int finish(MPI_Request *request, MPI_Status *status)
{
	MPI_Comm comm = MPI_COMM_WORLD;
	const int rc = route_request_finish(request, status, &comm);

	return route_error(comm, rc);
}

int route_request_wait(MPI_Request *request, MPI_Status *status)
{
	route_request_await(*request);
	return finish(request, status);
}

/*
 * MPI is given a null request in the place of ours where it is to say what else
 * it is that it does not take.
 */
static int Wait(MPI_Request *request, MPI_Status *status)
{
	MPI_Request null = MPI_REQUEST_NULL;

	if (!request || !route_request_is_live(*request))
		return REAL(Wait)(request, status);
	if (!status)
		return REAL(Wait)(&null, status);
	return route_request_wait(request, status);
}

static bool one_ready(void *handle)
{
	return route_request_is_ready(*(MPI_Request *)handle);
}

static bool one_soon(void *handle)
{
	return route_request_is_soon(*(MPI_Request *)handle);
}

/* Whether it is ready; at the first test, if it could be. */
static bool one_test(MPI_Request handle)
{
	if (route_request_is_ready(handle))
		return true;
	route_catch_up(one_ready, one_soon, &handle);
	return route_request_is_ready(handle);
}

static int native_test(MPI_Request *request, int *flag, MPI_Status *status)
{
	const int rc = REAL(Test)(request, flag, status);

	return route_said_no(rc, flag) ? REAL(Test)(request, flag, status) : rc;
}

static int Test(MPI_Request *request, int *flag, MPI_Status *status)
{
	MPI_Request null = MPI_REQUEST_NULL;

	if (!request || !route_request_is_live(*request))
		return native_test(request, flag, status);
	if (!flag || !status)
		return REAL(Test)(&null, flag, status);
	*flag = one_test(*request);
	return *flag ? finish(request, status) : MPI_SUCCESS;
}

static int native_get_status(MPI_Request request, int *flag, MPI_Status *status)
{
	const int rc = REAL(Request_get_status)(request, flag, status);

	return route_said_no(rc, flag)
		       ? REAL(Request_get_status)(request, flag, status)
		       : rc;
}

int route_request_look(MPI_Request handle, MPI_Status *status)
{
	struct route_request *r = route_request_get(handle);

	if (r->active && handle != ABI_REQUEST_DONE)
		return request_end(r, status);
	route_status_empty(status);
	return MPI_SUCCESS;
}

static int Request_get_status(MPI_Request request, int *flag,
			      MPI_Status *status)
{
	if (!route_request_is_live(request))
		return native_get_status(request, flag, status);
	if (!flag || !status)
		return REAL(Request_get_status)(MPI_REQUEST_NULL, flag, status);
	*flag = one_test(request);
	if (!*flag)
		return MPI_SUCCESS;
	return route_error(route_request_comm(route_request_get(request)),
			   route_request_look(request, status));
}

static int Request_free(MPI_Request *request)
{
	struct route_request *r;

	if (!request || !route_request_is_live(*request))
		return REAL(Request_free)(request);
	r = route_request_get(*request);
	*request = MPI_REQUEST_NULL;
	if (r->handle == ABI_REQUEST_DONE)
		return MPI_SUCCESS;
	if (r->active && !r->ended && !route_request_is_flush(r)) {
		route_guard_end(r);
		route_request_leave(r);
	} else {
		route_request_release(r);
	}
	return MPI_SUCCESS;
}

/* Lets MPI refuse the call, with a collective request of its own. */
static int refuse_coll(void)
{
	MPI_Request like;
	int rc;

	REAL(Ibarrier)(route_self, &like);
	rc = REAL(Cancel)(&like);
	REAL(Wait)(&like, MPI_STATUS_IGNORE);
	return rc;
}

/* Lets MPI refuse the call, with an inactive persistent request of its own. */
static int refuse_idle(void)
{
	MPI_Request like;
	int rc;

	REAL(Recv_init)(NULL, 0, MPI_BYTE, 0, 0, route_self, &like);
	rc = REAL(Cancel)(&like);
	REAL(Request_free)(&like);
	return rc;
}

/* Receives only: a send that was posted will be received. */
static int Cancel(MPI_Request *request)
{
	struct route_request *r;

	if (!request || !route_request_is_live(*request))
		return REAL(Cancel)(request);
	r = route_request_get(*request);
	if (route_request_is_flush(r))
		return MPI_SUCCESS;
	if (r->coll)
		return refuse_coll();
	if (!r->active)
		return refuse_idle();
	engines_cancel(&route_engines, &r->op.op);
	return MPI_SUCCESS;
}

void route_complete_install(struct shim_pmpi *table)
{
	route_blocked_know(request_ready, request_describe);
	table->MPI_Wait = Wait;
	table->MPI_Test = Test;
	table->MPI_Request_free = Request_free;
	table->MPI_Request_get_status = Request_get_status;
	table->MPI_Cancel = Cancel;
}
