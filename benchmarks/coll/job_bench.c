/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * A job that two of are run at once: ROUNDS of computing for some 0.5 ms, a
 * fixed amount of work, and a sum over all.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define WORK 150000

static volatile double sink;

static void work(void)
{
	double x = 1;

	for (int i = 0; i < WORK; i++)
		x = x * 1.0000001 + 1e-9;
	sink = x;
}

int main(int argc, char **argv)
{
	const int rounds = argc == 2 ? atoi(argv[1]) : 0;
	double one = 1;
	double all;

	MPI_Init(&argc, &argv);
	if (rounds <= 0) {
		fprintf(stderr, "usage: job ROUNDS\n");
		MPI_Finalize();
		return 2;
	}
	for (int i = 0; i < rounds; i++) {
		work();
		MPI_Allreduce(&one, &all, 1, MPI_DOUBLE, MPI_SUM,
			      MPI_COMM_WORLD);
	}
	MPI_Finalize();
	return 0;
}
