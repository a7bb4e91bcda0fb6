/* SPDX-License-Identifier: BSD-3-Clause */

/* Rank 0 waits for rank 1, 200 ms in a barrier and as long in MPI_Finalize. */
#include <time.h>

#include <mpi.h>

int main(int argc, char **argv)
{
	const struct timespec time = { .tv_nsec = 200000000 };
	int rank;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (rank == 1)
		nanosleep(&time, NULL);
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 1)
		nanosleep(&time, NULL);
	MPI_Finalize();
	return 0;
}
