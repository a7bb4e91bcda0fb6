/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * How much of an exchange of messages is hidden behind something else.  Two
 * ranks begin to send each other BYTES, do for some 5 ms what their part says,
 * and wait for the messages.  Both are measured alone, too.  Prints the medians
 * in microseconds, each run as long as its slower rank: exchange, else,
 * together.
 *
 * `idle` computes for some SECONDS in all, half of it with a receive that
 * nothing comes for.  It prints the first quartiles of the microseconds of 1000
 * rounds of work, without and with it.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>

#include "benchmarks/lib/values.h"

#define USAGE                                                               \
	"usage: overlap asleep|one|both BYTES REPETITIONS | idle SECONDS\n" \
	"on 2 ranks\n"

#define ELSE_SECONDS  0.005
#define PIECE_SECONDS 0.1
#define RUNS_MAX      10000
#define WARM          3
#define SECONDS_MAX   ((RUNS_MAX - 1) * 2 * PIECE_SECONDS)

static int rank;
static char *out;
static char *in;
static int bytes;
static volatile double sink;
static long work_rounds; /* that take ELSE_SECONDS */

/* A fixed amount of work. */
static void work(long rounds)
{
	double x = 1;

	for (long i = 0; i < rounds; i++)
		x = x * 1.0000001 + 1e-9;
	sink = x;
}

static void compute(void)
{
	work(work_rounds);
}

static void sleep_on(void)
{
	const struct timespec nap = { .tv_nsec = (long)(ELSE_SECONDS * 1e9) };

	nanosleep(&nap, NULL);
}

static void compute_first(void)
{
	if (rank == 0)
		compute();
}

static const struct part {
	const char *name;
	void (*run)(void);
} parts[] = {
	{ "asleep", sleep_on },
	{ "one", compute_first },
	{ "both", compute },
};

static void (*part_find(const char *name))(void)
{
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (strcmp(parts[i].name, name) == 0)
			return parts[i].run;
	return NULL;
}

static void calibrate(void)
{
	double start;

	work_rounds = 100000;
	for (;;) {
		start = MPI_Wtime();
		work(work_rounds);
		if (MPI_Wtime() - start > ELSE_SECONDS)
			break;
		work_rounds += work_rounds / 4;
	}
	MPI_Bcast(&work_rounds, 1, MPI_LONG, 0, MPI_COMM_WORLD);
}

/* One run in microseconds: with the messages or without, and with `part`. */
static double once(int messages, void (*part)(void))
{
	MPI_Request requests[2] = { MPI_REQUEST_NULL, MPI_REQUEST_NULL };
	MPI_Status statuses[2];
	double start;

	MPI_Barrier(MPI_COMM_WORLD);
	start = MPI_Wtime();
	if (messages) {
		MPI_Irecv(in, bytes, MPI_CHAR, !rank, 0, MPI_COMM_WORLD,
			  &requests[0]);
		MPI_Isend(out, bytes, MPI_CHAR, !rank, 0, MPI_COMM_WORLD,
			  &requests[1]);
	}
	if (part)
		part();
	MPI_Waitall(2, requests, statuses);
	return (MPI_Wtime() - start) * 1e6;
}

/* The value below which so many per cent are. */
static double percentile(double values[], int n, int per_cent)
{
	values_sort(values, n);
	return values[n * per_cent / 100];
}

/*
 * In turn, so that what else happens on the machine happens to all.  Each
 * exchange begins after as long without one, for caches to be as cold.
 */
static void overlap(void (*part)(void), int n)
{
	static double times[3][RUNS_MAX];
	static double longer[3][RUNS_MAX];
	double *const exchange = times[0];
	double *const alone = times[1];
	double *const together = times[2];

	for (int i = -WARM; i < n; i++) {
		const int k = i < 0 ? 0 : i;

		once(0, part);
		exchange[k] = once(1, NULL);
		alone[k] = once(0, part);
		together[k] = once(1, part);
	}
	MPI_Reduce(times, longer, 3 * RUNS_MAX, MPI_DOUBLE, MPI_MAX, 0,
		   MPI_COMM_WORLD);
	if (rank == 0)
		printf("%.3f %.3f %.3f\n", percentile(longer[0], n, 50),
		       percentile(longer[1], n, 50),
		       percentile(longer[2], n, 50));
}

static double piece(void)
{
	const long n = (long)(PIECE_SECONDS / ELSE_SECONDS);
	const double start = MPI_Wtime();

	work(n * work_rounds);
	return (MPI_Wtime() - start) * 1e9 / (double)(n * work_rounds);
}

static void idle(double seconds)
{
	static double times[2][RUNS_MAX];
	const int n = (int)(seconds / PIECE_SECONDS / 2) + 1;
	MPI_Request request;
	MPI_Status status;

	for (int i = 0; i < n; i++) {
		times[0][i] = piece();
		MPI_Irecv(in, bytes, MPI_CHAR, !rank, 1, MPI_COMM_WORLD,
			  &request);
		times[1][i] = piece();
		MPI_Send(out, bytes, MPI_CHAR, !rank, 1, MPI_COMM_WORLD);
		MPI_Wait(&request, &status);
	}
	if (rank == 0)
		printf("%.6f %.6f\n", percentile(times[0], n, 25),
		       percentile(times[1], n, 25));
}

int main(int argc, char **argv)
{
	void (*part)(void) = NULL;
	const int is_idle = argc == 3 && strcmp(argv[1], "idle") == 0;
	double seconds = 0;
	int n = 0;
	int size;

	if (is_idle)
		seconds = atof(argv[2]);
	if (argc == 4) {
		part = part_find(argv[1]);
		bytes = atoi(argv[2]);
		n = atoi(argv[3]);
	}
	if (is_idle ? !(seconds > 0 && seconds <= SECONDS_MAX)
		    : !part || bytes < 1 || n < 1 || n > RUNS_MAX) {
		fputs(USAGE, stderr);
		return 2;
	}
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	if (size != 2) {
		fputs(USAGE, stderr);
		MPI_Abort(MPI_COMM_WORLD, 2);
	}
	/* A sleep is as long as it says. */
	prctl(PR_SET_TIMERSLACK, 1);
	out = calloc(1, (size_t)bytes + 1);
	in = calloc(1, (size_t)bytes + 1);
	calibrate();
	if (is_idle)
		idle(seconds);
	else
		overlap(part, n);
	free(out);
	free(in);
	MPI_Finalize();
	return 0;
}
