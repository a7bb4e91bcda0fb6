/* SPDX-License-Identifier: BSD-3-Clause */

/* Types of one length that differ between ranks. */
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

static MPI_Datatype pair_of(MPI_Datatype first, MPI_Datatype second)
{
	const int lengths[] = { 1, 1 };
	const MPI_Aint places[] = { 0, 8 };
	const MPI_Datatype types[] = { first, second };
	MPI_Datatype pair;

	MPI_Type_create_struct(2, lengths, places, types, &pair);
	MPI_Type_commit(&pair);
	return pair;
}

static void derived_homogeneous(void)
{
	MPI_Datatype ints;

	MPI_Type_contiguous(4, MPI_INT, &ints);
	MPI_Type_commit(&ints);
	/* ! sent */
	MPI_Send(anything, 1, ints, after, 0, comm);
	/* ! type-mismatch */
	MPI_Recv(more, 4, MPI_FLOAT, before, 0, comm, NOTHING);
	MPI_Type_free(&ints);
}

static void derived_vectors(void)
{
	MPI_Datatype reals;
	MPI_Datatype ints;

	MPI_Type_vector(3, 1, 2, MPI_INT, &ints);
	MPI_Type_vector(3, 1, 2, MPI_FLOAT, &reals);
	MPI_Type_commit(&ints);
	MPI_Type_commit(&reals);
	/* ! sent */
	MPI_Send(anything, 1, ints, after, 0, comm);
	/* ! type-mismatch */
	MPI_Irecv(more, 1, reals, before, 0, comm, &one);
	WAIT(&one);
	MPI_Type_free(&ints);
	MPI_Type_free(&reals);
}

static void derived_order(void)
{
	MPI_Datatype pair = pair_of(MPI_INT, MPI_FLOAT);
	MPI_Datatype other_way = pair_of(MPI_FLOAT, MPI_INT);

	/* ! sent */
	MPI_Send(anything, 3, pair, after, 0, comm);
	/* ! type-mismatch */
	MPI_Recv(more, 3, other_way, before, 0, comm, NOTHING);
	MPI_Type_free(&pair);
	MPI_Type_free(&other_way);
}

static void derived_first_part(void)
{
	MPI_Datatype pair = pair_of(MPI_INT, MPI_FLOAT);

	/* ! sent */
	MPI_Send(anything, 3, MPI_INT, after, 0, comm);
	/* ! type-mismatch */
	MPI_Recv(more, 2, pair, before, 0, comm, NOTHING);
	MPI_Type_free(&pair);
}

const struct faulty faulty_signatures[] = {
	CASE(types_bcast, 2),        CASE(types_gather, 2),
	CASE(types_scatter, 3),      CASE(types_allgather, 2),
	CASE(types_allreduce, 3),    CASE(types_ireduce, 2),
	CASE(types_bcast_large, 2),  CASE(derived_homogeneous, 2),
	CASE(derived_vectors, 2),    CASE(derived_order, 2),
	CASE(derived_first_part, 2), { 0 },
};
