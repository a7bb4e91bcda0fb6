/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * A ring of any number of ranks, whose calls can be told in advance: ring.F90
 * makes the same.  The last round begins late at rank 0, so the next rank waits
 * for it.
 */
#include <mpi.h>
#include <unistd.h>

#define N      100
#define ROUNDS 10

static int out[N];
static int in[N];

static void blocking(int next, int last)
{
	for (int i = 0; i < ROUNDS; i++)
		MPI_Sendrecv(out, N, MPI_INT, next, i, in, N, MPI_INT, last, i,
			     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void nonblocking(int next, int last)
{
	MPI_Request requests[2];

	MPI_Irecv(in, N, MPI_INT, last, 1, MPI_COMM_WORLD, &requests[0]);
	MPI_Isend(out, N, MPI_INT, next, 1, MPI_COMM_WORLD, &requests[1]);
	MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

static void late(int rank, int next, int last)
{
	if (rank == 0)
		usleep(100000);
	else
		MPI_Recv(in, N, MPI_INT, last, 2, MPI_COMM_WORLD,
			 MPI_STATUS_IGNORE);
	if (next != 0)
		MPI_Send(out, N, MPI_INT, next, 2, MPI_COMM_WORLD);
}

static int sum_is_right(int rank, int size)
{
	double mine = rank;
	double sum;

	MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
	return sum == size * (size - 1) / 2.0;
}

int main(int argc, char **argv)
{
	MPI_Comm copy;
	int is_right;
	int rank;
	int size;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	blocking((rank + 1) % size, (rank + size - 1) % size);
	nonblocking((rank + 1) % size, (rank + size - 1) % size);
	late(rank, (rank + 1) % size, (rank + size - 1) % size);
	is_right = sum_is_right(rank, size);
	MPI_Bcast(out, N, MPI_INT, 0, MPI_COMM_WORLD);
	MPI_Comm_dup(MPI_COMM_WORLD, &copy);
	MPI_Barrier(copy);
	MPI_Comm_free(&copy);
	MPI_Finalize();
	return !is_right;
}
