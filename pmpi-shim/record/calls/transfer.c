/* SPDX-License-Identifier: BSD-3-Clause */

/* Point-to-point, one-sided and files; collectives are in collectives.c. */
#include "pmpi-shim/record/calls/transfer.h"
#include "mds/settings/settings.h"
#include "pmpi-shim/pmpi.h"
#include "pmpi-shim/record/calls/comms.h"
#include "pmpi-shim/record/calls/events.h"
#include "pmpi-shim/shim.h"

uint64_t shim_type_size(MPI_Datatype type)
{
	MPI_Count size;

	if (type == MPI_DATATYPE_NULL ||
	    PMPI_Type_size_x(type, &size) != MPI_SUCCESS || size < 0)
		return 0;
	return (uint64_t)size;
}

void shim_about_win(struct mmds_frame *f, MPI_Win win, int target)
{
	f->comm = shim_win_row(win);
	f->peer = target;
	f->tag = MPI_ANY_TAG;
	mmds_flight_about(f);
}

static void count_send(struct mmds_peer *peer, uint64_t bytes, uint64_t ticks)
{
	peer->sends++;
	peer->sent += bytes;
	peer->ticks += ticks;
}

static void count_receives(struct mmds_peer *peer, uint64_t bytes,
			   uint64_t ticks, uint64_t n)
{
	peer->receives += n;
	peer->received += n * bytes;
	peer->ticks += n * ticks;
}

/* NULL if it is nobody, is not wanted or finds no room. */
SHIM_INLINE struct mmds_peer *peer_get(struct mmds_frame *f, MPI_Comm comm,
				       uint32_t row, int rank)
{
	struct mmds_peer *peer;

	if (rank < 0 || row == MMDS_NONE ||
	    !(mmds_self.metrics & SETTINGS_PEERS))
		return NULL;
	peer = mmds_peer_find(f->thread, row, (uint32_t)rank);
	if (peer)
		return peer;
	return mmds_peer_add(f->thread, row, (uint32_t)rank,
			     shim_comm_world_rank(comm, rank));
}

static bool is_selected(const struct mmds_frame *f)
{
	return mmds_self.selected[f->call];
}

static void count_sent(struct mmds_frame *f, MPI_Comm comm, int dest,
		       uint64_t bytes, uint64_t ticks)
{
	struct mmds_peer *peer;

	shim_comm(f, comm);
	if (dest < 0)
		return;
	f->sent += bytes;
	if (!is_selected(f))
		return;
	peer = peer_get(f, comm, f->comm, dest);
	if (peer)
		count_send(peer, bytes, ticks);
}

void shim_sent(struct mmds_frame *f, MPI_Comm comm, int dest, uint64_t bytes)
{
	count_sent(f, comm, dest, bytes, f->end - f->start);
}

/* None, if the communicator was freed: its handle may be that of another. */
static uint32_t row_still(MPI_Comm comm, uint32_t row)
{
	return shim_comm_row(comm) == row ? row : MMDS_NONE;
}

void shim_late_received(struct mmds_frame *f, MPI_Comm comm, uint32_t was,
			int source, uint64_t bytes, uint64_t ticks, uint64_t n)
{
	const uint32_t row = row_still(comm, was);
	struct mmds_comm *sum = mmds_comm_get(f->thread, row);
	struct mmds_peer *peer = peer_get(f, comm, row, source);

	if (sum) {
		sum->received += n * bytes;
		sum->ticks += n * ticks;
	}
	if (peer)
		count_receives(peer, bytes, ticks, n);
}

void shim_late_time(struct mmds_frame *f, MPI_Comm comm, uint32_t was, int rank,
		    uint64_t ticks)
{
	const uint32_t row = row_still(comm, was);
	struct mmds_comm *sum = mmds_comm_get(f->thread, row);
	struct mmds_peer *peer = peer_get(f, comm, row, rank);

	if (sum)
		sum->ticks += ticks;
	if (peer)
		peer->ticks += ticks;
}

static void count_received(struct mmds_frame *f, MPI_Comm comm,
			   const MPI_Status *status, uint64_t ticks)
{
	const uint64_t bytes = abi_status_bytes(status);
	struct mmds_peer *peer;

	shim_comm(f, comm);
	f->received += bytes;
	if (!is_selected(f))
		return;
	peer = peer_get(f, comm, f->comm, status->MPI_SOURCE);
	if (peer)
		count_receives(peer, bytes, ticks, 1);
}

void shim_received(struct mmds_frame *f, MPI_Comm comm,
		   const MPI_Status *status)
{
	count_received(f, comm, status, f->end - f->start);
	/* For the trace and the flight recorder: what came, not what was asked
	 * for. */
	f->peer = status->MPI_SOURCE;
	f->tag = status->MPI_TAG;
	mmds_flight_about(f);
}

void shim_sent_beside(struct mmds_frame *f, MPI_Comm comm, int dest, int tag,
		      uint64_t bytes)
{
	shim_sent(f, comm, dest, bytes);
	if (events_are_wanted(f))
		events_sent(f, f->comm, dest, tag, bytes, 0);
}

void shim_exchanged(struct mmds_frame *f, MPI_Comm comm, int dest, int tag,
		    uint64_t bytes, const MPI_Status *status)
{
	const uint64_t ticks = f->end - f->start;
	const bool both = dest >= 0 && status->MPI_SOURCE >= 0;
	const uint64_t half = both ? ticks / 2 : 0;

	count_sent(f, comm, dest, bytes, ticks - half);
	count_received(f, comm, status, both ? half : ticks);
	if (!events_are_wanted(f))
		return;
	events_sent(f, f->comm, dest, tag, bytes, 0);
	events_came(f, f->comm, status, 0);
}

void shim_one_sided(struct mmds_frame *f, MPI_Win win, int target,
		    uint64_t sent, uint64_t received)
{
	struct mmds_peer *peer;

	f->comm = shim_win_row(win);
	if (target < 0)
		return;
	f->sent += sent;
	f->received += received;
	if (!is_selected(f) || f->comm == MMDS_NONE ||
	    !(mmds_self.metrics & SETTINGS_PEERS))
		return;
	peer = mmds_peer_find(f->thread, f->comm, (uint32_t)target);
	if (!peer)
		peer = mmds_peer_add(f->thread, f->comm, (uint32_t)target,
				     shim_win_world_rank(win, target));
	if (peer && (sent || !received))
		count_send(peer, sent, f->end - f->start);
	if (peer && received)
		count_receives(peer, received, sent ? 0 : f->end - f->start, 1);
}

void shim_file(struct mmds_frame *f, const MPI_Status *status, bool write)
{
	if (write)
		f->sent += abi_status_file_bytes(status);
	else
		f->received += abi_status_file_bytes(status);
}
