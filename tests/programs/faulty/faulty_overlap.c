/* SPDX-License-Identifier: BSD-3-Clause */

/* Memory that two receives, or a send and a receive, have at a time. */
#include "faulty.h"

static MPI_Request one;
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

static void overlap_sendrecv(void)
{
	/* ! buffers-overlap */
	MPI_Sendrecv(y, 4, MPI_INT, after, 0, y + 3, 4, MPI_INT, before, 0,
		     comm, NOTHING);
}

static void overlap_isendrecv(void)
{
	MPI_Datatype type = column(4, 4);

	/* ! buffers-overlap */
	MPI_Isendrecv(y, 1, type, after, 0, y + 4, 4, MPI_INT, before, 0, comm,
		      &one);
	WAIT(&one);
	MPI_Type_free(&type);
}

static void overlap_gatherv(void)
{
	int counts[64];
	int displs[64];

	for (int i = 0; i < size; i++) {
		counts[i] = 2;
		displs[i] = i;
	}
	/* ! buffers-overlap */
	MPI_Gatherv(x, 2, MPI_INT, y, counts, displs, MPI_INT, 0, comm);
}

static void overlap_iallgatherv(void)
{
	int counts[64];
	int displs[64];

	for (int i = 0; i < size; i++) {
		counts[i] = 1;
		displs[i] = 0;
	}
	/* ! buffers-overlap */
	MPI_Iallgatherv(x, 1, MPI_INT, y, counts, displs, MPI_INT, comm, &one);
	WAIT(&one);
}

static void sent_too_soon(void)
{
	MPI_Irecv(y, 4, MPI_INT, before, 0, comm, &one);
	/* ! receive-sent */
	MPI_Send(y + 1, 2, MPI_INT, after, 0, comm);
	WAIT(&one);
}

static void sent_by_isend(void)
{
	MPI_Datatype type = column(4, 4);

	MPI_Irecv(y + 4, 4, MPI_INT, before, 0, comm, &two[0]);
	/* ! receive-sent */
	MPI_Isend(y, 1, type, after, 0, comm, &two[1]);
	MPI_Waitall(2, two, NOTHINGS);
	MPI_Type_free(&type);
}

static void sent_by_start(void)
{
	MPI_Recv_init(y, 2, MPI_INT, before, 0, comm, &two[0]);
	MPI_Send_init(y, 2, MPI_INT, after, 0, comm, &two[1]);
	/* ! receive-sent */
	MPI_Startall(2, two);
	MPI_Waitall(2, two, NOTHINGS);
	MPI_Request_free(&two[0]);
	MPI_Request_free(&two[1]);
}

const struct faulty faulty_overlap[] = {
	CASE(overlap_columns, 2),
	CASE(overlap_column_row, 2),
	CASE(overlap_structures, 2),
	CASE(overlap_sendrecv, 2),
	CASE(overlap_isendrecv, 2),
	CASE(overlap_gatherv, 3),
	CASE(overlap_iallgatherv, 2),
	CASE(sent_too_soon, 2),
	CASE(sent_by_isend, 2),
	CASE(sent_by_start, 2),
	{ 0 },
};
