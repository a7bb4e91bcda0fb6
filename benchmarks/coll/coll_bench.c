/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The cost of a collective in microseconds: the median of rank 0's blocks, and
 * the mean.  A block has as many calls as fill 5 ms.  It ends with a barrier,
 * so that a rank which has only sent is not counted as done.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "benchmarks/lib/blocks.h"
#include "benchmarks/lib/values.h"

#define USAGE "usage: coll SECONDS NAME BYTES\n"

#define SECONDS_MAX 3600

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

static double block(const void *arg, int n, long rounds)
{
	const struct test *test = arg;
	const double start = MPI_Wtime();

	for (long i = 0; i < rounds; i++)
		test->run(n);
	MPI_Barrier(MPI_COMM_WORLD);
	return MPI_Wtime() - start;
}

static void measure(const struct test *test, int n, double seconds)
{
	static double blocks[BLOCKS_MAX];
	const struct blocks plan = blocks_find(block, test, n, seconds);
	double sum = 0;

	for (int i = 0; i < plan.n; i++) {
		blocks[i] = block(test, n, plan.rounds) * 1e6 /
			    (double)plan.rounds;
		sum += blocks[i];
	}
	printf("%.4f %.4f\n", values_median(blocks, plan.n), sum / plan.n);
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
