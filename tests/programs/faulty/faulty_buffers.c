/* SPDX-License-Identifier: BSD-3-Clause */

/* Buffers that are not as long as their call is told, or of another type. */
#include "faulty.h"

static MPI_Request one;
static double reals[4];

static void few_send(void)
{
	int few[4] = { 0 };
	int many[8];

	/* ! buffer-too-short */
	MPI_Send(few, 5, MPI_INT, after, 0, comm);
	MPI_Recv(many, 8, MPI_INT, before, 0, comm, NOTHING);
}

static void few_recv(void)
{
	int few[4];

	SEND(after, 0);
	/* ! buffer-too-short */
	MPI_Recv(few, 5, MPI_INT, before, 0, comm, NOTHING);
}

static void few_irecv(void)
{
	struct {
		int from;
		int values[2];
	} message;

	/* ! buffer-too-short */
	MPI_Irecv(message.values, 3, MPI_INT, before, 0, comm, &one);
	SEND(after, 0);
	WAIT(&one);
}

static void recv_into(int *values, int n);

static void few_of_caller(void)
{
	int few[3];

	recv_into(few, 4);
}

static void recv_into(int *values, int n)
{
	SEND(after, 0);
	/* ! buffer-too-short */
	MPI_Recv(values, n, MPI_INT, before, 0, comm, NOTHING);
}

static void few_reduce(void)
{
	int part[2] = { 0 };

	/* ! buffer-too-short */
	MPI_Reduce(part, y, 3, MPI_INT, MPI_SUM, 0, comm);
}

static void few_scatter(void)
{
	int all[16] = { 0 };

	/* ! buffer-too-short */
	MPI_Scatter(all, 10, MPI_INT, y, 10, MPI_INT, 0, comm);
}

static void few_static(void)
{
	/* ! buffer-too-short */
	MPI_Bcast(reals + 1, 4, MPI_DOUBLE, 0, comm);
}

static void few_vector(void)
{
	MPI_Datatype column;
	int square[16];

	MPI_Type_vector(4, 1, 4, MPI_INT, &column);
	MPI_Type_commit(&column);
	MPI_Bcast(square + 3, 1, column, 0, comm);
	/* ! buffer-too-short */
	MPI_Bcast(square + 4, 1, column, 0, comm);
	MPI_Type_free(&column);
}

static void few_large_count(void)
{
	int few[4] = { 0 };

	/* ! buffer-too-short */
	MPI_Send_c(few, 5, MPI_INT, after, 0, comm);
	MPI_Recv(y, 5, MPI_INT, before, 0, comm, NOTHING);
}

static void few_matched(void)
{
	MPI_Message message;
	int few[2];

	SEND(after, 0);
	MPI_Mprobe(before, 0, comm, &message, NOTHING);
	/* ! buffer-too-short */
	MPI_Mrecv(few, 3, MPI_INT, &message, NOTHING);
}

static void few_replaced(void)
{
	int few[2] = { 0 };

	/* ! buffer-too-short */
	MPI_Sendrecv_replace(few, 3, MPI_INT, after, 0, before, 0, comm,
			     NOTHING);
}

static void few_persistent(void)
{
	int few[2] = { 0 };

	/* ! buffer-too-short */
	MPI_Bcast_init(few, 3, MPI_INT, 0, comm, MPI_INFO_NULL, &one);
	MPI_Request_free(&one);
}

/* Blocks with a gap between them. */
static void few_scatterv(void)
{
	const int counts[] = { 2, 2 };
	const int places[] = { 0, 3 };
	int all[4] = { 0 };

	/* ! buffer-too-short */
	MPI_Scatterv(all, counts, places, MPI_INT, y, 2, MPI_INT, 0, comm);
}

static void few_alltoallv(void)
{
	const MPI_Count counts[] = { 2, 2 };
	const MPI_Aint places[] = { 3, 0 };
	int all[4] = { 0 };

	/* ! buffer-too-short */
	MPI_Alltoallv_c(all, counts, places, MPI_INT, y, counts, places,
			MPI_INT, comm);
}

static void few_reduce_scatter(void)
{
	const int counts[] = { 2, 3 };
	int part[4] = { 0 };

	/* ! buffer-too-short */
	MPI_Reduce_scatter(part, y, counts, MPI_INT, MPI_SUM, comm);
}

static void type_of_local(void)
{
	double value = 1;

	/* ! buffer-type */
	MPI_Bcast(&value, 1, MPI_INT, 0, comm);
}

static void type_of_element(void)
{
	/* ! buffer-type */
	MPI_Allreduce(MPI_IN_PLACE, reals + 2, 2, MPI_INT, MPI_SUM, comm);
}

static void type_of_sign(void)
{
	unsigned value = 1;
	unsigned sum;

	/* ! buffer-type */
	MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, comm);
}

const struct faulty faulty_buffers[] = {
	CASE(few_send, 2),
	CASE(few_recv, 2),
	CASE(few_irecv, 2),
	CASE(few_of_caller, 2),
	CASE(few_reduce, 2),
	CASE(few_scatter, 2),
	CASE(few_static, 2),
	CASE(few_vector, 2),
	CASE(few_large_count, 2),
	CASE(few_matched, 2),
	CASE(few_replaced, 2),
	CASE(few_persistent, 2),
	CASE(few_scatterv, 2),
	CASE(few_alltoallv, 2),
	CASE(few_reduce_scatter, 2),
	CASE(type_of_local, 2),
	CASE(type_of_element, 2),
	CASE(type_of_sign, 2),
	{ 0 },
};
