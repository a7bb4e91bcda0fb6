/* SPDX-License-Identifier: BSD-3-Clause */

/* Keeps what calls began under the handles of their requests. */
#include <stdatomic.h>

#include "abi.h"
#include "handles.h"
#include "pmpi-shim/record/calls/comms.h"
#include "pmpi-shim/record/calls/pending.h"
#include "pmpi-shim/record/calls/requests.h"
#include "pmpi-shim/record/calls/transfer.h"
#include "pmpi-shim/record/findings/objects.h"
#include "pmpi-shim/shim.h"

struct handles shim_places = { .entry_size = sizeof(struct shim_place) };
static _Atomic bool missed; /* one found no room */

/*
 * The entry of a request, to be filled in where it stays: a copy costs more
 * than all the rest.  NULL if it has none of its own.  Another thread that had
 * the handle before may still look at the stamp only, see release() in
 * pending.c: the rest needs no order.
 */
SHIM_INLINE struct shim_request *track(struct mmds_frame *f, abi_handle handle,
				       enum shim_request_kind kind)
{
	struct shim_place *place;
	struct shim_request *request;

	if (!abi_request_is_object(handle))
		return NULL;
	place = handles_get(&shim_places, handle);
	if (!place) {
		missed = true;
		return NULL;
	}
	request = &place->request;
	request->key = mmds_frame_key(f);
	request->kind = (uint8_t)kind;
	request->persistent = false;
	request->active = true;
	request->waits = false;
	request->unknown = false;
	__atomic_store_n(&place->stamp, ++f->thread->stamp, __ATOMIC_RELAXED);
	return request;
}

/*
 * The row of a communicator.  A request that is begun later may be the first we
 * see of its communicator.
 */
SHIM_INLINE uint32_t row_of(MPI_Comm comm)
{
	const uint32_t row = shim_comm_row(comm);

	return __builtin_expect(row != MMDS_NONE, 1) ? row
						     : shim_comm_get(comm)->row;
}

SHIM_INLINE struct shim_request *
track_transfer(struct mmds_frame *f, abi_handle handle,
	       enum shim_request_kind kind, MPI_Comm comm, int peer, int tag)
{
	struct shim_request *request = track(f, handle, kind);

	if (request) {
		request->comm = comm;
		request->row = row_of(comm);
		request->peer = peer;
		request->tag = tag;
	}
	return request;
}

/* Keeps a request that is not under way yet. */
static void keep(const struct mmds_frame *f, MPI_Request handle,
		 struct shim_request *request)
{
	shim_object_made(f, FINDING_PERSISTENT, (uint64_t)(uintptr_t)handle,
			 NULL);
	request->persistent = true;
	request->active = false;
	request->started = false;
	request->idle = false;
}

void shim_track(struct mmds_frame *f, MPI_Request request, MPI_Comm comm,
		int source, int tag)
{
	shim_comm(f, comm);
	if (source != MPI_PROC_NULL)
		track_transfer(f, request, SHIM_REQUEST_RECV, comm, source,
			       tag);
}

void shim_track_send(struct mmds_frame *f, MPI_Request request, MPI_Comm comm,
		     int dest, int tag)
{
	track_transfer(f, request, SHIM_REQUEST_SEND, comm, dest, tag);
}

void shim_track_file(struct mmds_frame *f, MPI_Request request, bool write)
{
	track(f, request, write ? SHIM_REQUEST_WRITE : SHIM_REQUEST_READ);
}

void shim_track_recv_init(struct mmds_frame *f, MPI_Request request,
			  MPI_Comm comm, int source, int tag)
{
	struct shim_request *kept = track_transfer(
		f, request, SHIM_REQUEST_RECV, comm, source, tag);

	if (kept)
		keep(f, request, kept);
}

void shim_track_send_init(struct mmds_frame *f, MPI_Request request,
			  MPI_Comm comm, int dest, int tag, uint64_t bytes)
{
	struct shim_request *kept = track_transfer(
		f, request, SHIM_REQUEST_SEND, comm, dest, tag);

	if (!kept)
		return;
	keep(f, request, kept);
	kept->sent = dest < 0 ? 0 : bytes;
}

static struct shim_request *track_coll(struct mmds_frame *f, MPI_Request handle)
{
	struct shim_request *request = track(f, handle,
					     SHIM_REQUEST_COLLECTIVE);

	if (request)
		request->row = f->comm;
	return request;
}

void shim_track_coll(struct mmds_frame *f, MPI_Request request)
{
	track_coll(f, request);
}

void shim_track_init(struct mmds_frame *f, MPI_Request request)
{
	struct shim_request *kept = track_coll(f, request);

	if (kept) {
		keep(f, request, kept);
		kept->sent = f->sent;
		kept->received = f->received;
	}
	f->sent = 0;
	f->received = 0;
}

void shim_probed_message(struct mmds_frame *f, MPI_Comm comm,
			 const MPI_Message *message)
{
	shim_comm(f, comm);
	if (*message != MPI_MESSAGE_NULL && *message != MPI_MESSAGE_NO_PROC)
		track_transfer(f, *message, SHIM_REQUEST_MESSAGE, comm, 0, 0);
}

/*
 * Looks up a message before it is received.  Its handle is free after that, and
 * may be another thread's before we are asked what came.
 */
void shim_about_message(struct mmds_frame *f, struct shim_pending *taken,
			const MPI_Message *message)
{
	taken->place = NULL;
	if (message)
		shim_pending_begin(taken, (const void *)message, 1);
	if (taken->place && taken->was.kind != SHIM_REQUEST_MESSAGE)
		taken->place = NULL;
	if (taken->place)
		f->comm = shim_comm_row(taken->was.comm);
}

void shim_received_message(struct mmds_frame *f,
			   const struct shim_pending *taken,
			   const MPI_Status *status)
{
	if (taken->place)
		shim_received(f, taken->was.comm, status);
	else
		f->received += abi_status_bytes(status);
	shim_pending_forget(taken);
}

/* The request may have the message's handle. */
void shim_track_message(struct mmds_frame *f, const struct shim_pending *taken,
			MPI_Request request)
{
	shim_pending_forget(taken);
	if (taken->place)
		shim_track(f, request, taken->was.comm, MPI_ANY_SOURCE,
			   MPI_ANY_TAG);
}

struct shim_request *shim_request_find(MPI_Request handle)
{
	struct shim_place *place = shim_place_find(handle);

	return place ? &place->request : NULL;
}

void shim_request_start(struct mmds_frame *f, MPI_Request handle)
{
	struct shim_place *place = shim_place_find(handle);
	struct shim_request *request = place ? &place->request : NULL;

	if (!request || !request->persistent)
		return;
	if (events_are_wanted(f))
		events_started(f, place);
	request->key = mmds_frame_key(f);
	request->active = true;
	request->started = true;
	if (request->kind == SHIM_REQUEST_SEND) {
		shim_sent(f, request->comm, request->peer, request->sent);
	} else if (request->kind == SHIM_REQUEST_COLLECTIVE) {
		f->sent += request->sent;
		f->received += request->received;
	}
}

void shim_requests_started(const MPI_Request requests[], int n)
{
	struct shim_place *place;

	for (int i = 0; requests && i < n; i++) {
		place = shim_place_find(requests[i]);
		if (place)
			place->request.started = true;
	}
}

bool shim_requests_missed(void)
{
	return missed;
}
