/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The first moments of a program.  `nothing` prints the ms of MPI_Init and
 * MPI_Finalize at rank 0.  The other patterns run between two ranks right after
 * MPI_Init, when nothing is warm.  They print the mean us of a round in the
 * first 5, 50 and 500 ms.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define USAGE                                          \
	"usage: start nothing\n"                       \
	"       start window|pingpong|barrier|large\n" \
	"on two ranks\n"

#define WINDOW 64
#define SMALL  8
#define LARGE  1048576

static int rank;
static char out[LARGE];
static char in[LARGE];

static void one_way(int from, int n)
{
	if (rank == from)
		MPI_Send(out, n, MPI_CHAR, 1 - from, 0, MPI_COMM_WORLD);
	else
		MPI_Recv(in, n, MPI_CHAR, from, 0, MPI_COMM_WORLD,
			 MPI_STATUS_IGNORE);
}

static void pingpong(void)
{
	one_way(0, SMALL);
	one_way(1, SMALL);
}

static void large(void)
{
	one_way(0, LARGE);
	one_way(1, LARGE);
}

static void barrier(void)
{
	MPI_Barrier(MPI_COMM_WORLD);
}

/* Many at once to rank 1, which answers when it has them all. */
static void window(void)
{
	MPI_Request requests[WINDOW];
	MPI_Status statuses[WINDOW];

	for (int i = 0; i < WINDOW; i++)
		if (rank == 0)
			MPI_Isend(out + i * SMALL, SMALL, MPI_CHAR, 1, 0,
				  MPI_COMM_WORLD, &requests[i]);
		else
			MPI_Irecv(in + i * SMALL, SMALL, MPI_CHAR, 0, 0,
				  MPI_COMM_WORLD, &requests[i]);
	MPI_Waitall(WINDOW, requests, statuses);
	one_way(1, 0);
}

static const struct pattern {
	const char *name;
	void (*run)(void);
	int messages; /* one after the other, in a round */
	int rounds;   /* until the ranks agree whether they go on */
} patterns[] = {
	{ "window", window, WINDOW, 8 },
	{ "pingpong", pingpong, 2, 64 },
	{ "barrier", barrier, 1, 64 },
	{ "large", large, 2, 4 },
};

static const struct pattern *pattern_find(const char *name)
{
	for (size_t i = 0; i < sizeof(patterns) / sizeof(patterns[0]); i++)
		if (strcmp(patterns[i].name, name) == 0)
			return &patterns[i];
	return NULL;
}

/* Rounds from `done` on until rank 0 finds that so many seconds are over. */
static long run_until(const struct pattern *pattern, double start,
		      double seconds, long done)
{
	int on;

	do {
		for (int i = 0; i < pattern->rounds; i++)
			pattern->run();
		done += pattern->rounds;
		on = MPI_Wtime() - start < seconds;
		MPI_Bcast(&on, 1, MPI_INT, 0, MPI_COMM_WORLD);
	} while (on);
	return done;
}

static void measure(const struct pattern *pattern)
{
	static const double until[] = { 0.005, 0.05, 0.5 };
	const double start = MPI_Wtime();
	double us[3];
	long done = 0;

	for (int i = 0; i < 3; i++) {
		done = run_until(pattern, start, until[i], done);
		us[i] = 1e6 * (MPI_Wtime() - start) /
			(double)(done * pattern->messages);
	}
	if (rank == 0)
		printf("%.4f %.4f %.4f\n", us[0], us[1], us[2]);
}

static double now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static void nothing(void)
{
	double init = -now_ms();
	double finalize;

	MPI_Init(NULL, NULL);
	init += now_ms();
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	finalize = -now_ms();
	MPI_Finalize();
	finalize += now_ms();
	if (rank == 0)
		printf("%.3f %.3f\n", init, finalize);
}

int main(int argc, char **argv)
{
	const char *name = argc == 2 ? argv[1] : "";
	const struct pattern *pattern = pattern_find(name);
	int size;

	if (strcmp(name, "nothing") == 0) {
		nothing();
		return 0;
	}
	if (!pattern) {
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
	measure(pattern);
	return MPI_Finalize();
}
