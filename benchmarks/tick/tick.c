/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The paper's section 5.3.  `barrier`: so many times, some computation that
 * takes PERIOD microseconds and a barrier; the seconds of all of it.  `timer`:
 * a bare timer that fires every PERIOD microseconds; each interval in a line.
 */
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define USAGE     "usage: tick barrier|timer PERIOD_MICROSECONDS TIMES\n"
#define TIMES_MAX 10000000

static double period;
static long n;

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

static void compute(void)
{
	const double end = now() + period;

	while (now() < end)
		;
}

static void barrier(void)
{
	double start;
	int rank;

	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Barrier(MPI_COMM_WORLD);
	start = now();
	for (long i = 0; i < n; i++) {
		compute();
		MPI_Barrier(MPI_COMM_WORLD);
	}
	if (rank == 0)
		printf("%.6f\n", (now() - start) * 1e-6);
}

static void timer(void)
{
	const long ns = (long)(period * 1000);
	double last = now();
	struct timespec at;
	double took;

	clock_gettime(CLOCK_MONOTONIC, &at);
	for (long i = 0; i < n; i++) {
		at.tv_nsec += ns;
		at.tv_sec += at.tv_nsec / 1000000000;
		at.tv_nsec %= 1000000000;
		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL);
		took = now() - last;
		last += took;
		printf("%.3f\n", took);
	}
}

int main(int argc, char **argv)
{
	const char *what = argc == 4 ? argv[1] : "";
	const bool is_timer = strcmp(what, "timer") == 0;

	if (argc == 4) {
		period = atof(argv[2]);
		n = atol(argv[3]);
	}
	if (period <= 0 || n < 1 || n > TIMES_MAX ||
	    (!is_timer && strcmp(what, "barrier") != 0)) {
		fputs(USAGE, stderr);
		return 2;
	}
	if (is_timer) {
		timer();
		return 0;
	}
	MPI_Init(&argc, &argv);
	barrier();
	MPI_Finalize();
	return 0;
}
