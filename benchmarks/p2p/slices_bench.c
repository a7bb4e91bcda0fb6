/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * How slices by time keep it, as a program sees it; BCS_MODE is fixed.
 *
 * `delay`: a blocking send at any moment of a slice, how long it takes; mean
 * and standard deviation in slices.
 * `length`: with a message always under way each slice ends one, from one end
 * to the next; in microseconds, a line for each.
 */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define USAGE                                                   \
	"usage: slices delay|length SLICE_MICROSECONDS TIMES\n" \
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

static void delay(void)
{
	double sum = 0;
	double squares = 0;
	double start;
	int x = 0;

	for (int i = 0; i < n; i++) {
		if (rank == 1) {
			MPI_Recv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD,
				 MPI_STATUS_IGNORE);
			continue;
		}
		compute_somewhat();
		start = now();
		MPI_Send(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
		times[i] = (now() - start) / slice;
		sum += times[i];
		squares += times[i] * times[i];
	}
	sum /= n;
	if (rank == 0)
		printf("%.4f %.4f\n", sum, sqrt(squares / n - sum * sum));
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
	if (strcmp(what, "delay") == 0)
		delay();
	else if (rank == 0)
		length();
	MPI_Finalize();
	return 0;
}
