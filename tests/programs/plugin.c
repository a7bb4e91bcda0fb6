/* SPDX-License-Identifier: BSD-3-Clause */

/* All that a program which loads its MPI at run time knows of it. */
#include <stddef.h>

#include <mpi.h>

int plugin_run(void);

int plugin_run(void)
{
	int one = 1;
	int sum = 0;
	int size;

	MPI_Init(NULL, NULL);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	MPI_Finalize();
	return sum == size ? 0 : 1;
}
