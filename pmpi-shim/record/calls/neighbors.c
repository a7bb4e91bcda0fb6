/* SPDX-License-Identifier: BSD-3-Clause */

/* Collectives over the neighbours of a topology. */
#include <stdlib.h>

#include "pmpi-shim/pmpi.h"
#include "pmpi-shim/record/calls/comms.h"
#include "pmpi-shim/record/calls/transfer.h"

/* Source and destination along each dimension, as MPI orders them. */
static void cart_neighbors(MPI_Comm handle, struct shim_comm *comm)
{
	int dims = 0;

	PMPI_Cartdim_get(handle, &dims);
	comm->in = calloc((size_t)dims * 2 + 1, sizeof(int));
	comm->out = calloc((size_t)dims * 2 + 1, sizeof(int));
	if (!comm->in || !comm->out)
		return;
	for (int d = 0; d < dims; d++) {
		PMPI_Cart_shift(handle, d, 1, &comm->in[2 * d],
				&comm->in[2 * d + 1]);
		comm->out[2 * d] = comm->in[2 * d];
		comm->out[2 * d + 1] = comm->in[2 * d + 1];
	}
	comm->n_in = comm->n_out = 2 * dims;
}

static void graph_neighbors(MPI_Comm handle, struct shim_comm *comm)
{
	int n = 0;

	PMPI_Graph_neighbors_count(handle, comm->rank, &n);
	comm->in = calloc((size_t)n + 1, sizeof(int));
	comm->out = calloc((size_t)n + 1, sizeof(int));
	if (!comm->in || !comm->out)
		return;
	PMPI_Graph_neighbors(handle, comm->rank, n, comm->in);
	PMPI_Graph_neighbors(handle, comm->rank, n, comm->out);
	comm->n_in = comm->n_out = n;
}

static void dist_graph_neighbors(MPI_Comm handle, struct shim_comm *comm)
{
	int weighted;
	int n_in = 0;
	int n_out = 0;
	int *weights;

	PMPI_Dist_graph_neighbors_count(handle, &n_in, &n_out, &weighted);
	comm->in = calloc((size_t)n_in + 1, sizeof(int));
	comm->out = calloc((size_t)n_out + 1, sizeof(int));
	weights = calloc((size_t)n_in + (size_t)n_out + 1, sizeof(int));
	if (comm->in && comm->out && weights) {
		PMPI_Dist_graph_neighbors(handle, n_in, comm->in, weights,
					  n_out, comm->out, weights + n_in);
		comm->n_in = n_in;
		comm->n_out = n_out;
	}
	free(weights);
}

static const struct shim_comm *frame_comm(struct mmds_frame *f, MPI_Comm handle)
{
	struct shim_comm *comm = shim_comm_known(handle);
	int kind = MPI_UNDEFINED;

	if (!comm)
		return shim_comm_get(handle);
	f->comm = comm->row;
	if (comm->topology_known)
		return comm;
	comm->topology_known = true;
	PMPI_Topo_test(handle, &kind);
	if (kind == MPI_CART)
		cart_neighbors(handle, comm);
	else if (kind == MPI_GRAPH)
		graph_neighbors(handle, comm);
	else if (kind == MPI_DIST_GRAPH)
		dist_graph_neighbors(handle, comm);
	return comm;
}

/* Bytes for each neighbour: one count for all or one each; types likewise. */
struct share {
	MPI_Count count;
	struct shim_counts counts;
	MPI_Datatype type;
	const MPI_Datatype *types;
};

static uint64_t share_of(const struct share *share, int i)
{
	MPI_Count count = share->count;

	if (share->counts.ints)
		count = share->counts.ints[i];
	else if (share->counts.longs)
		count = share->counts.longs[i];
	if (count == 0)
		return 0;
	return shim_bytes(count, share->types ? share->types[i] : share->type);
}

static uint64_t share_sum(const struct share *share, const int *ranks, int n)
{
	uint64_t sum = 0;

	for (int i = 0; i < n; i++)
		if (ranks[i] >= 0)
			sum += share_of(share, i);
	return sum;
}

static void exchange(struct mmds_frame *f, MPI_Comm handle, struct share out,
		     struct share in)
{
	const struct shim_comm *comm = frame_comm(f, handle);

	f->sent += share_sum(&out, comm->out, comm->n_out);
	f->received += share_sum(&in, comm->in, comm->n_in);
}

/* The gathered part is handed over once, as in MPI_Allgather. */
static void gather(struct mmds_frame *f, MPI_Comm handle, uint64_t out,
		   struct share in)
{
	const struct shim_comm *comm = frame_comm(f, handle);

	if (comm->n_out)
		f->sent += out;
	f->received += share_sum(&in, comm->in, comm->n_in);
}

void shim_neighbor_allgather(struct mmds_frame *f, MPI_Comm comm,
			     MPI_Count sendcount, MPI_Datatype sendtype,
			     MPI_Count recvcount, MPI_Datatype recvtype)
{
	gather(f, comm, shim_bytes(sendcount, sendtype),
	       (struct share){ .count = recvcount, .type = recvtype });
}

void shim_neighbor_allgatherv(struct mmds_frame *f, MPI_Comm comm,
			      MPI_Count sendcount, MPI_Datatype sendtype,
			      struct shim_counts recvcounts,
			      MPI_Datatype recvtype)
{
	gather(f, comm, shim_bytes(sendcount, sendtype),
	       (struct share){ .counts = recvcounts, .type = recvtype });
}

void shim_neighbor_alltoall(struct mmds_frame *f, MPI_Comm comm,
			    MPI_Count sendcount, MPI_Datatype sendtype,
			    MPI_Count recvcount, MPI_Datatype recvtype)
{
	exchange(f, comm,
		 (struct share){ .count = sendcount, .type = sendtype },
		 (struct share){ .count = recvcount, .type = recvtype });
}

void shim_neighbor_alltoallv(struct mmds_frame *f, MPI_Comm comm,
			     struct shim_counts sendcounts,
			     MPI_Datatype sendtype,
			     struct shim_counts recvcounts,
			     MPI_Datatype recvtype)
{
	exchange(f, comm,
		 (struct share){ .counts = sendcounts, .type = sendtype },
		 (struct share){ .counts = recvcounts, .type = recvtype });
}

void shim_neighbor_alltoallw(struct mmds_frame *f, MPI_Comm comm,
			     struct shim_counts sendcounts,
			     const MPI_Datatype *sendtypes,
			     struct shim_counts recvcounts,
			     const MPI_Datatype *recvtypes)
{
	exchange(f, comm,
		 (struct share){ .counts = sendcounts, .types = sendtypes },
		 (struct share){ .counts = recvcounts, .types = recvtypes });
}
