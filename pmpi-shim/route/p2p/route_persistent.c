/* SPDX-License-Identifier: BSD-3-Clause */

/* MPI_Send_init and the other persistent messages, and MPI_Start. */
#include "pmpi-shim/route/base/route_comm.h"
#include "pmpi-shim/route/base/route_forms.h"
#include "pmpi-shim/route/base/route_install.h"
#include "pmpi-shim/route/base/route_op.h"
#include "pmpi-shim/route/base/route_state.h"
#include "pmpi-shim/route/p2p/route_request.h"
#include "pmpi-shim/route/p2p/route_strict.h"

static int init(bool is_send, const struct route_buffer *buffer, int peer,
		int tag, struct route_comm *comm, enum route_send mode,
		bool buffered, MPI_Request *handle)
{
	struct route_request *request = route_request_new();

	if (!request)
		return route_error(comm->handle, MPI_ERR_NO_MEM);
	request->persistent = true;
	request->is_send = is_send;
	request->buffer = *buffer;
	/* Without elements the type may be none. */
	if (buffer->count == 0)
		request->buffer.type = MPI_BYTE;
	if (!abi_type_is_builtin(request->buffer.type))
		route_type_keep(&request->buffer.type);
	request->op.comm = comm->handle;
	request->members = comm;
	route_comm_hold(comm);
	request->peer = peer;
	request->tag = tag;
	request->mode = mode;
	request->buffered = buffered;
	*handle = request->handle;
	return MPI_SUCCESS;
}

SHIM_INLINE bool is_synchronous(enum shim_call call)
{
	return call == SHIM_MPI_Ssend_init || call == SHIM_MPI_Ssend_init_c;
}

SHIM_INLINE bool is_buffered(enum shim_call call)
{
	return call == SHIM_MPI_Bsend_init || call == SHIM_MPI_Bsend_init_c;
}

SHIM_INLINE bool try_send_init(enum shim_call call, int *rc, const void *buf,
			       MPI_Count count, MPI_Datatype type, int dest,
			       int tag, MPI_Comm comm, MPI_Request *request)
{
	const struct route_buffer b = route_buffer_of(buf, count, type);
	struct route_comm *to = route_send_fits(&b, dest, tag, comm);

	if (!request || !to)
		return false;
	*rc = init(true, &b, dest, tag, to,
		   is_synchronous(call) ? ROUTE_SYNCHRONOUS : ROUTE_STANDARD,
		   is_buffered(call), request);
	return true;
}

SHIM_INLINE bool try_recv_init(enum shim_call call, int *rc, void *buf,
			       MPI_Count count, MPI_Datatype type, int source,
			       int tag, MPI_Comm comm, MPI_Request *request)
{
	const struct route_buffer b = route_buffer_of(buf, count, type);
	struct route_comm *from = route_recv_fits(&b, source, tag, comm);

	(void)call;
	if (!request || !from)
		return false;
	*rc = init(false, &b, source, tag, from, ROUTE_STANDARD, false,
		   request);
	return true;
}

ROUTE_TRY(Send_init, try_send_init)
ROUTE_TRY(Rsend_init, try_send_init)
ROUTE_TRY(Ssend_init, try_send_init)
ROUTE_TRY(Bsend_init, try_send_init)
ROUTE_TRY(Recv_init, try_recv_init)

/* The buffered send goes its own way; this request is done. */
static int start_buffered(struct route_request *r)
{
	const struct route_buffer b = r->buffer;
	const int rc = route_bsend(&b, r->peer, r->tag, r->members);

	if (rc != MPI_SUCCESS)
		return rc;
	r->op.op.kind = OP_SEND;
	r->op.op.error = 0;
	atomic_store(&r->op.op.done, 1);
	r->active = true;
	return MPI_SUCCESS;
}

static int start(struct route_request *r)
{
	const struct route_buffer b = r->buffer;
	int rc;

	if (r->kind)
		return r->kind->start(r);
	if (r->is_send)
		route_strict_send(&b);
	if (r->buffered)
		return start_buffered(r);
	if (r->is_send)
		rc = route_send_make(&r->op, &b, r->peer, r->tag, r->members,
				     r->mode);
	else
		rc = route_recv_make(&r->op, &b, r->peer, r->tag, r->members);
	if (rc != MPI_SUCCESS)
		return route_error(route_request_comm(r), rc);
	r->active = true;
	route_strict_begin(&r->op, r);
	engines_post(&route_engines, &r->op.op);
	return MPI_SUCCESS;
}

#define TAG_REFUSED 2 /* on route_self */

/*
 * Lets MPI refuse to start a request that is under way. MPI gets one of its own
 * of the same kind, persistent or not.
 */
static int refuse(bool persistent, bool all)
{
	MPI_Request like;
	int rc;

	if (persistent) {
		REAL(Recv_init)
		(NULL, 0, MPI_BYTE, 0, TAG_REFUSED, route_self, &like);
		REAL(Start)(&like);
	} else {
		REAL(Irecv)
		(NULL, 0, MPI_BYTE, 0, TAG_REFUSED, route_self, &like);
	}
	rc = all ? REAL(Startall)(1, &like) : REAL(Start)(&like);
	REAL(Cancel)(&like);
	REAL(Wait)(&like, MPI_STATUS_IGNORE);
	if (persistent)
		REAL(Request_free)(&like);
	return rc;
}

static int Start(MPI_Request *request)
{
	struct route_request *r;

	if (!request || !route_request_is_live(*request))
		return REAL(Start)(request);
	r = route_request_get(*request);
	if (!r->persistent || r->active)
		return refuse(r->persistent, false);
	return start(r);
}

/* Nothing is started if one of them cannot be. */
static int Startall(int count, MPI_Request requests[])
{
	struct route_request *r;
	int rc = MPI_SUCCESS;
	bool ours = false;

	for (int i = 0; requests && i < count; i++)
		ours |= route_is_ours(requests[i]);
	if (!ours)
		return REAL(Startall)(count, requests);
	for (int i = 0; i < count; i++) {
		if (requests[i] == MPI_REQUEST_NULL ||
		    (route_is_ours(requests[i]) &&
		     !route_request_is_live(requests[i])))
			return REAL(Startall)(1, &requests[i]);
		r = route_request_find(requests[i]);
		if (r && (!r->persistent || r->active))
			return refuse(r->persistent, true);
	}
	for (int i = 0; rc == MPI_SUCCESS && i < count; i++)
		rc = Start(&requests[i]);
	return rc;
}

void route_persistent_install(struct shim_pmpi *table)
{
	ROUTE_INSTALL(Send_init, table);
	ROUTE_INSTALL(Rsend_init, table);
	ROUTE_INSTALL(Ssend_init, table);
	ROUTE_INSTALL(Bsend_init, table);
	ROUTE_INSTALL(Recv_init, table);
	table->MPI_Start = Start;
	table->MPI_Startall = Startall;
}
