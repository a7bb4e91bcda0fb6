/* SPDX-License-Identifier: BSD-3-Clause */

/* Buffers that lie within each other, and have no byte in common. */
#include "faulty.h"

static MPI_Request one;
static MPI_Request two[2];

static MPI_Datatype column(int n, int of)
{
	MPI_Datatype type;

	MPI_Type_vector(n, 1, of, MPI_INT, &type);
	MPI_Type_commit(&type);
	return type;
}

static void columns_beside(void)
{
	MPI_Datatype type = column(4, 4);

	for (int i = 0; i < 2; i++)
		MPI_Irecv(y + i, 1, type, before, i, comm, &two[i]);
	for (int i = 0; i < 2; i++)
		MPI_Send(x, 4, MPI_INT, after, i, comm);
	MPI_Waitall(2, two, NOTHINGS);
	MPI_Type_free(&type);
}

/* The halo of a square, and what is sent lies between. */
static void halo(void)
{
	MPI_Datatype type = column(4, 6);

	MPI_Irecv(y, 1, type, before, 0, comm, &two[0]);
	MPI_Irecv(y + 5, 1, type, before, 1, comm, &two[1]);
	MPI_Send(y + 1, 1, type, after, 0, comm);
	MPI_Send(y + 4, 1, type, after, 1, comm);
	MPI_Waitall(2, two, NOTHINGS);
	MPI_Type_free(&type);
}

static void column_to_column(void)
{
	MPI_Datatype type = column(4, 4);

	MPI_Sendrecv(y, 1, type, after, 0, y + 1, 1, type, before, 0, comm,
		     NOTHING);
	MPI_Sendrecv(y, 2, MPI_INT, after, 1, y + 2, 2, MPI_INT, before, 1,
		     comm, NOTHING);
	MPI_Sendrecv_replace(y, 2, MPI_INT, after, 2, before, 2, comm, NOTHING);
	MPI_Type_free(&type);
}

/* Rows are dealt out in turn. */
static void gather_columns(void)
{
	MPI_Datatype type = column(4, size);
	MPI_Datatype narrow;
	int counts[64];
	int displs[64];

	MPI_Type_create_resized(type, 0, sizeof(int), &narrow);
	MPI_Type_commit(&narrow);
	for (int i = 0; i < size; i++) {
		counts[i] = 1;
		displs[i] = size - 1 - i;
	}
	MPI_Gatherv(x, 4, MPI_INT, y, counts, displs, narrow, 0, comm);
	MPI_Allgatherv(x, 4, MPI_INT, y, counts, displs, narrow, comm);
	MPI_Type_free(&narrow);
	MPI_Type_free(&type);
}

/* A block without elements is nowhere. */
static void gather_nothing(void)
{
	int counts[64] = { 2 };
	int displs[64] = { 0 };

	MPI_Gatherv(x, rank ? 0 : 2, MPI_INT, y, counts, displs, MPI_INT, 0,
		    comm);
}

static void sent_when_complete(void)
{
	IRECV(before, 0, &one);
	SEND(after, 0);
	WAIT(&one);
	MPI_Isend(y, 1, MPI_INT, after, 1, comm, &one);
	MPI_Recv(z, 1, MPI_INT, before, 1, comm, NOTHING);
	WAIT(&one);
}

/* The first wait is for a request that will be started. */
static void waits_before_start(void)
{
	MPI_Send_init(x, 1, MPI_INT, after, 0, comm, &one);
	for (int i = 0; i < 2; i++) {
		WAIT(&one);
		MPI_Start(&one);
		RECV(before, 0);
	}
	WAIT(&one);
	MPI_Request_free(&one);
	MPI_Recv_init(y, 1, MPI_INT, MPI_PROC_NULL, 0, comm, &one);
	WAIT(&one);
	MPI_Request_free(&one);
}

const struct faulty right_overlap[] = {
	CASE(columns_beside, 2),     CASE(halo, 2),
	CASE(column_to_column, 2),   CASE(gather_columns, 3),
	CASE(gather_nothing, 2),     CASE(sent_when_complete, 2),
	CASE(waits_before_start, 2), { 0 },
};
