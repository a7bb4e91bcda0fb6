/* SPDX-License-Identifier: BSD-3-Clause */

/* One barrier, into which the last rank comes half a second late. */
#include <unistd.h>

#include <mpi.h>

#define LATE_US 500000

int main(int argc, char **argv)
{
	int rank;
	int size;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	if (rank == size - 1)
		usleep(LATE_US);
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Finalize();
	return 0;
}
