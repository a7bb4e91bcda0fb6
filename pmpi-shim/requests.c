/* SPDX-License-Identifier: BSD-3-Clause */
#include "pmpi-shim/requests.h"
#include "pmpi-shim/comms.h"
#include "pmpi-shim/handles.h"
#include "pmpi-shim/mpich.h"
#include "pmpi-shim/transfer.h"

static struct handles requests = { .entry_size = sizeof(struct shim_request) };

/* The place of a request that is an object of its own; NULL for others. */
static struct shim_request *place(int handle)
{
	if (!mpich_request_is_object(handle))
		return NULL;
	return handles_make(&requests, handle);
}

static void track(struct mmds_frame *f, int handle, struct shim_request what)
{
	struct shim_request *request = place(handle);

	if (!request)
		return;
	what.key = mmds_frame_key(f);
	what.active = !what.persistent;
	*request = what;
}

void shim_track(struct mmds_frame *f, MPI_Request request, MPI_Comm comm,
		int source, int tag)
{
	f->comm = shim_comm_get(comm)->row;
	if (source != MPI_PROC_NULL)
		track(f, request,
		      (struct shim_request){ .kind = SHIM_REQUEST_RECV,
					     .comm = comm,
					     .peer = source,
					     .tag = tag });
}

void shim_track_send(struct mmds_frame *f, MPI_Request request, MPI_Comm comm,
		     int dest, int tag)
{
	track(f, request,
	      (struct shim_request){ .kind = SHIM_REQUEST_SEND,
				     .comm = comm,
				     .peer = dest,
				     .tag = tag });
}

void shim_track_file(struct mmds_frame *f, MPI_Request request, bool write)
{
	track(f, request,
	      (struct shim_request){ .kind = write ? SHIM_REQUEST_WRITE
						   : SHIM_REQUEST_READ });
}

void shim_track_recv_init(struct mmds_frame *f, MPI_Request request,
			  MPI_Comm comm, int source, int tag)
{
	track(f, request,
	      (struct shim_request){ .kind = SHIM_REQUEST_RECV,
				     .comm = comm,
				     .peer = source,
				     .tag = tag,
				     .persistent = true });
}

void shim_track_send_init(struct mmds_frame *f, MPI_Request request,
			  MPI_Comm comm, int dest, uint64_t bytes)
{
	track(f, request,
	      (struct shim_request){ .kind = SHIM_REQUEST_SEND,
				     .comm = comm,
				     .peer = dest,
				     .sent = dest < 0 ? 0 : bytes,
				     .persistent = true });
}

void shim_track_init(struct mmds_frame *f, MPI_Request request)
{
	track(f, request,
	      (struct shim_request){ .kind = SHIM_REQUEST_COLLECTIVE,
				     .sent = f->sent,
				     .received = f->received,
				     .persistent = true });
	f->sent = 0;
	f->received = 0;
}

void shim_probed_message(struct mmds_frame *f, MPI_Comm comm,
			 const MPI_Message *message)
{
	f->comm = shim_comm_get(comm)->row;
	if (*message != MPI_MESSAGE_NULL && *message != MPI_MESSAGE_NO_PROC)
		track(f, *message,
		      (struct shim_request){ .kind = SHIM_REQUEST_MESSAGE,
					     .comm = comm });
}

static const struct shim_request *message_find(MPI_Message message)
{
	const struct shim_request *found = shim_request_find(message);

	return found && found->kind == SHIM_REQUEST_MESSAGE ? found : NULL;
}

void shim_about_message(struct mmds_frame *f, MPI_Message message)
{
	const struct shim_request *found = message_find(message);

	if (found)
		f->comm = shim_comm_row(found->comm);
}

void shim_received_message(struct mmds_frame *f, MPI_Message was,
			   const MPI_Status *status)
{
	const struct shim_request *found = message_find(was);

	if (found)
		shim_received(f, found->comm, status);
	else
		f->received += mpich_status_bytes(status);
	shim_request_forget(was);
}

/* The request may be the same object as the message was. */
void shim_track_message(struct mmds_frame *f, MPI_Request request,
			MPI_Message was)
{
	const struct shim_request *found = message_find(was);
	const MPI_Comm comm = found ? found->comm : MPI_COMM_NULL;

	shim_request_forget(was);
	if (comm != MPI_COMM_NULL)
		shim_track(f, request, comm, MPI_ANY_SOURCE, MPI_ANY_TAG);
}

struct shim_request *shim_request_find(MPI_Request handle)
{
	struct shim_request *request;

	if (!mpich_request_is_object(handle))
		return NULL;
	request = handles_find(&requests, handle);
	return request && request->kind != SHIM_REQUEST_NONE ? request : NULL;
}

void shim_request_forget(MPI_Request handle)
{
	struct shim_request *request = shim_request_find(handle);

	if (request)
		request->kind = SHIM_REQUEST_NONE;
}

void shim_request_start(struct mmds_frame *f, MPI_Request handle)
{
	struct shim_request *request = shim_request_find(handle);

	if (!request || !request->persistent)
		return;
	request->key = mmds_frame_key(f);
	request->active = true;
	if (request->kind == SHIM_REQUEST_SEND) {
		shim_sent(f, request->comm, request->peer, request->sent);
	} else if (request->kind == SHIM_REQUEST_COLLECTIVE) {
		f->sent += request->sent;
		f->received += request->received;
	}
}

static void credit_receive(struct mmds_frame *f,
			   const struct shim_request *request,
			   const MPI_Status *status)
{
	const uint64_t bytes = mpich_status_bytes(status);
	const uint32_t row = shim_comm_row(request->comm);
	struct mmds_comm *comm = mmds_comm_get(f->thread, row);

	mmds_record_late(f->thread, request->key, 0, bytes);
	if (comm)
		comm->received += bytes;
	if (row != MMDS_NONE)
		shim_peer_received(f, request->comm, status->MPI_SOURCE, bytes,
				   0);
}

void shim_request_complete(struct mmds_frame *f, struct shim_request *request,
			   const MPI_Status *status)
{
	if (!request->active)
		return;
	if (request->kind == SHIM_REQUEST_RECV)
		credit_receive(f, request, status);
	else if (request->kind == SHIM_REQUEST_READ)
		mmds_record_late(f->thread, request->key, 0,
				 mpich_status_file_bytes(status));
	else if (request->kind == SHIM_REQUEST_WRITE)
		mmds_record_late(f->thread, request->key,
				 mpich_status_file_bytes(status), 0);
	request->active = false;
	if (!request->persistent)
		request->kind = SHIM_REQUEST_NONE;
}
