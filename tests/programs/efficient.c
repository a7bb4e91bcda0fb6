/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * usage: efficient KIND [STEPS [MS]]
 *
 * Programs whose efficiencies are known.  In each step a rank computes for MS
 * milliseconds of the clock, so that a busy machine changes little.
 *
 *   balanced     all compute as much, and meet
 *   imbalanced   the last rank computes twice as much: load balance (n + 1)/2n
 *   alternating  the ranks compute in turn: serialisation 1/n
 *   meeting      likewise, and after each all meet: serialisation 1/n
 *   transfer     all compute as much, then large messages go round
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifndef LARGE
#define LARGE (16 << 20)
#endif

static int rank;
static int size;
static char *room;

static double now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static void compute(double ms)
{
	const double end = now_ms() + ms;

	while (now_ms() < end)
		continue;
}

static void balanced(double ms)
{
	compute(ms);
	MPI_Barrier(MPI_COMM_WORLD);
}

static void imbalanced(double ms)
{
	compute(rank == size - 1 ? 2 * ms : ms);
	MPI_Barrier(MPI_COMM_WORLD);
}

/* The turn goes round: each waits for the one before it. */
static void alternating(double ms)
{
	const int next = (rank + 1) % size;
	const int before = (rank + size - 1) % size;
	char turn = 0;

	if (rank > 0)
		MPI_Recv(&turn, 1, MPI_CHAR, before, 0, MPI_COMM_WORLD,
			 MPI_STATUS_IGNORE);
	compute(ms);
	MPI_Send(&turn, 1, MPI_CHAR, next, 0, MPI_COMM_WORLD);
	if (rank == 0)
		MPI_Recv(&turn, 1, MPI_CHAR, before, 0, MPI_COMM_WORLD,
			 MPI_STATUS_IGNORE);
}

/* Each turn is over for all. */
static void meeting(double ms)
{
	int sum;

	for (int turn = 0; turn < size; turn++) {
		if (turn == rank)
			compute(ms);
		if (turn % 2)
			MPI_Barrier(MPI_COMM_WORLD);
		else
			MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM,
				      MPI_COMM_WORLD);
	}
}

static void transfer(double ms)
{
	const int next = (rank + 1) % size;
	const int before = (rank + size - 1) % size;

	compute(ms);
	MPI_Sendrecv(room, LARGE, MPI_CHAR, next, 0, room + LARGE, LARGE,
		     MPI_CHAR, before, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static const struct kind {
	const char *name;
	void (*step)(double ms);
} kinds[] = {
	{ "balanced", balanced },       { "imbalanced", imbalanced },
	{ "alternating", alternating }, { "meeting", meeting },
	{ "transfer", transfer },
};

static const struct kind *kind_find(const char *name)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (name && strcmp(kinds[i].name, name) == 0)
			return &kinds[i];
	return NULL;
}

int main(int argc, char **argv)
{
	const struct kind *kind = kind_find(argc > 1 ? argv[1] : NULL);
	const int steps = argc > 2 ? atoi(argv[2]) : 100;
	const double ms = argc > 3 ? atof(argv[3]) : 5;

	if (!kind) {
		fprintf(stderr, "usage: efficient KIND [STEPS [MS]]\n");
		return 2;
	}
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	room = calloc(2, LARGE);
	if (!room)
		MPI_Abort(MPI_COMM_WORLD, 1);
	MPI_Pcontrol(4, kind->name);
	for (int i = 0; i < steps; i++)
		kind->step(ms);
	MPI_Pcontrol(5);
	MPI_Finalize();
	free(room);
	return 0;
}
