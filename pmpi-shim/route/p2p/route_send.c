/* SPDX-License-Identifier: BSD-3-Clause */

/* MPI_Send and the other sends. */
#include <stdlib.h>
#include <string.h>

#include "mds/base/clock.h"
#include "pmpi-shim/job/process.h"
#include "pmpi-shim/route/base/route_comm.h"
#include "pmpi-shim/route/base/route_forms.h"
#include "pmpi-shim/route/base/route_install.h"
#include "pmpi-shim/route/base/route_op.h"
#include "pmpi-shim/route/base/route_progress.h"
#include "pmpi-shim/route/base/route_state.h"
#include "pmpi-shim/route/p2p/route_request.h"
#include "pmpi-shim/route/p2p/route_strict.h"

#define ROOM_WAIT_NS     10000000
#define ROOM_WAIT_SLICES 4

/*
 * Sends contiguous bytes at once, without a descriptor. True if the program may
 * use the buffer again.
 */
SHIM_INLINE bool is_sent(const struct route_buffer *buffer, int dest, int tag,
			 const struct route_comm *comm, enum route_send mode)
{
	const struct match_key key = { comm->context, comm->rank, tag };

	return mode == ROUTE_STANDARD && abi_type_is_builtin(buffer->type) &&
	       engines_send_now(&route_engines,
				rank_map_at(&comm->peers, (uint32_t)dest), &key,
				route_buffer_signature(buffer), buffer->address,
				route_buffer_bytes(buffer));
}

/* Sends a packed buffer at once, in the same way. */
static bool op_is_sent(const struct route_op *op)
{
	return op->packed && !op->op.synchronous &&
	       engines_send_now(&route_engines, op->op.peer, &op->op.key,
				op->op.signature, op->op.buf, op->op.bytes);
}

static int send_run(const struct route_buffer *buffer, int dest, int tag,
		    const struct route_comm *comm, enum route_send mode)
{
	struct route_op op;
	int rc;

	if (is_sent(buffer, dest, tag, comm, mode))
		return MPI_SUCCESS;
	rc = route_send_make(&op, buffer, dest, tag, comm, mode);
	if (rc == MPI_SUCCESS && !op_is_sent(&op)) {
		route_strict_begin(&op, NULL);
		engines_run(&route_engines, &op.op);
		route_requests_unpack_freed();
	}
	free(op.packed);
	return route_error(comm->handle, rc);
}

/* It becomes a request's. */
static int post(const struct route_op *op, MPI_Request *handle)
{
	struct route_request *request = route_request_new();

	if (!request) {
		free(op->packed);
		return MPI_ERR_NO_MEM;
	}
	memcpy(&request->op, op, sizeof(*op));
	request->active = true;
	route_strict_begin(&request->op, request);
	engines_post(&route_engines, &request->op.op);
	*handle = request->handle;
	return MPI_SUCCESS;
}

static bool is_long(const struct route_buffer *buffer)
{
	return !abi_type_is_builtin(buffer->type) ||
	       route_buffer_bytes(buffer) > ROUTE_QUICK;
}

SHIM_INLINE int isend_run(const struct route_buffer *buffer, int dest, int tag,
			  const struct route_comm *comm, enum route_send mode,
			  MPI_Request *handle)
{
	struct route_op op;
	int rc;

	*handle = ABI_REQUEST_DONE;
	if (is_long(buffer))
		route_post_is_slow();
	if (is_sent(buffer, dest, tag, comm, mode))
		return MPI_SUCCESS;
	route_post_is_slow();
	rc = route_send_make(&op, buffer, dest, tag, comm, mode);
	if (rc == MPI_SUCCESS && !op_is_sent(&op))
		return route_error(comm->handle, post(&op, handle));
	free(op.packed);
	return route_error(comm->handle, rc);
}

struct room {
	struct route_room *of;
	int64_t bytes;
	uint64_t until;
	bool taken;
};

static bool room_ready(void *arg)
{
	struct room *room = arg;

	route_requests_sweep();
	room->taken = route_room_take(room->of, room->bytes);
	return room->taken || clock_monotonic_ns() > room->until;
}

/*
 * The receiver may have had a message, and told the program so, before we hear
 * that its room is free again.
 */
static bool bsend_has_room(struct route_room *of, uint64_t bytes)
{
	struct room room = { .of = of,
			     .bytes = (int64_t)bytes + MPI_BSEND_OVERHEAD };

	if (route_room_take(of, room.bytes))
		return true;
	room.until = clock_monotonic_ns() + ROOM_WAIT_NS;
	if (route_engines.strobe)
		room.until += ROOM_WAIT_SLICES * process.settings.slice_ns;
	engines_wait_until(&route_engines, room_ready, &room);
	return room.taken;
}

/* The engine gets a copy; what it takes for it is the request's. */
static int bsend_start(struct route_request *request,
		       const struct route_comm *comm)
{
	struct op *op = &request->op.op;

	request->room = route_room_of(comm);
	if (!bsend_has_room(request->room, op->bytes))
		return MPI_ERR_BUFFER;
	request->copy = malloc(op->bytes + 1);
	if (!request->copy) {
		route_room_give(request->room,
				(int64_t)op->bytes + MPI_BSEND_OVERHEAD);
		return MPI_ERR_NO_MEM;
	}
	if (op->bytes)
		memcpy(request->copy, op->buf, op->bytes);
	op->buf = request->copy;
	engines_post(&route_engines, op);
	return MPI_SUCCESS;
}

/* A buffered send is the engine's; the program's own request is done at once.
 */
int route_bsend(const struct route_buffer *buffer, int dest, int tag,
		const struct route_comm *comm)
{
	struct route_request *request = route_request_new();
	int rc = MPI_ERR_NO_MEM;

	if (request)
		rc = route_send_make(&request->op, buffer, dest, tag, comm,
				     ROUTE_STANDARD);
	if (rc == MPI_SUCCESS) {
		request->buffered = true;
		rc = bsend_start(request, comm);
	}
	if (rc == MPI_SUCCESS)
		route_request_leave(request);
	else if (request)
		route_request_release(request);
	return route_error(comm->handle, rc);
}

static int ibsend_run(const struct route_buffer *buffer, int dest, int tag,
		      const struct route_comm *comm, MPI_Request *handle)
{
	const int rc = route_bsend(buffer, dest, tag, comm);

	if (rc == MPI_SUCCESS)
		*handle = ABI_REQUEST_DONE;
	return rc;
}

SHIM_INLINE bool is_synchronous(enum shim_call call)
{
	return call == SHIM_MPI_Ssend || call == SHIM_MPI_Ssend_c ||
	       call == SHIM_MPI_Issend || call == SHIM_MPI_Issend_c;
}

SHIM_INLINE enum route_send mode_of(enum shim_call call)
{
	return is_synchronous(call) ? ROUTE_SYNCHRONOUS : ROUTE_STANDARD;
}

SHIM_INLINE bool try_send(enum shim_call call, int *rc, const void *buf,
			  MPI_Count count, MPI_Datatype type, int dest, int tag,
			  MPI_Comm comm)
{
	const struct route_buffer b = route_buffer_of(buf, count, type);
	const struct route_comm *to = route_send_fits(&b, dest, tag, comm);

	if (!to)
		return false;
	route_strict_send(&b);
	*rc = send_run(&b, dest, tag, to, mode_of(call));
	return true;
}

SHIM_INLINE bool try_bsend(enum shim_call call, int *rc, const void *buf,
			   MPI_Count count, MPI_Datatype type, int dest,
			   int tag, MPI_Comm comm)
{
	const struct route_buffer b = route_buffer_of(buf, count, type);
	const struct route_comm *to = route_send_fits(&b, dest, tag, comm);

	(void)call;
	if (!to)
		return false;
	route_strict_send(&b);
	*rc = route_bsend(&b, dest, tag, to);
	return true;
}

SHIM_INLINE bool try_isend(enum shim_call call, int *rc, const void *buf,
			   MPI_Count count, MPI_Datatype type, int dest,
			   int tag, MPI_Comm comm, MPI_Request *request)
{
	const struct route_buffer b = route_buffer_of(buf, count, type);
	const struct route_comm *to = route_send_fits(&b, dest, tag, comm);

	if (!request || !to) {
		route_post_is_slow();
		return false;
	}
	route_strict_send(&b);
	*rc = isend_run(&b, dest, tag, to, mode_of(call), request);
	return true;
}

SHIM_INLINE bool try_ibsend(enum shim_call call, int *rc, const void *buf,
			    MPI_Count count, MPI_Datatype type, int dest,
			    int tag, MPI_Comm comm, MPI_Request *request)
{
	const struct route_buffer b = route_buffer_of(buf, count, type);
	const struct route_comm *to = route_send_fits(&b, dest, tag, comm);

	(void)call;
	if (!request || !to) {
		route_post_is_slow();
		return false;
	}
	route_strict_send(&b);
	*rc = ibsend_run(&b, dest, tag, to, request);
	return true;
}

ROUTE_TRY(Send, try_send)
ROUTE_TRY(Rsend, try_send)
ROUTE_TRY(Ssend, try_send)
ROUTE_TRY(Bsend, try_bsend)
ROUTE_TRY(Isend, try_isend)
ROUTE_TRY(Irsend, try_isend)
ROUTE_TRY(Issend, try_isend)
ROUTE_TRY(Ibsend, try_ibsend)

void route_send_install(struct shim_pmpi *table)
{
	ROUTE_INSTALL(Send, table);
	ROUTE_INSTALL(Rsend, table);
	ROUTE_INSTALL(Ssend, table);
	ROUTE_INSTALL(Bsend, table);
	ROUTE_INSTALL(Isend, table);
	ROUTE_INSTALL(Irsend, table);
	ROUTE_INSTALL(Issend, table);
	ROUTE_INSTALL(Ibsend, table);
}
