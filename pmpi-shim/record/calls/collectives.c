/* SPDX-License-Identifier: BSD-3-Clause */

/* The bytes that collectives move, by what each argument means at this rank. */
#include "pmpi-shim/record/calls/comms.h"
#include "pmpi-shim/record/calls/transfer.h"

static int comm_peers(const struct shim_comm *comm)
{
	return comm->remote_size ? comm->remote_size : comm->size;
}

static uint64_t count_at(struct shim_counts counts, int i)
{
	return (uint64_t)(counts.ints ? counts.ints[i] : counts.longs[i]);
}

static uint64_t count_sum(struct shim_counts counts, int n)
{
	uint64_t sum = 0;

	for (int i = 0; i < n; i++)
		sum += count_at(counts, i);
	return sum;
}

static uint64_t sum_bytes(struct shim_counts counts, int n, MPI_Datatype type)
{
	return shim_bytes((MPI_Count)count_sum(counts, n), type);
}

/* The part of this process; of one whose rank is not known nothing is read. */
static uint64_t own_bytes(struct shim_counts counts,
			  const struct shim_comm *comm, MPI_Datatype type)
{
	if (comm->rank < 0)
		return 0;
	return shim_bytes((MPI_Count)count_at(counts, comm->rank), type);
}

/* Entries of count 0 may have a datatype that means nothing. */
static uint64_t sum_types(struct shim_counts counts, int n,
			  const MPI_Datatype *types)
{
	uint64_t sum = 0;

	for (int i = 0; i < n; i++)
		if (count_at(counts, i))
			sum += shim_bytes((MPI_Count)count_at(counts, i),
					  types[i]);
	return sum;
}

/*
 * The part that the process has in a rooted call.  Between groups, the root
 * says so itself, its companions do nothing, and the other side has no root.
 */
struct role {
	bool root; /* has the data of all */
	bool leaf; /* has a part of its own */
};

static struct role comm_role(const struct shim_comm *comm, int root)
{
	if (!comm->remote_size)
		return (struct role){ .root = root == comm->rank,
				      .leaf = true };
	return (struct role){ .root = root == MPI_ROOT, .leaf = root >= 0 };
}

static const struct shim_comm *frame_comm(struct mmds_frame *f, MPI_Comm handle)
{
	const struct shim_comm *comm = shim_comm_get(handle);

	f->comm = comm->row;
	return comm;
}

void shim_bcast(struct mmds_frame *f, MPI_Comm handle, int root,
		MPI_Count count, MPI_Datatype type)
{
	const struct role role = comm_role(frame_comm(f, handle), root);

	if (role.root)
		f->sent += shim_bytes(count, type);
	else if (role.leaf)
		f->received += shim_bytes(count, type);
}

void shim_reduce(struct mmds_frame *f, MPI_Comm handle, int root,
		 MPI_Count count, MPI_Datatype type)
{
	const struct role role = comm_role(frame_comm(f, handle), root);

	if (role.leaf)
		f->sent += shim_bytes(count, type);
	if (role.root)
		f->received += shim_bytes(count, type);
}

void shim_allreduce(struct mmds_frame *f, MPI_Comm handle, MPI_Count count,
		    MPI_Datatype type)
{
	shim_comm(f, handle);
	f->sent += shim_bytes(count, type);
	f->received += shim_bytes(count, type);
}

void shim_exscan(struct mmds_frame *f, MPI_Comm handle, MPI_Count count,
		 MPI_Datatype type)
{
	const struct shim_comm *comm = frame_comm(f, handle);

	f->sent += shim_bytes(count, type);
	if (comm->rank > 0)
		f->received += shim_bytes(count, type);
}

void shim_gather(struct mmds_frame *f, MPI_Comm handle, int root,
		 const void *sendbuf, MPI_Count sendcount,
		 MPI_Datatype sendtype, MPI_Count recvcount,
		 MPI_Datatype recvtype)
{
	const struct shim_comm *comm = frame_comm(f, handle);
	const struct role role = comm_role(comm, root);

	if (role.leaf)
		f->sent += sendbuf == MPI_IN_PLACE
				   ? shim_bytes(recvcount, recvtype)
				   : shim_bytes(sendcount, sendtype);
	if (role.root)
		f->received += shim_bytes(recvcount * comm_peers(comm),
					  recvtype);
}

void shim_gatherv(struct mmds_frame *f, MPI_Comm handle, int root,
		  const void *sendbuf, MPI_Count sendcount,
		  MPI_Datatype sendtype, struct shim_counts recvcounts,
		  MPI_Datatype recvtype)
{
	const struct shim_comm *comm = frame_comm(f, handle);
	const struct role role = comm_role(comm, root);

	if (role.leaf && sendbuf == MPI_IN_PLACE)
		f->sent += own_bytes(recvcounts, comm, recvtype);
	else if (role.leaf)
		f->sent += shim_bytes(sendcount, sendtype);
	if (role.root)
		f->received += sum_bytes(recvcounts, comm_peers(comm),
					 recvtype);
}

void shim_scatter(struct mmds_frame *f, MPI_Comm handle, int root,
		  MPI_Count sendcount, MPI_Datatype sendtype,
		  const void *recvbuf, MPI_Count recvcount,
		  MPI_Datatype recvtype)
{
	const struct shim_comm *comm = frame_comm(f, handle);
	const struct role role = comm_role(comm, root);

	if (role.root)
		f->sent += shim_bytes(sendcount * comm_peers(comm), sendtype);
	if (role.leaf)
		f->received += recvbuf == MPI_IN_PLACE
				       ? shim_bytes(sendcount, sendtype)
				       : shim_bytes(recvcount, recvtype);
}

void shim_scatterv(struct mmds_frame *f, MPI_Comm handle, int root,
		   struct shim_counts sendcounts, MPI_Datatype sendtype,
		   const void *recvbuf, MPI_Count recvcount,
		   MPI_Datatype recvtype)
{
	const struct shim_comm *comm = frame_comm(f, handle);
	const struct role role = comm_role(comm, root);

	if (role.root)
		f->sent += sum_bytes(sendcounts, comm_peers(comm), sendtype);
	if (role.leaf && recvbuf == MPI_IN_PLACE)
		f->received += own_bytes(sendcounts, comm, sendtype);
	else if (role.leaf)
		f->received += shim_bytes(recvcount, recvtype);
}

void shim_allgather(struct mmds_frame *f, MPI_Comm handle, const void *sendbuf,
		    MPI_Count sendcount, MPI_Datatype sendtype,
		    MPI_Count recvcount, MPI_Datatype recvtype)
{
	const struct shim_comm *comm = frame_comm(f, handle);

	f->sent += sendbuf == MPI_IN_PLACE ? shim_bytes(recvcount, recvtype)
					   : shim_bytes(sendcount, sendtype);
	f->received += shim_bytes(recvcount * comm_peers(comm), recvtype);
}

void shim_allgatherv(struct mmds_frame *f, MPI_Comm handle, const void *sendbuf,
		     MPI_Count sendcount, MPI_Datatype sendtype,
		     struct shim_counts recvcounts, MPI_Datatype recvtype)
{
	const struct shim_comm *comm = frame_comm(f, handle);

	if (sendbuf == MPI_IN_PLACE)
		f->sent += own_bytes(recvcounts, comm, recvtype);
	else
		f->sent += shim_bytes(sendcount, sendtype);
	f->received += sum_bytes(recvcounts, comm_peers(comm), recvtype);
}

void shim_alltoall(struct mmds_frame *f, MPI_Comm handle, const void *sendbuf,
		   MPI_Count sendcount, MPI_Datatype sendtype,
		   MPI_Count recvcount, MPI_Datatype recvtype)
{
	const int n = comm_peers(frame_comm(f, handle));

	f->sent += sendbuf == MPI_IN_PLACE
			   ? shim_bytes(recvcount * n, recvtype)
			   : shim_bytes(sendcount * n, sendtype);
	f->received += shim_bytes(recvcount * n, recvtype);
}

void shim_alltoallv(struct mmds_frame *f, MPI_Comm handle, const void *sendbuf,
		    struct shim_counts sendcounts, MPI_Datatype sendtype,
		    struct shim_counts recvcounts, MPI_Datatype recvtype)
{
	const int n = comm_peers(frame_comm(f, handle));

	f->sent += sendbuf == MPI_IN_PLACE ? sum_bytes(recvcounts, n, recvtype)
					   : sum_bytes(sendcounts, n, sendtype);
	f->received += sum_bytes(recvcounts, n, recvtype);
}

void shim_alltoallw(struct mmds_frame *f, MPI_Comm handle, const void *sendbuf,
		    struct shim_counts sendcounts,
		    const MPI_Datatype *sendtypes,
		    struct shim_counts recvcounts,
		    const MPI_Datatype *recvtypes)
{
	const int n = comm_peers(frame_comm(f, handle));

	f->sent += sendbuf == MPI_IN_PLACE
			   ? sum_types(recvcounts, n, recvtypes)
			   : sum_types(sendcounts, n, sendtypes);
	f->received += sum_types(recvcounts, n, recvtypes);
}

void shim_reduce_scatter(struct mmds_frame *f, MPI_Comm handle,
			 struct shim_counts recvcounts, MPI_Datatype type)
{
	const struct shim_comm *comm = frame_comm(f, handle);

	f->sent += sum_bytes(recvcounts, comm->size, type);
	f->received += own_bytes(recvcounts, comm, type);
}

void shim_reduce_scatter_block(struct mmds_frame *f, MPI_Comm handle,
			       MPI_Count recvcount, MPI_Datatype type)
{
	const struct shim_comm *comm = frame_comm(f, handle);

	f->sent += shim_bytes(recvcount * comm->size, type);
	f->received += shim_bytes(recvcount, type);
}
