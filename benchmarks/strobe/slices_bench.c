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
 * `shared` sends COUNT messages of BYTES from one rank to the other, all at
 * once.  It prints the median of the slices that they take together.
 * `nothing` posts nothing for as many slices as TIMES; on any number of ranks.
 */
#include <math.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define USAGE                                                            \
	"usage: slices send|receive|length|nothing MICROSECONDS TIMES\n" \
	"       slices shared MICROSECONDS TIMES COUNT BYTES\n"          \
	"on 2 ranks; MICROSECONDS: of a slice\n"

#define TIMES_MAX 100000
#define COUNT_MAX 1000
#define BYTES_MAX (1 << 26)

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
	if (rank == 0)
		delay_print();
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

static void exchange(char *bytes, int count, int size)
{
	static MPI_Request requests[COUNT_MAX];
	static MPI_Status statuses[COUNT_MAX];

	for (int i = 0; i < count; i++) {
		char *at = bytes + (size_t)i * (size_t)size;

		if (rank == 0)
			MPI_Isend(at, size, MPI_CHAR, 1, i, MPI_COMM_WORLD,
				  &requests[i]);
		else
			MPI_Irecv(at, size, MPI_CHAR, 0, i, MPI_COMM_WORLD,
				  &requests[i]);
	}
	MPI_Waitall(count, requests, statuses);
}

/* Both begin when a slice does, for a barrier ends with one. */
static void shared(int count, int size)
{
	char *bytes = calloc((size_t)count, (size_t)size);
	double start;

	for (int i = 0; bytes && i < n; i++) {
		MPI_Barrier(MPI_COMM_WORLD);
		start = now();
		exchange(bytes, count, size);
		times[i] = (now() - start) / slice;
	}
	free(bytes);
	qsort(times, (size_t)n, sizeof(times[0]), order);
	if (rank == 1)
		printf("%.3f\n", times[n / 2]);
}

static void nothing(void)
{
	const double ns = slice * n * 1e3;
	const struct timespec nap = { .tv_sec = (time_t)(ns / 1e9),
				      .tv_nsec = (long)fmod(ns, 1e9) };

	nanosleep(&nap, NULL);
}

static const char *arguments(int argc, char **argv, int *count, int *size)
{
	const char *what = argc == 4 || argc == 6 ? argv[1] : "";
	const bool is_shared = strcmp(what, "shared") == 0;

	if (argc < 4 || is_shared != (argc == 6))
		return "";
	slice = atof(argv[2]);
	n = atoi(argv[3]);
	*count = is_shared ? atoi(argv[4]) : 1;
	*size = is_shared ? atoi(argv[5]) : 1;
	if (*count < 1 || *count > COUNT_MAX || *size < 1 ||
	    *size > BYTES_MAX / *count || slice <= 0 || n < 1 || n > TIMES_MAX)
		return "";
	return what;
}

int main(int argc, char **argv)
{
	int count = 0;
	int size = 0;
	const char *what = arguments(argc, argv, &count, &size);

	if (!*what) {
		fputs(USAGE, stderr);
		return 2;
	}
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (strcmp(what, "shared") == 0)
		shared(count, size);
	else if (strcmp(what, "nothing") == 0)
		nothing();
	else if (strcmp(what, "length") != 0)
		delay(strcmp(what, "send") == 0);
	else if (rank == 0)
		length();
	MPI_Finalize();
	return 0;
}
