/* SPDX-License-Identifier: BSD-3-Clause */

/* Requests of ranks that wait for each other only; receives that are short. */
#include "faulty.h"

static MPI_Request one;
static MPI_Request two[2];
static int index_of;
static int flag;

static void irecv_wait(void)
{
	IRECV(other, 0, &one);
	/* ! deadlock */
	WAIT(&one);
	SEND(other, 0);
}

static void issend_wait(void)
{
	MPI_Issend(x, 1, MPI_INT, after, 0, comm, &one);
	/* ! deadlock */
	WAIT(&one);
	RECV(before, 0);
}

static void isend_large_wait(void)
{
	MPI_Isend(x, MANY, MPI_INT, other, 0, comm, &one);
	/* ! deadlock */
	WAIT(&one);
	MPI_Recv(y, MANY, MPI_INT, other, 0, comm, NOTHING);
}

static void waitall_half(void)
{
	IRECV(other, 0, &two[0]);
	MPI_Irecv(z, 1, MPI_INT, other, 1, comm, &two[1]);
	SEND(other, 0);
	/* ! deadlock */
	MPI_Waitall(2, two, NOTHINGS);
	SEND(other, 1);
}

static void waitany_none(void)
{
	IRECV(before, 0, &two[0]);
	MPI_Irecv(z, 1, MPI_INT, before, 1, comm, &two[1]);
	/* ! deadlock */
	MPI_Waitany(2, two, &index_of, NOTHING);
	SEND(after, 0);
	SEND(after, 1);
}

static void waitsome_none(void)
{
	int indices[2];

	IRECV(other, 0, &two[0]);
	MPI_Irecv(z, 1, MPI_INT, other, 1, comm, &two[1]);
	/* ! deadlock */
	MPI_Waitsome(2, two, &index_of, indices, NOTHINGS);
	SEND(other, 0);
}

static void persistent_recv(void)
{
	MPI_Recv_init(y, 1, MPI_INT, other, 0, comm, &one);
	MPI_Start(&one);
	/* ! deadlock */
	WAIT(&one);
}

static void persistent_ssend(void)
{
	MPI_Ssend_init(x, 1, MPI_INT, after, 0, comm, &two[0]);
	MPI_Recv_init(y, 1, MPI_INT, before, 0, comm, &two[1]);
	MPI_Start(&two[0]);
	/* ! deadlock */
	WAIT(&two[0]);
	MPI_Start(&two[1]);
}

static void persistent_tags(void)
{
	MPI_Send_init(x, 1, MPI_INT, other, 0, comm, &two[0]);
	MPI_Recv_init(y, 1, MPI_INT, other, 9, comm, &two[1]);
	MPI_Startall(2, two);
	/* ! deadlock */
	MPI_Waitall(2, two, NOTHINGS);
}

static void ibarrier_wait(void)
{
	if (rank == 0) {
		/* ! deadlock */
		RECV(1, 0);
		MPI_Ibarrier(comm, &one);
		WAIT(&one);
	} else {
		MPI_Ibarrier(comm, &one);
		/* ! deadlock */
		WAIT(&one);
		SEND(0, 0);
	}
}

static void ibcast_wait(void)
{
	if (rank == 0)
		/* ! deadlock */
		RECV(1, 0);
	MPI_Ibcast(x, 1, MPI_INT, 0, comm, &one);
	/* ! deadlock */
	WAIT(&one);
	if (rank == 1)
		SEND(0, 0);
}

static void isendrecv_tags(void)
{
	MPI_Isendrecv(x, 1, MPI_INT, other, 1, y, 1, MPI_INT, other, 2, comm,
		      &one);
	/* ! deadlock */
	WAIT(&one);
}

static void short_recv(void)
{
	if (rank == 0)
		/* ! sent */
		MPI_Send(x, 5, MPI_INT, 1, 7, comm);
	else
		/* ! truncation */
		MPI_Recv(y, 4, MPI_INT, 0, 7, comm, NOTHING);
}

static void short_recv_type(void)
{
	if (rank == 0)
		/* ! sent */
		MPI_Send(x, 1, MPI_INT, 1, 7, comm);
	else
		/* ! truncation */
		MPI_Recv(y, 1, MPI_SHORT, 0, 7, comm, NOTHING);
}

static void short_recv_large(void)
{
	if (rank == 0)
		/* ! sent */
		MPI_Send(x, MANY, MPI_INT, 1, 7, comm);
	else
		/* ! truncation */
		MPI_Recv(y, MANY - 1, MPI_INT, 0, 7, comm, NOTHING);
}

static void short_irecv(void)
{
	if (rank == 0) {
		/* ! sent */
		MPI_Send(x, 2, MPI_INT, 1, 7, comm);
	} else {
		IRECV(0, 7, &one);
		/* ! truncation */
		WAIT(&one);
	}
}

static void short_test(void)
{
	if (rank == 0) {
		/* ! sent */
		MPI_Send(x, 2, MPI_INT, 1, 7, comm);
	} else {
		IRECV(0, 7, &one);
		for (flag = 0; !flag;)
			/* ! truncation */
			MPI_Test(&one, &flag, NOTHING);
	}
}

static void short_persistent(void)
{
	MPI_Recv_init(y, 1, MPI_INT, before, 0, comm, &one);
	MPI_Start(&one);
	/* ! sent */
	MPI_Send(x, 3, MPI_INT, after, 0, comm);
	/* ! truncation */
	WAIT(&one);
}

static void short_sendrecv(void)
{
	/* ! truncation */
	MPI_Sendrecv(x, 4, MPI_INT, other, 0, y, 3, MPI_INT, other, 0, comm,
		     NOTHING);
}

static void short_mrecv(void)
{
	MPI_Message message;

	if (rank == 0) {
		/* ! sent */
		MPI_Send(x, 4, MPI_INT, 1, 0, comm);
	} else {
		MPI_Mprobe(0, 0, comm, &message, NOTHING);
		/* ! truncation */
		MPI_Mrecv(y, 3, MPI_INT, &message, NOTHING);
	}
}

static void short_vector(void)
{
	MPI_Datatype column;

	MPI_Type_vector(4, 1, 2, MPI_INT, &column);
	MPI_Type_commit(&column);
	if (rank == 0)
		/* ! sent */
		MPI_Send(x, 1, column, 1, 0, comm);
	if (rank == 1)
		/* ! truncation */
		MPI_Recv(y, 3, MPI_INT, 0, 0, comm, NOTHING);
	MPI_Type_free(&column);
}

const struct faulty faulty_requests[] = {
	CASE(irecv_wait, 2),       CASE(issend_wait, 3),
	CASE(isend_large_wait, 2), CASE(waitall_half, 2),
	CASE(waitany_none, 4),     CASE(waitsome_none, 2),
	CASE(persistent_recv, 2),  CASE(persistent_ssend, 3),
	CASE(persistent_tags, 2),  CASE(ibarrier_wait, 2),
	CASE(ibcast_wait, 2),      CASE(isendrecv_tags, 2),
	CASE(short_recv, 2),       CASE(short_recv_type, 2),
	CASE(short_recv_large, 2), CASE(short_irecv, 2),
	CASE(short_test, 2),       CASE(short_persistent, 3),
	CASE(short_sendrecv, 2),   CASE(short_mrecv, 2),
	CASE(short_vector, 2),     { 0 },
};
