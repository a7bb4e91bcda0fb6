/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The room of MPI_Buffer_attach.  MPI has the program's buffer; the engine
 * keeps the bytes of MPI_Bsend elsewhere, but as many as the buffer would hold.
 */
#include <pthread.h>
#include <stdatomic.h>

#include "pmpi-shim/route/p2p/route_request.h"

/* Keeps what MPI knows of the buffer and what is known here together. */
static pthread_mutex_t changing = PTHREAD_MUTEX_INITIALIZER;
static _Atomic int64_t attached;
static _Atomic int64_t used;

void route_room_change_begin(void)
{
	pthread_mutex_lock(&changing);
}

int route_room_change_end(int rc, int64_t bytes)
{
	if (rc == MPI_SUCCESS)
		atomic_store(&attached, bytes);
	pthread_mutex_unlock(&changing);
	return rc;
}

bool route_room_take(int64_t bytes)
{
	if (atomic_fetch_add(&used, bytes) + bytes <= atomic_load(&attached))
		return true;
	atomic_fetch_sub(&used, bytes);
	return false;
}

void route_room_give(int64_t bytes)
{
	atomic_fetch_sub(&used, bytes);
}

bool route_room_is_unused(void)
{
	return atomic_load(&used) == 0;
}
