/* SPDX-License-Identifier: BSD-3-Clause */

/* MPI_Recv, MPI_Sendrecv and the other receives and exchanges. */
#include <stdlib.h>
#include <string.h>

#include "abi.h"
#include "pmpi-shim/route/base/route_comm.h"
#include "pmpi-shim/route/base/route_forms.h"
#include "pmpi-shim/route/base/route_install.h"
#include "pmpi-shim/route/base/route_op.h"
#include "pmpi-shim/route/base/route_progress.h"
#include "pmpi-shim/route/base/route_state.h"
#include "pmpi-shim/route/p2p/route_request.h"
#include "pmpi-shim/route/p2p/route_strict.h"

static int recv_run(const struct route_buffer *buffer, int source, int tag,
		    const struct route_comm *comm, MPI_Status *status)
{
	struct route_op op;
	int rc = route_recv_make(&op, buffer, source, tag, comm);

	if (rc == MPI_SUCCESS) {
		route_strict_begin(&op, NULL);
		engines_run(&route_engines, &op.op);
		route_strict_end(&op, NULL);
		rc = route_op_end(&op, status);
		route_requests_unpack_freed();
	}
	return route_error(comm->handle, rc);
}

SHIM_INLINE int irecv_run(const struct route_buffer *buffer, int source,
			  int tag, const struct route_comm *comm,
			  MPI_Request *handle)
{
	struct route_request *request = route_request_new();
	int rc;

	if (!request)
		return route_error(comm->handle, MPI_ERR_NO_MEM);
	rc = route_recv_make(&request->op, buffer, source, tag, comm);
	if (rc != MPI_SUCCESS) {
		route_request_release(request);
		return route_error(comm->handle, rc);
	}
	request->active = true;
	if (!abi_type_is_builtin(buffer->type))
		route_op_keep_type(&request->op);
	route_strict_begin(&request->op, request);
	engines_post(&route_engines, &request->op.op);
	*handle = request->handle;
	return MPI_SUCCESS;
}

SHIM_INLINE bool try_recv(enum shim_call call, int *rc, void *buf,
			  MPI_Count count, MPI_Datatype type, int source,
			  int tag, MPI_Comm comm, MPI_Status *status)
{
	const struct route_buffer b = route_buffer_of(buf, count, type);
	const struct route_comm *from = route_recv_fits(&b, source, tag, comm);

	(void)call;
	if (!from || !status)
		return false;
	*rc = recv_run(&b, source, tag, from, status);
	return true;
}

SHIM_INLINE bool try_irecv(enum shim_call call, int *rc, void *buf,
			   MPI_Count count, MPI_Datatype type, int source,
			   int tag, MPI_Comm comm, MPI_Request *request)
{
	const struct route_buffer b = route_buffer_of(buf, count, type);
	const struct route_comm *from = route_recv_fits(&b, source, tag, comm);

	(void)call;
	if (!request || !from) {
		route_post_is_slow();
		return false;
	}
	*rc = irecv_run(&b, source, tag, from, request);
	return true;
}

ROUTE_TRY(Recv, try_recv)
ROUTE_TRY(Irecv, try_irecv)

/* A send and a receive at a time; MPI_PROC_NULL may stand for either. */
struct exchange {
	struct route_buffer out;
	int dest;
	int sendtag;
	struct route_buffer in;
	int source;
	int recvtag;
	MPI_Comm comm;
	const struct route_comm *members; /* of it; exchange_fits */
};

/* MPI looks at what would go to nobody, too. */
static bool nobodys_fits(const struct route_buffer *buffer, int tag)
{
	return route_message_fits(buffer) && tag >= 0 && tag <= ROUTE_TAG_MAX;
}

static bool exchange_fits(struct exchange *x)
{
	const bool sends = x->dest != MPI_PROC_NULL;
	const bool receives = x->source != MPI_PROC_NULL;

	x->members = NULL;
	if (!sends && !nobodys_fits(&x->out, x->sendtag))
		return false;
	if (!receives &&
	    !nobodys_fits(&x->in, x->recvtag == MPI_ANY_TAG ? 0 : x->recvtag))
		return false;
	if (sends)
		x->members = route_send_fits(&x->out, x->dest, x->sendtag,
					     x->comm);
	if (receives && (!sends || x->members))
		x->members = route_recv_fits(&x->in, x->source, x->recvtag,
					     x->comm);
	return x->members;
}

static void status_proc_null(MPI_Status *status)
{
	route_status_empty(status);
	if (status != MPI_STATUS_IGNORE)
		status->MPI_SOURCE = MPI_PROC_NULL;
}

static int exchange_send(const struct exchange *x, struct route_op *op)
{
	int rc = route_send_make(op, &x->out, x->dest, x->sendtag, x->members,
				 ROUTE_STANDARD);

	if (rc == MPI_SUCCESS) {
		route_strict_begin(op, NULL);
		engines_post(&route_engines, &op->op);
	}
	return rc;
}

static int exchange_end(struct route_op *op, MPI_Status *status)
{
	int rc;

	engines_wait(&route_engines, &op->op);
	rc = route_op_end(op, status);
	route_requests_unpack_freed();
	return rc;
}

static int exchange_run(const struct exchange *x, MPI_Status *status)
{
	const bool sends = x->dest != MPI_PROC_NULL;
	const bool receives = x->source != MPI_PROC_NULL;
	struct route_op out;
	struct route_op in;
	int rc = MPI_SUCCESS;

	if (sends)
		route_strict_send(&x->out);
	if (sends && receives)
		route_strict_exchange(&x->out, &x->in);
	if (receives)
		rc = route_recv_make(&in, &x->in, x->source, x->recvtag,
				     x->members);
	if (rc != MPI_SUCCESS)
		return rc;
	if (receives) {
		route_strict_begin(&in, NULL);
		engines_post(&route_engines, &in.op);
	}
	if (sends)
		rc = exchange_send(x, &out);
	if (sends && rc == MPI_SUCCESS)
		rc = exchange_end(&out, MPI_STATUS_IGNORE);
	if (!receives)
		status_proc_null(status);
	else if (rc == MPI_SUCCESS)
		rc = exchange_end(&in, status);
	else
		engines_cancel(&route_engines, &in.op);
	return rc;
}

static bool try_sendrecv(enum shim_call call, int *rc, const void *sendbuf,
			 MPI_Count sendcount, MPI_Datatype sendtype, int dest,
			 int sendtag, void *recvbuf, MPI_Count recvcount,
			 MPI_Datatype recvtype, int source, int recvtag,
			 MPI_Comm comm, MPI_Status *status)
{
	struct exchange x = {
		route_buffer_of(sendbuf, sendcount, sendtype),
		dest,
		sendtag,
		route_buffer_of(recvbuf, recvcount, recvtype),
		source,
		recvtag,
		comm,
		NULL,
	};

	(void)call;
	if (!status || !exchange_fits(&x))
		return false;
	*rc = route_error(comm, exchange_run(&x, status));
	return true;
}

ROUTE_TRY(Sendrecv, try_sendrecv)

/*
 * Copies the bytes to send, since the received message replaces them. The
 * buffer is free once it is packed, or copied if it need not be packed.
 */
static void *replace_copy(struct exchange *x, int *rc)
{
	MPI_Count size = 0;
	void *copy;

	if (x->out.count)
		REAL(Type_size_x)(x->out.type, &size);
	size *= x->out.count;
	copy = malloc((size_t)size + 1);
	if (!copy) {
		*rc = MPI_ERR_NO_MEM;
		return NULL;
	}
	if (size)
		*rc = route_pack(&x->out, copy, (uint64_t)size);
	x->out = (struct route_buffer){ copy, size, MPI_BYTE,
					route_buffer_signature(&x->out) };
	return copy;
}

static int replace_run(struct exchange *x, MPI_Status *status)
{
	int rc = MPI_SUCCESS;
	void *copy = replace_copy(x, &rc);

	if (rc == MPI_SUCCESS)
		rc = exchange_run(x, status);
	free(copy);
	return route_error(x->comm, rc);
}

static bool try_sendrecv_replace(enum shim_call call, int *rc, void *buf,
				 MPI_Count count, MPI_Datatype type, int dest,
				 int sendtag, int source, int recvtag,
				 MPI_Comm comm, MPI_Status *status)
{
	struct exchange x = { route_buffer_of(buf, count, type),
			      dest,
			      sendtag,
			      route_buffer_of(buf, count, type),
			      source,
			      recvtag,
			      comm,
			      NULL };

	(void)call;
	if (!status || !exchange_fits(&x))
		return false;
	*rc = replace_run(&x, status);
	return true;
}

ROUTE_TRY(Sendrecv_replace, try_sendrecv_replace)

/* The send of an MPI_Isendrecv, which is done when both are. */
static int isend_also(const struct exchange *x, struct route_request *request,
		      enum route_also also)
{
	struct route_op *send = malloc(sizeof(*send));
	int rc;

	if (!send)
		return MPI_ERR_NO_MEM;
	rc = route_send_make(send, &x->out, x->dest, x->sendtag, x->members,
			     ROUTE_STANDARD);
	if (rc != MPI_SUCCESS) {
		free(send);
		return rc;
	}
	if (also == ROUTE_ALSO_COPY)
		send->packed = x->out.address;
	request->op.also = send;
	return MPI_SUCCESS;
}

/* A receive from nobody: done at once. */
static void recv_from_nobody(struct route_request *request,
			     const struct exchange *x)
{
	request->op.comm = x->comm;
	request->op.buffer = x->in;
	request->op.op.kind = OP_RECV;
	request->op.op.source = MPI_PROC_NULL;
	request->op.op.tag = MPI_ANY_TAG;
	request->op.op.path = 0;
	atomic_store(&request->op.op.done, 1);
}

static int iexchange_make(const struct exchange *x,
			  struct route_request *request, enum route_also also)
{
	int rc = MPI_SUCCESS;

	if (x->source == MPI_PROC_NULL)
		recv_from_nobody(request, x);
	else
		rc = route_recv_make(&request->op, &x->in, x->source,
				     x->recvtag, x->members);
	if (rc == MPI_SUCCESS && x->dest != MPI_PROC_NULL)
		rc = isend_also(x, request, also);
	return rc;
}

static int iexchange_run(const struct exchange *x, MPI_Request *handle,
			 enum route_also also)
{
	struct route_request *request = route_request_new();
	int rc;

	if (!request)
		return route_error(x->comm, MPI_ERR_NO_MEM);
	if (x->dest != MPI_PROC_NULL)
		route_strict_send(&x->out);
	if (x->dest != MPI_PROC_NULL && x->source != MPI_PROC_NULL)
		route_strict_exchange(&x->out, &x->in);
	rc = iexchange_make(x, request, also);
	if (rc != MPI_SUCCESS) {
		route_request_release(request);
		return route_error(x->comm, rc);
	}
	request->active = true;
	if (x->source != MPI_PROC_NULL) {
		route_op_keep_type(&request->op);
		route_strict_begin(&request->op, NULL);
		engines_post(&route_engines, &request->op.op);
	}
	if (request->op.also) {
		route_strict_begin(request->op.also, NULL);
		engines_post(&route_engines, &request->op.also->op);
	}
	*handle = request->handle;
	return MPI_SUCCESS;
}

static bool try_isendrecv(enum shim_call call, int *rc, const void *sendbuf,
			  MPI_Count sendcount, MPI_Datatype sendtype, int dest,
			  int sendtag, void *recvbuf, MPI_Count recvcount,
			  MPI_Datatype recvtype, int source, int recvtag,
			  MPI_Comm comm, MPI_Request *request)
{
	struct exchange x = {
		route_buffer_of(sendbuf, sendcount, sendtype),
		dest,
		sendtag,
		route_buffer_of(recvbuf, recvcount, recvtype),
		source,
		recvtag,
		comm,
		NULL,
	};

	(void)call;
	if (!request || !exchange_fits(&x))
		return false;
	*rc = iexchange_run(&x, request, ROUTE_ALSO_BUFFER);
	return true;
}

ROUTE_TRY(Isendrecv, try_isendrecv)

static int ireplace_run(struct exchange *x, MPI_Request *request)
{
	int rc = MPI_SUCCESS;
	void *copy = replace_copy(x, &rc);

	if (rc == MPI_SUCCESS)
		rc = iexchange_run(x, request, ROUTE_ALSO_COPY);
	else
		route_error(x->comm, rc);
	if (rc != MPI_SUCCESS || x->dest == MPI_PROC_NULL)
		free(copy);
	return rc;
}

static bool try_isendrecv_replace(enum shim_call call, int *rc, void *buf,
				  MPI_Count count, MPI_Datatype type, int dest,
				  int sendtag, int source, int recvtag,
				  MPI_Comm comm, MPI_Request *request)
{
	struct exchange x = { route_buffer_of(buf, count, type),
			      dest,
			      sendtag,
			      route_buffer_of(buf, count, type),
			      source,
			      recvtag,
			      comm,
			      NULL };

	(void)call;
	if (!request || !exchange_fits(&x))
		return false;
	*rc = ireplace_run(&x, request);
	return true;
}

ROUTE_TRY(Isendrecv_replace, try_isendrecv_replace)

void route_recv_install(struct shim_pmpi *table)
{
	ROUTE_INSTALL(Recv, table);
	ROUTE_INSTALL(Irecv, table);
	ROUTE_INSTALL(Sendrecv, table);
	ROUTE_INSTALL(Sendrecv_replace, table);
	ROUTE_INSTALL(Isendrecv, table);
	ROUTE_INSTALL(Isendrecv_replace, table);
}
