/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The requests of MPI_Buffer_iflush and MPI_Comm_iflush_buffer.  MPI's own
 * request tells of what MPI sends of the buffer, the room of what the engine
 * does.
 */
#include <stdlib.h>

#include "pmpi-shim/route/base/route_state.h"
#include "pmpi-shim/route/p2p/route_request.h"

struct flush {
	struct route_room *room;
	MPI_Request native;
	int rc;
};

static bool flush_is_done(struct route_request *request)
{
	struct flush *f = request->copy;
	int flag = 1;

	route_requests_sweep();
	if (f->native != MPI_REQUEST_NULL)
		f->rc = REAL(Test)(&f->native, &flag, MPI_STATUS_IGNORE);
	return flag && route_room_is_unused(f->room);
}

static int flush_end(struct route_request *request)
{
	const struct flush *f = request->copy;

	return f->rc;
}

static void flush_release(struct route_request *request)
{
	struct flush *f = request->copy;

	if (f->native != MPI_REQUEST_NULL)
		REAL(Request_free)(&f->native);
	atomic_fetch_sub(&f->room->flushes, 1);
	free(f);
	request->copy = NULL;
}

/* A rank that waits for its own sends does not know whom it waits for. */
static bool flush_describe(struct blocked *b, struct route_request *request)
{
	(void)b;
	(void)request;
	return false;
}

/* MPI refuses to start a request that is not persistent. */
static const struct route_request_kind kind = {
	.is_done = flush_is_done,
	.end = flush_end,
	.release = flush_release,
	.describe = flush_describe,
};

static struct route_request *request_make(struct route_room *room,
					  MPI_Request native)
{
	struct route_request *request = route_request_new();
	struct flush *f = malloc(sizeof(*f));

	if (!request || !f) {
		if (request)
			route_request_release(request);
		free(f);
		return NULL;
	}
	*f = (struct flush){ .room = room, .native = native };
	atomic_fetch_add(&room->flushes, 1);
	request->copy = f;
	request->kind = &kind;
	request->op.comm = MPI_COMM_WORLD;
	request->op.op.kind = OP_SEND;
	request->op.op.key.context = 0;
	request->active = true;
	return request;
}

int route_flush_post(int rc, struct route_room *room, MPI_Request *handle)
{
	struct route_request *request;

	if (rc != MPI_SUCCESS || !room || route_room_is_unused(room))
		return rc;
	request = request_make(room, *handle);
	if (!request)
		return route_error(MPI_COMM_WORLD, MPI_ERR_NO_MEM);
	*handle = request->handle;
	return MPI_SUCCESS;
}
