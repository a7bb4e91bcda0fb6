/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Sums of numbers that round differently in another order, in vectors short and
 * long, to one and to all.  Prints the bits of the first of each, and fails if
 * another's differ.  The argument is the number of repetitions.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST 20000

static double in[LONGEST];
static double out[LONGEST];
static double first[LONGEST];
static int rank;
static int size;

static unsigned long digest(const double *v, int n)
{
	unsigned long sum = 0;
	unsigned long bits;

	for (int i = 0; i < n; i++) {
		memcpy(&bits, &v[i], sizeof(bits));
		sum = sum * 31 + bits;
	}
	return sum;
}

/* Nobody is always the last. */
static void dawdle(int i)
{
	volatile double x = 1;

	for (int k = 0; k < (i * 7919 + rank * 104729) % 20000; k++)
		x = x * 1.0000001;
}

static void repeat(int n, int times, int to_all)
{
	for (int i = 0; i < times; i++) {
		dawdle(i);
		if (to_all)
			MPI_Allreduce(in, out, n, MPI_DOUBLE, MPI_SUM,
				      MPI_COMM_WORLD);
		else
			MPI_Reduce(in, out, n, MPI_DOUBLE, MPI_SUM, 0,
				   MPI_COMM_WORLD);
		if (i == 0)
			memcpy(first, out, sizeof(out));
		if (memcmp(first, out, (size_t)n * sizeof(*out)) != 0) {
			printf("rank %d: time %d of %d differs\n", rank, i, n);
			MPI_Abort(MPI_COMM_WORLD, 1);
		}
	}
	if (rank == 0)
		printf("%d %d %lx ", n, to_all, digest(first, n));
}

int main(int argc, char **argv)
{
	const int times = argc > 1 ? atoi(argv[1]) : 10;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	for (int i = 0; i < LONGEST; i++)
		in[i] = 1.0 / (3 + i + 1000 * rank) * (rank % 2 ? -1e8 : 1);
	for (int to_all = 0; to_all < 2; to_all++) {
		repeat(1, times, to_all);
		repeat(700, times, to_all);
		repeat(LONGEST, times, to_all);
	}
	if (rank == 0)
		printf("\n");
	MPI_Finalize();
	return 0;
}
