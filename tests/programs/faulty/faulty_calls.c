/* SPDX-License-Identifier: BSD-3-Clause */

/* Arguments that MPI refuses, and calls in the wrong state. */
#include "faulty.h"

static MPI_Request one;

static void send_rank(void)
{
	/* ! mpi-error */
	SEND(size, 7);
}

static void send_tag(void)
{
	/* ! mpi-error */
	SEND(other, -5);
}

static void send_null(void)
{
	/* ! mpi-error */
	MPI_Send(NULL, 1, MPI_INT, other, 0, comm);
}

static void send_raw(void)
{
	MPI_Datatype raw;

	MPI_Type_vector(2, 1, 2, MPI_INT, &raw);
	/* ! mpi-error */
	MPI_Send(x, 1, raw, other, 0, comm);
}

static void recv_count(void)
{
	/* ! mpi-error */
	MPI_Recv(y, -1, MPI_INT, other, 0, comm, NOTHING);
}

static void recv_no_comm(void)
{
	/* ! mpi-error */
	MPI_Recv(y, 1, MPI_INT, other, 0, MPI_COMM_NULL, NOTHING);
}

static void irecv_no_type(void)
{
	/* ! mpi-error */
	MPI_Irecv(y, 1, MPI_DATATYPE_NULL, other, 0, comm, &one);
}

static void bsend_no_room(void)
{
	/* ! mpi-error */
	MPI_Bsend(x, 1, MPI_INT, other, 0, comm);
}

static void bcast_root(void)
{
	/* ! mpi-error */
	BCAST(size);
}

static void allreduce_op(void)
{
	/* ! mpi-error */
	MPI_Allreduce(x, y, 1, MPI_FLOAT, MPI_BAND, comm);
}

static void allreduce_alias(void)
{
	/* ! mpi-error */
	MPI_Allreduce(x, x, 1, MPI_INT, MPI_SUM, comm);
}

static void gather_count(void)
{
	/* ! mpi-error */
	MPI_Gather(x, -1, MPI_INT, y, 1, MPI_INT, 0, comm);
}

static void start_active(void)
{
	MPI_Recv_init(y, 1, MPI_INT, other, 0, comm, &one);
	MPI_Start(&one);
	/* ! mpi-error */
	MPI_Start(&one);
}

static void start_plain(void)
{
	IRECV(other, 0, &one);
	/* ! mpi-error */
	MPI_Start(&one);
}

static void free_null(void)
{
	MPI_Comm none = MPI_COMM_NULL;

	/* ! mpi-error */
	MPI_Comm_free(&none);
}

static void put_nowhere(void)
{
	MPI_Win win;

	MPI_Win_create(x, sizeof(x), 1, MPI_INFO_NULL, comm, &win);
	MPI_Win_fence(0, win);
	/* ! mpi-error */
	MPI_Put(y, 1, MPI_INT, size, 0, 1, MPI_INT, win);
}

static void put_no_epoch(void)
{
	MPI_Win win;

	MPI_Win_create(x, sizeof(x), 1, MPI_INFO_NULL, comm, &win);
	/* ! mpi-error */
	MPI_Put(y, 1, MPI_INT, other, 0, 1, MPI_INT, win);
}

static void error_of_its_own(void)
{
	int class;

	for (int i = 0; i < MPI_ERR_TRUNCATE; i++)
		MPI_Add_error_class(&class);
	/* ! mpi-error */
	MPI_Comm_call_errhandler(comm, class);
}

const struct faulty faulty_calls[] = {
	CASE(send_rank, 2),
	CASE(send_tag, 2),
	CASE(send_null, 2),
	CASE(send_raw, 2),
	CASE(recv_count, 2),
	CASE(recv_no_comm, 2),
	CASE(irecv_no_type, 2),
	CASE(bsend_no_room, 2),
	CASE(bcast_root, 2),
	CASE(allreduce_op, 2),
	CASE(allreduce_alias, 2),
	CASE(gather_count, 2),
	CASE(start_active, 2),
	CASE(start_plain, 2),
	CASE(free_null, 2),
	CASE(put_nowhere, 2),
	CASE(put_no_epoch, 2),
	CASE(error_of_its_own, 2),
	{ 0 },
};
