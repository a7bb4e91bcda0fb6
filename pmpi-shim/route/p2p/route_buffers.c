/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The buffers of MPI_Bsend: MPI_Buffer_attach and its kin, and since MPI 4.1
 * those of a communicator.
 */
#include <stdlib.h>

#include "pmpi-shim/route/base/route_forms.h"
#include "pmpi-shim/route/base/route_install.h"
#include "pmpi-shim/route/base/route_state.h"
#include "pmpi-shim/route/p2p/route_request.h"

/* So much that no send finds it full. */
#define ENDLESS (INT64_MAX / 2)

static int64_t bytes_of(const void *buffer, int64_t size)
{
	return buffer == ABI_BUFFER_AUTOMATIC ? ENDLESS : size;
}

/* The room of the communicator's own buffer; NULL: there is none. */
static struct route_room *own_room(MPI_Comm handle)
{
	const struct route_comm *comm = route_comm_find(handle);

	return comm ? atomic_load(&comm->room) : NULL;
}

/* Likewise; it is made where there is none.  NULL: nothing is scheduled. */
static struct route_room *own_room_make(MPI_Comm handle)
{
	struct route_comm **entry = handles_find(&route_comms, handle);

	if (route_comm_find(handle) && !own_room(handle))
		atomic_store(&(*entry)->room,
			     calloc(1, sizeof(struct route_room)));
	return own_room(handle);
}

static bool all_sent(void *room)
{
	route_requests_sweep();
	return route_room_is_unused(room);
}

/* Waits until all that was buffered is sent. */
static void flush(struct route_room *room)
{
	if (room)
		engines_wait_until(&route_engines, all_sent, room);
}

/* Likewise, unless MPI will refuse. */
static void detach_begin(struct route_room *room, const void *buffer,
			 const void *size)
{
	if (buffer && size)
		flush(room);
	route_room_change_begin();
}

ROUTE_AROUND(Buffer_attach, route_room_change_begin(),
	     route_room_change_end(&route_room_shared, rc,
				   bytes_of(buffer, size)))
ROUTE_AROUND(Buffer_detach, detach_begin(&route_room_shared, buffer_addr, size),
	     route_room_change_end(&route_room_shared, rc, 0))
ROUTE_AROUND(Comm_attach_buffer, route_room_change_begin(),
	     route_room_change_end(rc == MPI_SUCCESS ? own_room_make(comm)
						     : NULL,
				   rc, bytes_of(buffer, size)))
ROUTE_AROUND(Comm_detach_buffer,
	     detach_begin(own_room(comm), buffer_addr, size),
	     route_room_change_end(own_room(comm), rc, 0))
ROUTE_AROUND(Comm_flush_buffer, flush(own_room(comm)), rc)
ROUTE_AROUND(Buffer_iflush, , route_flush_post(rc, &route_room_shared, request))
ROUTE_AROUND(Comm_iflush_buffer, ,
	     route_flush_post(rc, own_room(comm), request))

static int Buffer_flush(void)
{
	flush(&route_room_shared);
	return REAL(Buffer_flush)();
}

void route_buffers_install(struct shim_pmpi *table)
{
	ROUTE_INSTALL(Buffer_attach, table);
	ROUTE_INSTALL(Buffer_detach, table);
	ROUTE_INSTALL(Buffer_iflush, table);
	ROUTE_INSTALL(Comm_attach_buffer, table);
	ROUTE_INSTALL(Comm_detach_buffer, table);
	ROUTE_INSTALL(Comm_flush_buffer, table);
	ROUTE_INSTALL(Comm_iflush_buffer, table);
	table->MPI_Buffer_flush = Buffer_flush;
}
