/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * usage: stuck FILE|circles, with 4 ranks
 *
 * Rank 0 computes until FILE is there.  Rank 1 waits for a message from rank 0.
 * Ranks 2 and 3 are in a reduction.  With `circles` ranks 0 and 2 wait for each
 * other for ever, and so do ranks 1 and 3.
 */
#include <mpi.h>
#include <string.h>
#include <unistd.h>

static int rank;
static int value;

static void compute(const char *file)
{
	volatile double sum = 0;

	while (access(file, F_OK) != 0)
		for (int i = 0; i < 1000000; i++)
			sum += i;
	MPI_Send(&value, 1, MPI_INT, 1, 7, MPI_COMM_WORLD);
}

/* In each half the higher rank comes first. */
static void circles(void)
{
	MPI_Comm half;
	int all;

	MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
	MPI_Barrier(half);
	if (rank == 3)
		MPI_Allreduce(&rank, &all, 1, MPI_INT, MPI_SUM, half);
	else
		MPI_Recv(&value, 1, MPI_INT, rank == 2, 9, half,
			 MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
	int all;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Barrier(MPI_COMM_WORLD);
	if (strcmp(argv[1], "circles") == 0)
		circles();
	if (rank == 0)
		compute(argv[1]);
	if (rank == 1)
		MPI_Recv(&value, 1, MPI_INT, 0, 7, MPI_COMM_WORLD,
			 MPI_STATUS_IGNORE);
	MPI_Allreduce(&rank, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	MPI_Finalize();
	return all != 6;
}
