/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The first of three ranks waits for the others by requests, 200 ms each time.
 * It waits for rank 1 by MPI_Wait, and for rank 2 by MPI_Waitany.  It waits for
 * both by MPI_Waitall, where MPI does not tell whose message came last.  A
 * cancelled receive came from nobody.  In the end it sends to rank 1 and waits
 * for rank 2, in one call.
 */
#include <time.h>

#include <mpi.h>

#define WORLD MPI_COMM_WORLD

static int rank;

static void late_send(int tag)
{
	const struct timespec time = { .tv_nsec = 200000000 };

	nanosleep(&time, NULL);
	MPI_Send(&tag, 1, MPI_INT, 0, tag, WORLD);
}

static void one(void)
{
	MPI_Request request;
	int in;

	MPI_Barrier(WORLD);
	if (rank == 1)
		late_send(1);
	if (rank > 0)
		return;
	MPI_Irecv(&in, 1, MPI_INT, 1, 1, WORLD, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void both(void)
{
	MPI_Request requests[2];
	int in[2];

	MPI_Barrier(WORLD);
	if (rank > 0) {
		late_send(2);
		return;
	}
	MPI_Irecv(&in[0], 1, MPI_INT, 1, 2, WORLD, &requests[0]);
	MPI_Irecv(&in[1], 1, MPI_INT, 2, 2, WORLD, &requests[1]);
	MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

static void any(void)
{
	MPI_Request requests[2];
	int in[2];
	int i;

	MPI_Barrier(WORLD);
	if (rank == 2)
		late_send(3);
	if (rank > 0)
		return;
	MPI_Irecv(&in[0], 1, MPI_INT, 1, 4, WORLD, &requests[0]);
	MPI_Irecv(&in[1], 1, MPI_INT, MPI_ANY_SOURCE, 3, WORLD, &requests[1]);
	MPI_Waitany(2, requests, &i, MPI_STATUS_IGNORE);
	MPI_Cancel(&requests[0]);
	MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
}

static void exchange(void)
{
	const int out = 5;
	int in;

	MPI_Barrier(WORLD);
	if (rank == 2)
		late_send(5);
	if (rank == 1)
		MPI_Recv(&in, 1, MPI_INT, 0, 5, WORLD, MPI_STATUS_IGNORE);
	if (rank == 0)
		MPI_Sendrecv(&out, 1, MPI_INT, 1, 5, &in, 1, MPI_INT, 2, 5,
			     WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(WORLD, &rank);
	one();
	both();
	any();
	exchange();
	MPI_Finalize();
	return 0;
}
