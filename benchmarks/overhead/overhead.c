/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The cost of a call for one process, with nothing but the call's own work in
 * it.  Prints one number: nanoseconds a call, the median over some rounds.
 * `work` prints the microseconds of a fixed amount of computation with a call
 * in every 100 us of it.  `memory` prints the KiB of its own that the process
 * touched after it used every one of these calls.  `clock` is no call: it reads
 * the clock that a recorded call reads twice.
 */
#include <alloca.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "benchmarks/lib/values.h"
#include "mds/base/clock.h"

#define USAGE \
	"usage: overhead iprobe|varying|isend|allreduce|clock|work|memory\n"

#define ROUNDS 41
#define CALLS  20000
#define WINDOW 16

/* Calls come from this many functions deep, as in a program they do. */
#define DEPTH 8

static void iprobe(int calls)
{
	int flag;

	for (int i = 0; i < calls; i++)
		MPI_Iprobe(0, 1, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
}

/* Frames of the functions between differ from call to call: 16 B to 8 KiB. */
static __attribute__((noinline)) void vary(int level, unsigned x)
{
	const size_t size = 16 + (x >> 16) % 8176;
	/* cppcheck-suppress allocaCalled */
	volatile char *room = alloca(size);

	room[0] = 1;
	x = x * 1664525 + 1013904223;
	if (level > 0)
		vary(level - 1, x);
	else
		iprobe(1);
	room[size - 1] = 1;
}

static void varying(int calls)
{
	for (int i = 0; i < calls; i++)
		vary(2, (unsigned)i * 2654435761u);
}

/* Messages to itself: a receive, a send and a share of a Waitall each. */
static void isend(int calls)
{
	MPI_Request requests[2 * WINDOW];
	MPI_Status statuses[2 * WINDOW];
	int in[WINDOW];
	int out = 1;

	for (int done = 0; done < calls; done += 2 * WINDOW + 1) {
		for (int i = 0; i < WINDOW; i++)
			MPI_Irecv(&in[i], 1, MPI_INT, 0, 2, MPI_COMM_WORLD,
				  &requests[2 * i]);
		for (int i = 0; i < WINDOW; i++)
			MPI_Isend(&out, 1, MPI_INT, 0, 2, MPI_COMM_WORLD,
				  &requests[2 * i + 1]);
		MPI_Waitall(2 * WINDOW, requests, statuses);
	}
}

static void allreduce(int calls)
{
	double in = 1;
	double out;

	for (int i = 0; i < calls; i++)
		MPI_Allreduce(&in, &out, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_SELF);
}

static volatile uint64_t ticks;

static void read_clock(int calls)
{
	for (int i = 0; i < calls; i++)
		ticks = clock_ticks();
}

static volatile unsigned sink;

static void compute(unsigned turns)
{
	unsigned x = turns;

	for (unsigned i = 0; i < turns; i++)
		x = x * 1664525 + 1013904223;
	sink = x;
}

static const struct test {
	const char *name;
	void (*run)(int calls);
} tests[] = {
	{ "iprobe", iprobe },       { "varying", varying },  { "isend", isend },
	{ "allreduce", allreduce }, { "clock", read_clock }, { NULL, NULL },
};

static __attribute__((noinline)) void deep(int depth, void (*run)(int calls),
					   int calls)
{
	if (depth > 0)
		deep(depth - 1, run, calls);
	else
		run(calls);
	/* Keeps the call above from becoming a jump. */
	__asm__ volatile("" ::: "memory");
}

static double median_ns(const struct test *test)
{
	double ns[ROUNDS];
	double start;

	for (int i = 0; i < ROUNDS; i++) {
		start = MPI_Wtime();
		deep(DEPTH, test->run, CALLS);
		ns[i] = (MPI_Wtime() - start) * 1e9 / CALLS;
	}
	return values_median(ns, ROUNDS);
}

/* The least of several: whatever else ran made the others longer. */
static double work_us(unsigned turns, int calls)
{
	double least = 1e12;
	double start;
	double us;

	for (int round = 0; round < 20; round++) {
		start = MPI_Wtime();
		for (int i = 0; i < calls; i++) {
			compute(turns);
			deep(DEPTH, iprobe, 1);
		}
		us = (MPI_Wtime() - start) * 1e6;
		least = us < least ? us : least;
	}
	return least;
}

static long private_kib(void)
{
	FILE *file = fopen("/proc/self/smaps_rollup", "r");
	char line[256];
	long dirty = 0;
	long kib;

	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "Private_Dirty: %ld", &kib) == 1)
			dirty = kib;
	if (file)
		fclose(file);
	return dirty;
}

static const struct test *test_find(const char *name)
{
	const struct test *test = tests;

	while (test->name && strcmp(test->name, name) != 0)
		test++;
	return test->name ? test : NULL;
}

static void run(const char *name, unsigned turns)
{
	const struct test *test = test_find(name);

	if (test) {
		printf("%.2f\n", median_ns(test));
	} else if (strcmp(name, "work") == 0) {
		printf("%.2f\n", work_us(turns, 200));
	} else {
		for (test = tests; test->name; test++)
			deep(DEPTH, test->run, CALLS);
		printf("%ld\n", private_kib());
	}
}

int main(int argc, char **argv)
{
	/* Some 100 us: a turn is four cycles of a multiplier. */
	const unsigned turns = argc > 2 ? (unsigned)atoi(argv[2]) : 62500;

	if (argc < 2 || (!test_find(argv[1]) && strcmp(argv[1], "work") != 0 &&
			 strcmp(argv[1], "memory") != 0)) {
		fputs(USAGE, stderr);
		return 2;
	}
	MPI_Init(&argc, &argv);
	clock_start();
	run(argv[1], turns);
	MPI_Finalize();
	return 0;
}
