/* SPDX-License-Identifier: BSD-3-Clause */

/* Memory that two receives have at a time. */
#include "faulty.h"

static MPI_Request two[2];

/* One of `n` columns of ints, `of` ints apart. */
static MPI_Datatype column(int n, int of)
{
	MPI_Datatype type;

	MPI_Type_vector(n, 1, of, MPI_INT, &type);
	MPI_Type_commit(&type);
	return type;
}

static void overlap_columns(void)
{
	MPI_Datatype type = column(4, 4);

	MPI_Irecv(y, 1, type, before, 0, comm, &two[0]);
	/* ! receives-overlap */
	MPI_Irecv(y + 8, 1, type, before, 1, comm, &two[1]);
	MPI_Send(x, 4, MPI_INT, after, 0, comm);
	MPI_Send(x, 4, MPI_INT, after, 1, comm);
	MPI_Waitall(2, two, NOTHINGS);
	MPI_Type_free(&type);
}

static void overlap_column_row(void)
{
	MPI_Datatype type = column(4, 4);

	MPI_Irecv(y + 1, 1, type, before, 0, comm, &two[0]);
	/* ! receives-overlap */
	MPI_Irecv(y + 4, 4, MPI_INT, before, 1, comm, &two[1]);
	MPI_Send(x, 4, MPI_INT, after, 0, comm);
	MPI_Send(x, 4, MPI_INT, after, 1, comm);
	MPI_Waitall(2, two, NOTHINGS);
	MPI_Type_free(&type);
}

static void overlap_structures(void)
{
	const int lengths[] = { 1, 2 };
	const MPI_Aint places[] = { 32, 0 };
	const MPI_Datatype types[] = { MPI_INT, MPI_DOUBLE };
	MPI_Datatype type;

	MPI_Type_create_struct(2, lengths, places, types, &type);
	MPI_Type_commit(&type);
	MPI_Irecv(y, 1, type, before, 0, comm, &two[0]);
	/* ! receives-overlap */
	MPI_Irecv(y + 8, 1, MPI_INT, before, 1, comm, &two[1]);
	MPI_Send(x, 1, type, after, 0, comm);
	MPI_Send(x, 1, MPI_INT, after, 1, comm);
	MPI_Waitall(2, two, NOTHINGS);
	MPI_Type_free(&type);
}

const struct faulty faulty_overlap[] = {
	CASE(overlap_columns, 2),
	CASE(overlap_column_row, 2),
	CASE(overlap_structures, 2),
	{ 0 },
};
