/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The rooms of MPI_Buffer_attach and of MPI_Comm_attach_buffer.  MPI has the
 * program's buffers; the engine keeps the bytes of MPI_Bsend elsewhere, but as
 * many as the buffer would hold.
 */
#include <pthread.h>
#include <stdatomic.h>

#include "pmpi-shim/route/p2p/route_request.h"

/* Keeps what MPI knows of the buffers and what is known here together. */
static pthread_mutex_t changing = PTHREAD_MUTEX_INITIALIZER;
struct route_room route_room_shared;

struct route_room *route_room_of(const struct route_comm *comm)
{
	struct route_room *own = atomic_load(&comm->room);

	return own && atomic_load(&own->attached) > 0 ? own
						      : &route_room_shared;
}

void route_room_change_begin(void)
{
	pthread_mutex_lock(&changing);
}

int route_room_change_end(struct route_room *room, int rc, int64_t bytes)
{
	if (rc == MPI_SUCCESS && room)
		atomic_store(&room->attached, bytes);
	pthread_mutex_unlock(&changing);
	return rc;
}

bool route_room_take(struct route_room *room, int64_t bytes)
{
	if (atomic_fetch_add(&room->used, bytes) + bytes <=
	    atomic_load(&room->attached))
		return true;
	atomic_fetch_sub(&room->used, bytes);
	return false;
}

void route_room_give(struct route_room *room, int64_t bytes)
{
	atomic_fetch_sub(&room->used, bytes);
}

bool route_room_is_unused(struct route_room *room)
{
	return atomic_load(&room->used) == 0;
}
