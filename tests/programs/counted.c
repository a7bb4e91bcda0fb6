/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * usage: counted (two processes)
 *
 * Calls whose slices are known, if a slice moves 100000 bytes.  The first
 * process calls when the second one has woken from its last call.  The second
 * one calls when a slice has taken what the first one posted.  Behind a first
 * barrier: a message of 250000 bytes, a barrier, a reduction.
 */
#include <stdio.h>
#include <unistd.h>

#include <mpi.h>

#define BYTES   250000
#define LATE_US 400000
#define WAKE_US 100000

static char message[BYTES];

int main(int argc, char **argv)
{
	double sum = 1;
	useconds_t waits;
	int rank;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	waits = rank == 0 ? WAKE_US : LATE_US;
	MPI_Barrier(MPI_COMM_WORLD);
	usleep(waits);
	if (rank == 0)
		MPI_Send(message, BYTES, MPI_CHAR, 1, 7, MPI_COMM_WORLD);
	else
		MPI_Recv(message, BYTES, MPI_CHAR, 0, 7, MPI_COMM_WORLD,
			 MPI_STATUS_IGNORE);
	usleep(waits);
	MPI_Barrier(MPI_COMM_WORLD);
	usleep(waits);
	MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM,
		      MPI_COMM_WORLD);
	if (sum != 2)
		printf("the sum of 2 is %g\n", sum);
	MPI_Finalize();
	return sum != 2;
}
