/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * What a collective costs, in microseconds: the median of rank 0's blocks, and
 * the mean.  As many as fill 5 ms make a block, which ends with a barrier, so
 * that nobody is counted as done who has only sent.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "values.h"

#define USAGE "usage: coll SECONDS NAME BYTES\n"

#define BLOCK_SECONDS 0.005
#define WARM_SECONDS  0.1
#define BLOCKS_MAX    10000
#define SECONDS_MAX   3600

static char *out;
static char *in;

static void barrier(int n)
{
	(void)n;
	MPI_Barrier(MPI_COMM_WORLD);
}

static void bcast(int n)
{
	MPI_Bcast(in, n, MPI_CHAR, 0, MPI_COMM_WORLD);
}

static void reduce(int n)
{
	MPI_Reduce(out, in, n / 8, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
}

static void allreduce(int n)
{
	MPI_Allreduce(out, in, n / 8, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void allgather(int n)
{
	MPI_Allgather(out, n, MPI_CHAR, in, n, MPI_CHAR, MPI_COMM_WORLD);
}

static void alltoall(int n)
{
	MPI_Alltoall(out, n, MPI_CHAR, in, n, MPI_CHAR, MPI_COMM_WORLD);
}

static const struct test {
	const char *name;
	void (*run)(int n);
} tests[] = {
	{ "barrier", barrier },     { "bcast", bcast },
	{ "reduce", reduce },       { "allreduce", allreduce },
	{ "allgather", allgather }, { "alltoall", alltoall },
};

static const struct test *test_find(const char *name)
{
	for (size_t i = 0; i < sizeof(tests) / sizeof(tests[0]); i++)
		if (strcmp(tests[i].name, name) == 0)
			return &tests[i];
	return NULL;
}

static double block(const struct test *test, int n, long rounds)
{
	const double start = MPI_Wtime();

	for (long i = 0; i < rounds; i++)
		test->run(n);
	MPI_Barrier(MPI_COMM_WORLD);
	return MPI_Wtime() - start;
}

/* The same for all: as rank 0 finds. */
static double block_of_root(const struct test *test, int n, long rounds)
{
	double seconds = block(test, n, rounds);

	MPI_Bcast(&seconds, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
	return seconds;
}

/*
 * Not before all have found their memory and each other.  What the last block
 * took goes into `one`.
 */
static long rounds_find(const struct test *test, int n, double *one)
{
	double spent = 0;
	long rounds = 1;

	for (;;) {
		*one = block_of_root(test, n, rounds);
		spent += *one;
		if (*one < BLOCK_SECONDS)
			rounds *= 2;
		else if (spent >= WARM_SECONDS)
			return rounds;
	}
}

static void measure(const struct test *test, int n, double seconds)
{
	static double blocks[BLOCKS_MAX];
	double one;
	const long rounds = rounds_find(test, n, &one);
	double sum = 0;
	int n_blocks;

	n_blocks = (int)(seconds / one) + 3;
	if (n_blocks > BLOCKS_MAX)
		n_blocks = BLOCKS_MAX;
	for (int i = 0; i < n_blocks; i++) {
		blocks[i] = block(test, n, rounds) * 1e6 / (double)rounds;
		sum += blocks[i];
	}
	printf("%.4f %.4f\n", values_median(blocks, n_blocks), sum / n_blocks);
}

static void *room(size_t bytes)
{
	void *memory = malloc(bytes + 1);

	if (!memory) {
		fprintf(stderr, "coll: no memory\n");
		MPI_Abort(MPI_COMM_WORLD, 1);
	}
	return memset(memory, 0, bytes + 1);
}

int main(int argc, char **argv)
{
	const struct test *test = argc == 4 ? test_find(argv[2]) : NULL;
	const double seconds = argc == 4 ? atof(argv[1]) : -1;
	const int bytes = argc == 4 ? atoi(argv[3]) : -1;
	int rank;
	int size;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	if (!test || bytes < 0 || !(seconds >= 0 && seconds <= SECONDS_MAX)) {
		if (rank == 0)
			fputs(USAGE, stderr);
		MPI_Finalize();
		return 2;
	}
	out = room((size_t)bytes * (size_t)size);
	in = room((size_t)bytes * (size_t)size);
	if (rank != 0)
		stdout = freopen("/dev/null", "w", stdout);
	measure(test, bytes, seconds);
	free(in);
	free(out);
	MPI_Finalize();
	return 0;
}
