/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHIM_TRANSFER_H
#define SHIM_TRANSFER_H

/*
 * The bytes that a call moves: sent and received by this process.  With
 * MPI_IN_PLACE a process's contribution counts as if it had been in a send
 * buffer.  Datatypes and counts are looked at only where MPI says that they
 * mean something.
 */
#include <mpi.h>
#include <stdint.h>

#include "abi.h"
#include "mds/mmds/mmds_flight.h"
#include "pmpi-shim/record/calls/comms.h"
#include "pmpi-shim/record/calls/requests.h"

uint64_t shim_type_size(MPI_Datatype type);

static inline uint64_t shim_bytes(MPI_Count count, MPI_Datatype type)
{
	const uint64_t size = abi_type_is_builtin(type) ? abi_type_size(type)
							: shim_type_size(type);

	return (uint64_t)count * size;
}

/* An array of counts, in either width. */
struct shim_counts {
	const int *ints;
	const MPI_Count *longs;
};

static inline struct shim_counts shim_counts_int(const int *counts)
{
	return (struct shim_counts){ .ints = counts };
}

static inline struct shim_counts shim_counts_long(const MPI_Count *counts)
{
	return (struct shim_counts){ .longs = counts };
}

#define shim_counts(counts) \
	_Generic((counts),                 \
		const int *                \
		: shim_counts_int,         \
		  const MPI_Count *        \
		: shim_counts_long)(counts)

/*
 * Before the call: whom it is about; MPI_PROC_NULL: nobody in particular.  The
 * first call on MPI_COMM_WORLD may never end, and is to be shown meanwhile.
 */
static inline void shim_about(struct mmds_frame *f, MPI_Comm comm, int peer,
			      int tag)
{
	f->comm = shim_comm_row(comm);
	if (__builtin_expect(f->comm == MMDS_NONE, 0) && comm == MPI_COMM_WORLD)
		f->comm = shim_comm_get(comm)->row;
	f->peer = peer;
	f->tag = tag;
	mmds_flight_about(f);
}

void shim_about_win(struct mmds_frame *f, MPI_Win win, int target);

/* After it: the communicator, if it was not met before; */
static inline void shim_comm(struct mmds_frame *f, MPI_Comm comm)
{
	if (__builtin_expect(f->comm == MMDS_NONE, 0)) {
		f->comm = shim_comm_get(comm)->row;
		f->thread->entry->comm = (uint16_t)f->comm;
	}
}

/* point-to-point. */
void shim_sent(struct mmds_frame *f, MPI_Comm comm, int dest, uint64_t bytes);
void shim_received(struct mmds_frame *f, MPI_Comm comm,
		   const MPI_Status *status);
/* Both in one call, of whose time each peer has half. */
void shim_exchanged(struct mmds_frame *f, MPI_Comm comm, int dest, int tag,
		    uint64_t bytes, const MPI_Status *status);
/* A send beside the receive that the call posts. */
void shim_sent_beside(struct mmds_frame *f, MPI_Comm comm, int dest, int tag,
		      uint64_t bytes);
/*
 * Credit a completed request to its communicator, which had row `was` when the
 * request began, and to its peer.  The first counts the bytes that came, `n`
 * times.  Both credit the time of the completing call.
 */
void shim_late_received(struct mmds_frame *f, MPI_Comm comm, uint32_t was,
			int source, uint64_t bytes, uint64_t ticks, uint64_t n);
void shim_late_time(struct mmds_frame *f, MPI_Comm comm, uint32_t was, int rank,
		    uint64_t ticks);

void shim_one_sided(struct mmds_frame *f, MPI_Win win, int target,
		    uint64_t sent, uint64_t received);
void shim_file(struct mmds_frame *f, const MPI_Status *status, bool write);

/* Collectives, by what they are called and what MPI calls their arguments. */
void shim_bcast(struct mmds_frame *f, MPI_Comm comm, int root, MPI_Count count,
		MPI_Datatype type);
void shim_reduce(struct mmds_frame *f, MPI_Comm comm, int root, MPI_Count count,
		 MPI_Datatype type);
void shim_allreduce(struct mmds_frame *f, MPI_Comm comm, MPI_Count count,
		    MPI_Datatype type);
void shim_exscan(struct mmds_frame *f, MPI_Comm comm, MPI_Count count,
		 MPI_Datatype type);
void shim_gather(struct mmds_frame *f, MPI_Comm comm, int root,
		 const void *sendbuf, MPI_Count sendcount,
		 MPI_Datatype sendtype, MPI_Count recvcount,
		 MPI_Datatype recvtype);
void shim_gatherv(struct mmds_frame *f, MPI_Comm comm, int root,
		  const void *sendbuf, MPI_Count sendcount,
		  MPI_Datatype sendtype, struct shim_counts recvcounts,
		  MPI_Datatype recvtype);
void shim_scatter(struct mmds_frame *f, MPI_Comm comm, int root,
		  MPI_Count sendcount, MPI_Datatype sendtype,
		  const void *recvbuf, MPI_Count recvcount,
		  MPI_Datatype recvtype);
void shim_scatterv(struct mmds_frame *f, MPI_Comm comm, int root,
		   struct shim_counts sendcounts, MPI_Datatype sendtype,
		   const void *recvbuf, MPI_Count recvcount,
		   MPI_Datatype recvtype);
void shim_allgather(struct mmds_frame *f, MPI_Comm comm, const void *sendbuf,
		    MPI_Count sendcount, MPI_Datatype sendtype,
		    MPI_Count recvcount, MPI_Datatype recvtype);
void shim_allgatherv(struct mmds_frame *f, MPI_Comm comm, const void *sendbuf,
		     MPI_Count sendcount, MPI_Datatype sendtype,
		     struct shim_counts recvcounts, MPI_Datatype recvtype);
void shim_alltoall(struct mmds_frame *f, MPI_Comm comm, const void *sendbuf,
		   MPI_Count sendcount, MPI_Datatype sendtype,
		   MPI_Count recvcount, MPI_Datatype recvtype);
void shim_alltoallv(struct mmds_frame *f, MPI_Comm comm, const void *sendbuf,
		    struct shim_counts sendcounts, MPI_Datatype sendtype,
		    struct shim_counts recvcounts, MPI_Datatype recvtype);
void shim_alltoallw(struct mmds_frame *f, MPI_Comm comm, const void *sendbuf,
		    struct shim_counts sendcounts,
		    const MPI_Datatype *sendtypes,
		    struct shim_counts recvcounts,
		    const MPI_Datatype *recvtypes);
void shim_reduce_scatter(struct mmds_frame *f, MPI_Comm comm,
			 struct shim_counts recvcounts, MPI_Datatype type);
void shim_reduce_scatter_block(struct mmds_frame *f, MPI_Comm comm,
			       MPI_Count recvcount, MPI_Datatype type);

/* To each neighbour and from each, but for those that are MPI_PROC_NULL. */
void shim_neighbor_allgather(struct mmds_frame *f, MPI_Comm comm,
			     MPI_Count sendcount, MPI_Datatype sendtype,
			     MPI_Count recvcount, MPI_Datatype recvtype);
void shim_neighbor_allgatherv(struct mmds_frame *f, MPI_Comm comm,
			      MPI_Count sendcount, MPI_Datatype sendtype,
			      struct shim_counts recvcounts,
			      MPI_Datatype recvtype);
void shim_neighbor_alltoall(struct mmds_frame *f, MPI_Comm comm,
			    MPI_Count sendcount, MPI_Datatype sendtype,
			    MPI_Count recvcount, MPI_Datatype recvtype);
void shim_neighbor_alltoallv(struct mmds_frame *f, MPI_Comm comm,
			     struct shim_counts sendcounts,
			     MPI_Datatype sendtype,
			     struct shim_counts recvcounts,
			     MPI_Datatype recvtype);
void shim_neighbor_alltoallw(struct mmds_frame *f, MPI_Comm comm,
			     struct shim_counts sendcounts,
			     const MPI_Datatype *sendtypes,
			     struct shim_counts recvcounts,
			     const MPI_Datatype *recvtypes);

#endif
