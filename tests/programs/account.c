/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Known time: every rank computes for COMPUTE_MS in all.  In each round rank 0
 * computes WAIT_MS more, while the others wait for it in a barrier.  Many short
 * calls follow, so that a loss with each would add up.
 */
#include <stdint.h>
#include <time.h>

#include <mpi.h>

#define ROUNDS     10
#define COMPUTE_MS 20
#define WAIT_MS    20
#define CALLS      20000

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static void compute(uint64_t ms)
{
	const uint64_t end = now_ns() + ms * 1000000;

	while (now_ns() < end)
		;
}

int main(int argc, char **argv)
{
	int rank;
	int flag;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (int i = 0; i < ROUNDS; i++) {
		compute(COMPUTE_MS);
		if (rank == 0)
			compute(WAIT_MS);
		MPI_Barrier(MPI_COMM_WORLD);
	}
	for (int i = 0; i < CALLS; i++)
		MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &flag,
			   MPI_STATUS_IGNORE);
	MPI_Finalize();
	return 0;
}
