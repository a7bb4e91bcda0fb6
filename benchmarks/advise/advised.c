/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * usage: advised PROGRAM VARIANT [STEPS [MILLISECONDS]]
 * Programs for pairs of ranks, whose steps have 1 or 3 units of work, some 300
 * us each.  With MILLISECONDS a unit is as long a sleep, which others on the
 * machine disturb least.  The program prints the seconds that they took.
 *
 * exchange: the even rank of a pair sends to the other one in each step; one of
 * them has 3 units, by turns.  sum: all take part in a sum; one of each pair
 * has 3 units, by turns.  uneven: the same, but odd ranks have 3 units in each
 * step.
 *
 * VARIANT is blocking, or nonblocking: then a step ends what the one before it
 * began.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <mpi.h>

#define WORLD MPI_COMM_WORLD
#define COUNT 32768

static int rank;
static int other; /* of the pair */
static int steps = 200;
static int sleep_ms;
static double buffers[2][COUNT];

static void work(int units)
{
	volatile double sum = 0;

	if (sleep_ms) {
		usleep((useconds_t)(units * sleep_ms) * 1000);
		return;
	}
	for (int i = 0; i < units * 100000; i++)
		sum = sum * 0.5 + i;
}

static void work_by_turns(int step)
{
	work((step + rank) % 2 ? 3 : 1);
}

static void exchange_blocking(void)
{
	for (int i = 0; i < steps; i++) {
		work_by_turns(i);
		if (rank % 2 == 0)
			MPI_Send(buffers[0], COUNT, MPI_DOUBLE, other, 0,
				 WORLD);
		else
			MPI_Recv(buffers[0], COUNT, MPI_DOUBLE, other, 0, WORLD,
				 MPI_STATUS_IGNORE);
	}
}

static void exchange_nonblocking(void)
{
	MPI_Request request = MPI_REQUEST_NULL;

	for (int i = 0; i < steps; i++) {
		if (rank % 2)
			MPI_Irecv(buffers[i % 2], COUNT, MPI_DOUBLE, other, 0,
				  WORLD, &request);
		work_by_turns(i);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
		if (rank % 2 == 0)
			MPI_Isend(buffers[i % 2], COUNT, MPI_DOUBLE, other, 0,
				  WORLD, &request);
	}
	MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void sum_blocking(void (*step_work)(int step))
{
	for (int i = 0; i < steps; i++) {
		step_work(i);
		MPI_Allreduce(MPI_IN_PLACE, buffers[0], 1, MPI_DOUBLE, MPI_SUM,
			      WORLD);
	}
}

static void sum_nonblocking(void (*step_work)(int step))
{
	MPI_Request request = MPI_REQUEST_NULL;

	for (int i = 0; i < steps; i++) {
		step_work(i);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
		MPI_Iallreduce(MPI_IN_PLACE, buffers[i % 2], 1, MPI_DOUBLE,
			       MPI_SUM, WORLD, &request);
	}
	MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void work_unevenly(int step)
{
	(void)step;
	work(rank % 2 ? 3 : 1);
}

static void run(const char *program, int blocks)
{
	void (*const sum)(void (*step_work)(
		int step)) = blocks ? sum_blocking : sum_nonblocking;

	if (strcmp(program, "sum") == 0)
		sum(work_by_turns);
	else if (strcmp(program, "uneven") == 0)
		sum(work_unevenly);
	else if (blocks)
		exchange_blocking();
	else
		exchange_nonblocking();
}

int main(int argc, char **argv)
{
	double start;
	int size;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(WORLD, &rank);
	MPI_Comm_size(WORLD, &size);
	other = (rank ^ 1) < size ? rank ^ 1 : MPI_PROC_NULL;
	if (argc < 3)
		MPI_Abort(WORLD, 2);
	if (argc > 3)
		steps = atoi(argv[3]);
	if (argc > 4)
		sleep_ms = atoi(argv[4]);
	MPI_Barrier(WORLD);
	start = MPI_Wtime();
	run(argv[1], strcmp(argv[2], "blocking") == 0);
	MPI_Barrier(WORLD);
	if (rank == 0)
		printf("%.6f\n", MPI_Wtime() - start);
	MPI_Finalize();
	return 0;
}
