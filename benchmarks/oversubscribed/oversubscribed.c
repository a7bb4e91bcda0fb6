/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The cost of communication when ranks share cores.  Prints a line for each
 * test: the microseconds of one operation.  Rounds are doubled until they fill
 * the time given, since an operation takes up to 100 000 times as long if ranks
 * share cores.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define USAGE                                             \
	"usage: oversubscribed SECONDS "                  \
	"barrier|allreduce|pingpong|pairs|imbalance...\n" \
	"on an even number of ranks; SECONDS are for each of the tests\n"

#define ROUNDS_MIN 4

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
static void pairs(void)
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

/* One pair does; the others wait for the end of it. */
static void pingpong(void)
{
	if (rank < 2)
		pairs();
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
	{ "barrier", barrier, 1 },     { "allreduce", allreduce, 1 },
	{ "pingpong", pingpong, 2 },   { "pairs", pairs, 2 },
	{ "imbalance", imbalance, 1 }, { NULL, NULL, 0 },
};

static const struct test *test_find(const char *name)
{
	const struct test *test = tests;

	while (test->name && strcmp(test->name, name) != 0)
		test++;
	return test->name ? test : NULL;
}

/* The seconds of `rounds` runs on rank 0, known to all. */
static double measure(const struct test *test, long rounds)
{
	double seconds;
	double start;

	MPI_Barrier(MPI_COMM_WORLD);
	start = MPI_Wtime();
	for (long i = 0; i < rounds; i++)
		test->run();
	seconds = MPI_Wtime() - start;
	MPI_Bcast(&seconds, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
	return seconds;
}

static double microseconds(const struct test *test, double budget)
{
	long rounds = ROUNDS_MIN;
	double seconds;

	measure(test, 1);
	seconds = measure(test, rounds);
	while (seconds < budget / 2) {
		rounds *= 2;
		seconds = measure(test, rounds);
	}
	return seconds * 1e6 / (double)(rounds * test->operations);
}

static void run(const struct test *test, double budget)
{
	const double result = microseconds(test, budget);

	if (rank == 0)
		printf("%s %.3f\n", test->name, result);
}

static int usage(void)
{
	if (rank == 0)
		fputs(USAGE, stderr);
	MPI_Finalize();
	return 2;
}

int main(int argc, char **argv)
{
	const double budget = argc > 2 ? strtod(argv[1], NULL) : 0;

	MPI_Init(NULL, NULL);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	if (size % 2 != 0 || !(budget > 0))
		return usage();
	for (int i = 2; i < argc; i++)
		if (!test_find(argv[i]))
			return usage();
	for (int i = 2; i < argc; i++)
		run(test_find(argv[i]), budget);
	MPI_Finalize();
	return 0;
}
