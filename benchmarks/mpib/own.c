/* SPDX-License-Identifier: BSD-3-Clause */

/* The list of implementations of collectives, MPI's and ours. */
#include "own.h"

#include <limits.h>
#include <string.h>

#define OURS (int)(sizeof(ours) / sizeof(ours[0]))

static const struct mpib_coll ours[] = {
	{ "mpi", MPIB_BCAST, { .bcast = MPI_Bcast } },
	{ "linear", MPIB_BCAST, { .bcast = own_bcast_linear } },
	{ "binomial", MPIB_BCAST, { .bcast = own_bcast_binomial } },
	{ "ring", MPIB_BCAST, { .bcast = own_bcast_ring } },
	{ "mpi", MPIB_SCATTER, { .scatter = MPI_Scatter } },
	{ "linear", MPIB_SCATTER, { .scatter = own_scatter_linear } },
	{ "binomial", MPIB_SCATTER, { .scatter = own_scatter_binomial } },
	{ "at-once", MPIB_SCATTER, { .scatter = own_scatter_at_once } },
	{ "mpi", MPIB_GATHER, { .gather = MPI_Gather } },
	{ "linear", MPIB_GATHER, { .gather = own_gather_linear } },
	{ "binomial", MPIB_GATHER, { .gather = own_gather_binomial } },
	{ "at-once", MPIB_GATHER, { .gather = own_gather_at_once } },
	{ "mpi", MPIB_REDUCE, { .reduce = MPI_Reduce } },
	{ "linear", MPIB_REDUCE, { .reduce = own_reduce_linear } },
	{ "binomial", MPIB_REDUCE, { .reduce = own_reduce_binomial } },
	{ "ring", MPIB_REDUCE, { .reduce = own_reduce_ring } },
	{ "mpi", MPIB_ALLGATHER, { .allgather = MPI_Allgather } },
	{ "linear", MPIB_ALLGATHER, { .allgather = own_allgather_linear } },
	{ "binomial", MPIB_ALLGATHER, { .allgather = own_allgather_binomial } },
	{ "ring", MPIB_ALLGATHER, { .allgather = own_allgather_ring } },
	{ "mpi", MPIB_ALLTOALL, { .alltoall = MPI_Alltoall } },
	{ "linear", MPIB_ALLTOALL, { .alltoall = own_alltoall_linear } },
	{ "binomial", MPIB_ALLTOALL, { .alltoall = own_alltoall_binomial } },
	{ "ring", MPIB_ALLTOALL, { .alltoall = own_alltoall_ring } },
	{ "mpi", MPIB_ALLREDUCE, { .reduction = MPI_Allreduce } },
	{ "mpi",
	  MPIB_REDUCE_SCATTER_BLOCK,
	  { .reduction = MPI_Reduce_scatter_block } },
	{ "mpi", MPIB_SCAN, { .reduction = MPI_Scan } },
	{ "mpi",
	  MPIB_REDUCE_SCATTER,
	  { .reduce_scatter = MPI_Reduce_scatter } },
	{ "mpi", MPIB_EXSCAN, { .reduction = MPI_Exscan } },
	{ "mpi", MPIB_SCATTERV, { .scatterv = MPI_Scatterv } },
	{ "mpi", MPIB_GATHERV, { .gatherv = MPI_Gatherv } },
	{ "mpi", MPIB_ALLGATHERV, { .allgatherv = MPI_Allgatherv } },
	{ "mpi", MPIB_ALLTOALLV, { .alltoallv = MPI_Alltoallv } },
};

enum mpib_kind mpib_kind_find(const char *name)
{
	for (int i = 0; i < MPIB_KINDS; i++)
		if (strcmp(mpib_kind_name((enum mpib_kind)i), name) == 0)
			return (enum mpib_kind)i;
	return MPIB_KINDS;
}

const struct mpib_coll *mpib_coll_own(enum mpib_kind kind, int i)
{
	for (int at = 0; at < OURS; at++)
		if (ours[at].kind == kind && i-- == 0)
			return &ours[at];
	return NULL;
}

const struct mpib_coll *mpib_coll_find(enum mpib_kind kind, const char *name)
{
	for (int at = 0; at < OURS; at++)
		if (ours[at].kind == kind && strcmp(ours[at].name, name) == 0)
			return &ours[at];
	return NULL;
}

int own_bytes(MPI_Comm comm, int count, MPI_Datatype type, const void *buf,
	      int *bytes)
{
	MPI_Aint lower;
	MPI_Aint extent;
	int width;
	int size;

	if (buf == MPI_IN_PLACE)
		return MPI_ERR_BUFFER;
	MPI_Comm_size(comm, &size);
	MPI_Type_size(type, &width);
	MPI_Type_get_extent(type, &lower, &extent);
	if (lower != 0 || extent != width)
		return MPI_ERR_TYPE;
	if (count < 0 || (int64_t)count * width > INT_MAX / size)
		return MPI_ERR_COUNT;
	*bytes = count * width;
	return MPI_SUCCESS;
}

void own_send(const void *buf, int bytes, int to, MPI_Comm comm)
{
	MPI_Send(buf, bytes, MPI_BYTE, to, MPIB_TAG, comm);
}

void own_recv(void *buf, int bytes, int from, MPI_Comm comm)
{
	MPI_Recv(buf, bytes, MPI_BYTE, from, MPIB_TAG, comm, MPI_STATUS_IGNORE);
}
