/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * usage: wildcards TASKS [NANOSECONDS]
 * Rank 0 hands out TASKS tasks, one to each rank that asks.  It posts a receive
 * from any source for each, and tests it until it is done.  A task takes so
 * many NANOSECONDS (5000).  Prints "SECONDS CHECK".
 */
#include <mpi.h>
#include <stdint.h>
#include <time.h>

#include "benchmarks/lib/kernel.h"

static int n_tasks = 1;
static int task_ns = 5000;
static int rank;
static int size;

/* Sends numbers of tasks, and at last -1 to each worker. */
static uint64_t hand_out(void)
{
	MPI_Request request;
	MPI_Status status;
	uint64_t check = 0;
	int asks;
	int flag;
	int task;

	for (int i = 0; i < n_tasks + size - 1; i++) {
		MPI_Irecv(&asks, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD,
			  &request);
		for (flag = 0; !flag;)
			MPI_Test(&request, &flag, &status);
		task = i < n_tasks ? i : -1;
		MPI_Send(&task, 1, MPI_INT, status.MPI_SOURCE, 2,
			 MPI_COMM_WORLD);
		check += kernel_hash((uint64_t)i, task);
	}
	return check;
}

static void compute(void)
{
	struct timespec t;
	int64_t begun;

	clock_gettime(CLOCK_MONOTONIC, &t);
	begun = t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
	do
		clock_gettime(CLOCK_MONOTONIC, &t);
	while (t.tv_sec * INT64_C(1000000000) + t.tv_nsec - begun < task_ns);
}

static void work(void)
{
	int task = 0;

	while (task >= 0) {
		MPI_Send(&rank, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
		MPI_Recv(&task, 1, MPI_INT, 0, 2, MPI_COMM_WORLD,
			 MPI_STATUS_IGNORE);
		if (task >= 0)
			compute();
	}
}

int main(int argc, char **argv)
{
	uint64_t check = 0;
	double begun;
	int rc = 0;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	if (kernel_help(argc, argv, "usage: wildcards TASKS [NANOSECONDS]\n")) {
		;
	} else if (!kernel_number(argc, argv, 1, "tasks", 10000000, &n_tasks) ||
		   !kernel_number(argc, argv, 2, "nanoseconds", 1000000000,
				  &task_ns)) {
		rc = 2;
	} else {
		begun = kernel_now();
		if (rank == 0)
			check = hand_out();
		else
			work();
		kernel_result(kernel_now() - begun, check);
	}
	MPI_Finalize();
	return rc;
}
