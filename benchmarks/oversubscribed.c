/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * What communication costs when ranks share cores.  One number is printed: the
 * microseconds of one operation, over enough of them to fill the time given.
 * How many that is differs by five orders of magnitude between a machine with
 * a core for each rank and one without, so rounds are doubled until they fit.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define USAGE \
	"usage: oversubscribed barrier|allreduce|pingpong|imbalance SECONDS\n"

static int rank;
static int size;

static void barrier(void)
{
	MPI_Barrier(MPI_COMM_WORLD);
}

static void allreduce(void)
{
	const double in = 1;
	double out;

	MPI_Allreduce(&in, &out, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

/* 8 bytes there and back in every pair of neighbours, all pairs at a time. */
static void pingpong(void)
{
	const int peer = rank ^ 1;
	double word = 0;

	if (rank < peer)
		MPI_Send(&word, 1, MPI_DOUBLE, peer, 0, MPI_COMM_WORLD);
	MPI_Recv(&word, 1, MPI_DOUBLE, peer, 0, MPI_COMM_WORLD,
		 MPI_STATUS_IGNORE);
	if (rank > peer)
		MPI_Send(&word, 1, MPI_DOUBLE, peer, 0, MPI_COMM_WORLD);
}

/* All wait for one, which has 5 ms of work to do. */
static void imbalance(void)
{
	const double start = MPI_Wtime();

	while (rank == 0 && MPI_Wtime() - start < 0.005)
		;
	MPI_Barrier(MPI_COMM_WORLD);
}

static const struct test {
	const char *name;
	void (*run)(void);
	int operations; /* in one run */
} tests[] = {
	{ "barrier", barrier, 1 },   { "allreduce", allreduce, 1 },
	{ "pingpong", pingpong, 2 }, { "imbalance", imbalance, 1 },
	{ NULL, NULL, 0 },
};

static const struct test *test_find(const char *name)
{
	const struct test *test = tests;

	while (test->name && strcmp(test->name, name) != 0)
		test++;
	return test->name ? test : NULL;
}

/* The seconds of `rounds` runs, the same number on all ranks. */
static double measure(const struct test *test, long rounds)
{
	double seconds;
	double start;

	MPI_Barrier(MPI_COMM_WORLD);
	start = MPI_Wtime();
	for (long i = 0; i < rounds; i++)
		test->run();
	MPI_Barrier(MPI_COMM_WORLD);
	seconds = MPI_Wtime() - start;
	MPI_Bcast(&seconds, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
	return seconds;
}

static double microseconds(const struct test *test, double budget)
{
	double seconds = 0;
	long rounds = 1;

	for (;; rounds *= 2) {
		seconds = measure(test, rounds);
		if (seconds > budget / 2)
			break;
	}
	return seconds * 1e6 / (double)(rounds * test->operations);
}

int main(int argc, char **argv)
{
	const struct test *test = argc == 3 ? test_find(argv[1]) : NULL;
	const double budget = argc == 3 ? strtod(argv[2], NULL) : 0;
	double result;

	if (!test || !(budget > 0)) {
		fputs(USAGE, stderr);
		return 2;
	}
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	if (size % 2 != 0) {
		if (rank == 0)
			fputs("oversubscribed: the number of ranks must be "
			      "even\n",
			      stderr);
		MPI_Abort(MPI_COMM_WORLD, 2);
	}
	result = microseconds(test, budget);
	if (rank == 0)
		printf("%.3f\n", result);
	MPI_Finalize();
	return 0;
}
