/* SPDX-License-Identifier: BSD-3-Clause */

/* Types of one length that differ between the ranks of a collective call. */
#include "faulty.h"

static MPI_Request one;
static char anything[1 << 20];
static char more[1 << 10];

static void types_bcast(void)
{
	/* ! type-mismatch */
	MPI_Bcast(anything, 1, rank ? MPI_FLOAT : MPI_INT, 0, comm);
}

static void types_gather(void)
{
	/* ! type-mismatch */
	MPI_Gather(anything, 2, rank ? MPI_FLOAT : MPI_INT, more, 2, MPI_INT, 0,
		   comm);
}

static void types_scatter(void)
{
	/* ! type-mismatch */
	MPI_Scatter(anything, 1, MPI_DOUBLE, more, 1,
		    rank ? MPI_LONG : MPI_DOUBLE, 0, comm);
}

static void types_allgather(void)
{
	const MPI_Datatype type = rank ? MPI_UNSIGNED : MPI_FLOAT;

	/* ! type-mismatch */
	MPI_Allgather(anything, 1, type, more, 1, type, comm);
}

static void types_allreduce(void)
{
	/* ! type-mismatch */
	MPI_Allreduce(anything, more, 1, rank ? MPI_FLOAT : MPI_INT, MPI_SUM,
		      comm);
}

static void types_ireduce(void)
{
	/* ! type-mismatch */
	MPI_Ireduce(anything, more, 2, rank ? MPI_FLOAT : MPI_INT, MPI_MAX, 0,
		    comm, &one);
	/* ! type-mismatch */
	WAIT(&one);
}

static void types_bcast_large(void)
{
	/* ! type-mismatch */
	MPI_Bcast(anything, (int)sizeof(anything) / 4,
		  rank ? MPI_FLOAT : MPI_INT, 0, comm);
}

const struct faulty faulty_signatures[] = {
	CASE(types_bcast, 2),       CASE(types_gather, 2),
	CASE(types_scatter, 3),     CASE(types_allgather, 2),
	CASE(types_allreduce, 3),   CASE(types_ireduce, 2),
	CASE(types_bcast_large, 2), { 0 },
};
