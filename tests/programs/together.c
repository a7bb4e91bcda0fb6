/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The first of three ranks receives from the others, all completed by one
 * MPI_Waitall.  Neighbours in it differ in one thing: the sender, the place in
 * the program, the communicator or the size.  Some do not differ at all.
 */
#include <mpi.h>

#define WORLD MPI_COMM_WORLD
#define N     9

static MPI_Comm other;

static const struct {
	int from;
	int there; /* which of two places in the program */
	int in_other;
	int ints;
} receives[N] = {
	{ 1, 0, 0, 1 }, { 1, 0, 0, 1 }, { 1, 0, 0, 1 },
	{ 2, 0, 0, 1 }, { 2, 1, 0, 1 }, { 2, 1, 1, 1 },
	{ 2, 1, 1, 4 }, { 2, 1, 1, 4 }, { 1, 0, 0, 1 },
};

static MPI_Comm comm_of(int i)
{
	return receives[i].in_other ? other : WORLD;
}

#define PLACE __attribute__((noinline)) static void

PLACE receive_here(int i, int *in, MPI_Request *request)
{
	MPI_Irecv(in, receives[i].ints, MPI_INT, receives[i].from, i,
		  comm_of(i), request);
}

PLACE receive_there(int i, int *in, MPI_Request *request)
{
	MPI_Irecv(in, receives[i].ints, MPI_INT, receives[i].from, i,
		  comm_of(i), request);
}

static void receive(int i, int *in, MPI_Request *request)
{
	if (receives[i].there)
		receive_there(i, in, request);
	else
		receive_here(i, in, request);
}

int main(int argc, char **argv)
{
	MPI_Request requests[N];
	int in[N][4];
	int out[4] = { 0 };
	int rank;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(WORLD, &rank);
	MPI_Comm_dup(WORLD, &other);
	for (int i = 0; i < N; i++)
		if (rank == 0)
			receive(i, in[i], &requests[i]);
		else if (rank == receives[i].from)
			MPI_Send(out, receives[i].ints, MPI_INT, 0, i,
				 comm_of(i));
	if (rank == 0)
		MPI_Waitall(N, requests, MPI_STATUSES_IGNORE);
	MPI_Comm_free(&other);
	MPI_Finalize();
	return 0;
}
