/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * How regular slices by time are, as a program sees it; BCS_MODE is fixed.
 *
 * `send` times a blocking send to a posted receive, begun at any moment of a
 * slice.  It prints mean, standard deviation, least, median, 90 % and most, in
 * slices.
 * `receive` does the same for a receive whose message is there.
 * `length` keeps a message under way, so that each slice ends one.  It prints
 * the microseconds from one end to the next, a line for each.
 */
#include <math.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define USAGE                                                          \
	"usage: slices send|receive|length SLICE_MICROSECONDS TIMES\n" \
	"on 2 ranks\n"

#define TIMES_MAX 100000

static int rank;
static double slice;
static int n;
static double times[TIMES_MAX];

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

/* Up to four slices, any part of one as likely as any other. */
static void compute_somewhat(void)
{
	const double end = now() + slice * 4 * drand48();

	while (now() < end)
		;
}

static void send(void)
{
	int x = 0;

	MPI_Send(&x, 1, MPI_INT, !rank, 0, MPI_COMM_WORLD);
}

static void recv(void)
{
	int x;

	MPI_Recv(&x, 1, MPI_INT, !rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* Rank 1 has posted its receive; or its message came before. */
static void delay(bool sends)
{
	double start;

	for (int i = 0; i < n; i++) {
		if (sends && rank == 1) {
			recv();
			continue;
		}
		if (!sends)
			send();
		compute_somewhat();
		start = now();
		if (sends)
			send();
		else
			recv();
		times[i] = (now() - start) / slice;
	}
}

static int order(const void *a, const void *b)
{
	const double x = *(const double *)a;
	const double y = *(const double *)b;

	return (x > y) - (x < y);
}

static void delay_print(void)
{
	double squares = 0;
	double sum = 0;

	for (int i = 0; i < n; i++) {
		sum += times[i];
		squares += times[i] * times[i];
	}
	sum /= n;
	qsort(times, (size_t)n, sizeof(times[0]), order);
	printf("%.4f %.4f %.3f %.3f %.3f %.3f\n", sum,
	       sqrt(squares / n - sum * sum), times[0], times[n / 2],
	       times[n * 9 / 10], times[n - 1]);
}

static void post(MPI_Request requests[2], int x[2], int tag)
{
	MPI_Irecv(&x[0], 1, MPI_INT, 0, tag, MPI_COMM_SELF, &requests[0]);
	MPI_Isend(&x[1], 1, MPI_INT, 0, tag, MPI_COMM_SELF, &requests[1]);
}

static void spin(double microseconds)
{
	const double end = now() + microseconds;

	while (now() < end)
		;
}

/*
 * Rank 0 sends messages to itself, two at a time, each of which takes two
 * slices.  One is a slice behind the other; if a slice was missed they are set
 * apart again.
 */
static void length(void)
{
	MPI_Request requests[2][2];
	MPI_Status statuses[4];
	int x[2][2] = { { 0 } };
	double last = 0;
	double took;
	int known = 0;

	post(requests[0], x[0], 0);
	spin(slice);
	post(requests[1], x[1], 1);
	for (int i = 0, side = 0; i < n; side ^= 1) {
		MPI_Waitall(2, requests[side], statuses);
		took = now() - last;
		last += took;
		if (known && took >= slice / 2)
			times[i++] = took;
		known = !known || took >= slice / 2;
		if (!known)
			spin(slice);
		post(requests[side], x[side], side);
	}
	MPI_Waitall(4, &requests[0][0], statuses);
	for (int i = 0; rank == 0 && i < n; i++)
		printf("%.2f\n", times[i]);
}

int main(int argc, char **argv)
{
	const char *what = argc == 4 ? argv[1] : "";

	if (argc == 4) {
		slice = atof(argv[2]);
		n = atoi(argv[3]);
	}
	if (slice <= 0 || n < 1 || n > TIMES_MAX) {
		fputs(USAGE, stderr);
		return 2;
	}
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (strcmp(what, "length") == 0 && rank == 0)
		length();
	if (strcmp(what, "length") != 0)
		delay(strcmp(what, "send") == 0);
	if (strcmp(what, "length") != 0 && rank == 0)
		delay_print();
	MPI_Finalize();
	return 0;
}
