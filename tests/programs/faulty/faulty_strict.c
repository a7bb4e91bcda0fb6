/* SPDX-License-Identifier: BSD-3-Clause */

/* Faults that mostly do no harm, found with BCS_STRICT. */
#include "faulty.h"

static MPI_Request one;
static MPI_Request two[2];

static void strict_send(void)
{
	/* ! deadlock */
	SEND(other, 0);
	RECV(other, 0);
}

static void strict_send_ring(void)
{
	/* ! deadlock */
	SEND(after, 0);
	RECV(before, 0);
}

static void strict_isend(void)
{
	ISEND(other, 0, &one);
	/* ! deadlock */
	WAIT(&one);
	RECV(other, 0);
}

static void strict_start(void)
{
	MPI_Send_init(x, 1, MPI_INT, other, 0, comm, &one);
	MPI_Start(&one);
	/* ! deadlock */
	WAIT(&one);
	RECV(other, 0);
}

static void strict_barrier(void)
{
	if (rank == 0)
		/* ! deadlock */
		SEND(1, 0);
	/* ! deadlock */
	BARRIER();
	if (rank == 1)
		RECV(0, 0);
}

static void strict_left(void)
{
	/* ! request-not-completed */
	ISEND(after, 0, &one);
	RECV(before, 0);
}

static void overlap_irecv(void)
{
	MPI_Irecv(y, 4, MPI_INT, before, 0, comm, &two[0]);
	/* ! receives-overlap */
	MPI_Irecv(y + 2, 4, MPI_INT, before, 1, comm, &two[1]);
	MPI_Isend(x, 4, MPI_INT, after, 0, comm, &one);
	MPI_Ssend(x, 4, MPI_INT, after, 1, comm);
	WAIT(&one);
	MPI_Waitall(2, two, NOTHINGS);
}

static void overlap_recv(void)
{
	IRECV(before, 0, &two[0]);
	ISEND(after, 0, &one);
	ISEND(after, 1, &two[1]);
	/* ! receives-overlap */
	MPI_Recv(y, 2, MPI_INT, before, 1, comm, NOTHING);
	WAIT(&one);
	MPI_Waitall(2, two, NOTHINGS);
}

static void overlap_start(void)
{
	MPI_Recv_init(y, 2, MPI_INT, before, 0, comm, &two[0]);
	MPI_Recv_init(y + 1, 2, MPI_INT, before, 1, comm, &two[1]);
	/* ! receives-overlap */
	MPI_Startall(2, two);
	MPI_Isend(x, 2, MPI_INT, after, 0, comm, &one);
	MPI_Ssend(x, 2, MPI_INT, after, 1, comm);
	WAIT(&one);
	MPI_Waitall(2, two, NOTHINGS);
	MPI_Request_free(&two[0]);
	MPI_Request_free(&two[1]);
}

static void changed_isend(void)
{
	/* ! buffer-changed */
	MPI_Isend(x, SOME, MPI_INT, after, 0, comm, &one);
	x[0]++;
	MPI_Recv(y, SOME, MPI_INT, before, 0, comm, NOTHING);
	WAIT(&one);
}

static void changed_large(void)
{
	/* ! buffer-changed */
	MPI_Isend(x, MANY, MPI_INT, after, 0, comm, &one);
	MPI_Recv(y, MANY, MPI_INT, before, 0, comm, NOTHING);
	x[MANY - 1]++;
	WAIT(&one);
}

static void changed_start(void)
{
	MPI_Send_init(x, SOME, MPI_INT, after, 0, comm, &one);
	/* ! buffer-changed */
	MPI_Start(&one);
	MPI_Recv(x, SOME, MPI_INT, before, 0, comm, NOTHING);
	x[0]++;
	WAIT(&one);
	MPI_Request_free(&one);
}

static void strict_fence(void)
{
	MPI_Win win;

	MPI_Win_create(z, 4, 4, MPI_INFO_NULL, comm, &win);
	MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
	if (rank == 0)
		/* ! deadlock */
		RECV(1, 7);
	/* ! deadlock */
	MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
	if (rank == 1)
		SEND(0, 7);
	MPI_Win_free(&win);
}

const struct faulty faulty_strict[] = {
	CASE(strict_send, 2),    CASE(strict_send_ring, 3),
	CASE(strict_isend, 2),   CASE(strict_start, 4),
	CASE(strict_barrier, 2), CASE(strict_left, 2),
	CASE(strict_fence, 2),   CASE(overlap_irecv, 2),
	CASE(overlap_recv, 2),   CASE(overlap_start, 2),
	CASE(changed_isend, 2),  CASE(changed_large, 2),
	CASE(changed_start, 3),  { 0 },
};
