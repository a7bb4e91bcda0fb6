/* SPDX-License-Identifier: BSD-3-Clause */

/* Collectives over the neighbours of a topology. */
#include <stdlib.h>

#include "pmpi-shim/pmpi.h"
#include "pmpi-shim/record/calls/comms.h"
#include "pmpi-shim/record/calls/transfer.h"

static bool room_make(struct shim_neighbors *found, int n_in, int n_out)
{
	found->in = calloc((size_t)n_in + 1, sizeof(int));
	found->out = calloc((size_t)n_out + 1, sizeof(int));
	if (!found->in || !found->out)
		return false;
	found->n_in = n_in;
	found->n_out = n_out;
	return true;
}

/* Source and destination along each dimension, as MPI orders them. */
static bool cart_neighbors(MPI_Comm handle, struct shim_neighbors *found)
{
	int dims = 0;

	PMPI_Cartdim_get(handle, &dims);
	if (!room_make(found, 2 * dims, 2 * dims))
		return false;
	for (int d = 0; d < dims; d++) {
		PMPI_Cart_shift(handle, d, 1, &found->in[2 * d],
				&found->in[2 * d + 1]);
		found->out[2 * d] = found->in[2 * d];
		found->out[2 * d + 1] = found->in[2 * d + 1];
	}
	return true;
}

static bool graph_neighbors(MPI_Comm handle, int rank,
			    struct shim_neighbors *found)
{
	int n = 0;

	PMPI_Graph_neighbors_count(handle, rank, &n);
	if (!room_make(found, n, n))
		return false;
	PMPI_Graph_neighbors(handle, rank, n, found->in);
	PMPI_Graph_neighbors(handle, rank, n, found->out);
	return true;
}

static bool dist_graph_neighbors(MPI_Comm handle, struct shim_neighbors *found)
{
	int weighted;
	int n_in = 0;
	int n_out = 0;
	int *weights;

	PMPI_Dist_graph_neighbors_count(handle, &n_in, &n_out, &weighted);
	weights = calloc((size_t)n_in + (size_t)n_out + 1, sizeof(int));
	if (!weights || !room_make(found, n_in, n_out)) {
		free(weights);
		return false;
	}
	PMPI_Dist_graph_neighbors(handle, n_in, found->in, weights, n_out,
				  found->out, weights + n_in);
	free(weights);
	return true;
}

bool shim_neighbors_ask(MPI_Comm handle, int rank, struct shim_neighbors *found)
{
	int kind = MPI_UNDEFINED;

	PMPI_Topo_test(handle, &kind);
	switch (kind) {
	case MPI_CART:
		return cart_neighbors(handle, found);
	case MPI_GRAPH:
		return graph_neighbors(handle, rank, found);
	case MPI_DIST_GRAPH:
		return dist_graph_neighbors(handle, found);
	default:
		return true;
	}
}

static const struct shim_comm *frame_comm(struct mmds_frame *f, MPI_Comm handle)
{
	struct shim_comm *comm = shim_comm_known(handle);

	if (!comm)
		return shim_comm_get(handle);
	f->comm = comm->row;
	if (comm->topology_known)
		return comm;
	comm->topology_known = true;
	shim_neighbors_ask(handle, comm->rank, &comm->neighbors);
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
	const struct shim_neighbors *all = &frame_comm(f, handle)->neighbors;

	f->sent += share_sum(&out, all->out, all->n_out);
	f->received += share_sum(&in, all->in, all->n_in);
}

/* The gathered part is handed over once, as in MPI_Allgather. */
static void gather(struct mmds_frame *f, MPI_Comm handle, uint64_t out,
		   struct share in)
{
	const struct shim_neighbors *all = &frame_comm(f, handle)->neighbors;

	if (all->n_out)
		f->sent += out;
	f->received += share_sum(&in, all->in, all->n_in);
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
