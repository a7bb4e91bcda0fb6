/* SPDX-License-Identifier: BSD-3-Clause */

/* Collective calls that do not fit together. */
#include "faulty.h"

static MPI_Request one;

static void bcast_barrier(void)
{
	if (rank == 0)
		/* ! collective-mismatch */
		BCAST(0);
	else
		/* ! collective-mismatch */
		BARRIER();
}

static void one_of_four(void)
{
	if (rank == 3)
		/* ! collective-mismatch */
		BCAST(0);
	else
		/* ! collective-mismatch */
		ALLREDUCE(MPI_SUM);
}

static void order(void)
{
	if (rank == 0) {
		/* ! collective-mismatch */
		BCAST(1);
		/* ! collective-mismatch */
		BARRIER();
	} else {
		/* ! collective-mismatch */
		BARRIER();
		/* ! collective-mismatch */
		BCAST(1);
	}
}

static void one_less(void)
{
	if (rank)
		/* ! collective-mismatch */
		BARRIER();
	/* ! collective-mismatch */
	MPI_Finalize();
	exit(0);
}

static void bcast_roots(void)
{
	/* ! collective-mismatch */
	BCAST(!rank);
}

static void bcast_both_roots(void)
{
	/* ! collective-mismatch */
	BCAST(rank);
	/* ! collective-mismatch */
	BARRIER();
}

static void reduce_roots(void)
{
	/* ! collective-mismatch */
	MPI_Reduce(x, y, 1, MPI_INT, MPI_SUM, rank, comm);
	/* ! collective-mismatch */
	BARRIER();
}

static void gather_roots(void)
{
	/* ! collective-mismatch */
	MPI_Gather(x, 1, MPI_INT, y, 1, MPI_INT, rank % 2, comm);
	/* ! collective-mismatch */
	BARRIER();
}

static void scatter_roots(void)
{
	/* ! collective-mismatch */
	MPI_Scatter(x, 1, MPI_INT, y, 1, MPI_INT, !rank, comm);
}

static void allreduce_ops(void)
{
	/* ! collective-mismatch */
	ALLREDUCE(rank ? MPI_SUM : MPI_MAX);
}

static void reduce_ops(void)
{
	/* ! collective-mismatch */
	MPI_Reduce(x, y, 1, MPI_INT, rank ? MPI_MIN : MPI_MAX, 0, comm);
	/* ! collective-mismatch */
	BARRIER();
}

static void scan_exscan(void)
{
	if (rank == 1)
		/* ! collective-mismatch */
		MPI_Exscan(x, y, 1, MPI_INT, MPI_SUM, comm);
	else
		/* ! collective-mismatch */
		MPI_Scan(x, y, 1, MPI_INT, MPI_SUM, comm);
	/* ! collective-mismatch */
	BARRIER();
}

static void allreduce_counts(void)
{
	/* ! collective-mismatch */
	MPI_Allreduce(x, y, rank ? 2 : 3000, MPI_INT, MPI_SUM, comm);
}

static void reduce_counts(void)
{
	/* ! collective-mismatch */
	MPI_Reduce(x, y, 1 + rank, MPI_INT, MPI_SUM, 0, comm);
	/* ! collective-mismatch */
	BARRIER();
}

static void scatter_block_counts(void)
{
	/* ! collective-mismatch */
	MPI_Reduce_scatter_block(x, y, 10 + rank, MPI_INT, MPI_SUM, comm);
}

static void gather_less(void)
{
	/* ! collective-mismatch */
	MPI_Gather(x, rank ? 1 : 2, MPI_INT, y, 2, MPI_INT, 0, comm);
}

static void scatter_less(void)
{
	/* ! collective-mismatch */
	MPI_Scatter(x, 1, MPI_INT, y, 2, MPI_INT, 0, comm);
}

static void allgather_less(void)
{
	/* ! collective-mismatch */
	MPI_Allgather(x, 1, MPI_INT, y, 2, MPI_INT, comm);
}

static void alltoall_less(void)
{
	/* ! collective-mismatch */
	MPI_Alltoall(x, 1, MPI_INT, y, 2, MPI_INT, comm);
}

static void ibcast_roots(void)
{
	/* ! collective-mismatch */
	MPI_Ibcast(x, 1, MPI_INT, !rank, comm, &one);
	WAIT(&one);
}

/* No rank waits for another one. */
static void ibcast_both_roots(void)
{
	/* ! collective-mismatch */
	MPI_Ibcast(x, 1, MPI_INT, rank, comm, &one);
	WAIT(&one);
}

static void ibarrier_barrier(void)
{
	if (rank == 0) {
		/* ! collective-mismatch */
		MPI_Ibarrier(comm, &one);
		WAIT(&one);
	} else {
		/* ! collective-mismatch */
		BARRIER();
	}
}

static void iallreduce_ops(void)
{
	/* ! collective-mismatch */
	MPI_Iallreduce(x, y, 1, MPI_INT, rank ? MPI_SUM : MPI_MAX, comm, &one);
	WAIT(&one);
}

static void persistent_roots(void)
{
	/* ! collective-mismatch */
	MPI_Bcast_init(x, 1, MPI_INT, !rank, comm, MPI_INFO_NULL, &one);
	MPI_Start(&one);
	WAIT(&one);
}

static void half(void)
{
	MPI_Comm part;

	MPI_Comm_split(comm, rank / 2, 0, &part);
	if (rank == 3)
		/* ! collective-mismatch */
		MPI_Barrier(part);
	else
		/* ! collective-mismatch */
		MPI_Bcast(x, 1, MPI_INT, 1, part);
	MPI_Comm_free(&part);
}

static void loop(void)
{
	for (int i = 0; i < 3 + (rank == 1); i++)
		/* ! collective-mismatch */
		ALLREDUCE(MPI_SUM);
	/* ! collective-mismatch */
	BARRIER();
}

const struct faulty faulty_colls[] = {
	CASE(bcast_barrier, 2),
	CASE(one_of_four, 4),
	CASE(order, 2),
	CASE(one_less, 2),
	CASE(bcast_roots, 2),
	CASE(bcast_both_roots, 2),
	CASE(reduce_roots, 2),
	CASE(gather_roots, 3),
	CASE(scatter_roots, 2),
	CASE(allreduce_ops, 2),
	CASE(reduce_ops, 3),
	CASE(scan_exscan, 3),
	CASE(allreduce_counts, 2),
	CASE(reduce_counts, 2),
	CASE(scatter_block_counts, 2),
	CASE(gather_less, 2),
	CASE(scatter_less, 2),
	CASE(allgather_less, 2),
	CASE(alltoall_less, 2),
	CASE(ibcast_roots, 2),
	CASE(ibcast_both_roots, 2),
	CASE(ibarrier_barrier, 2),
	CASE(iallreduce_ops, 2),
	CASE(persistent_roots, 2),
	CASE(half, 4),
	CASE(loop, 3),
	{ 0 },
};
