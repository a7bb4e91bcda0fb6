/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Rank 0 waits for a message that the others send when something else of MPI is
 * over, for which rank 0 has to do its part meanwhile: a collective that does
 * not block, and one-sided communication.
 */
#include <mpi.h>
#include <stdio.h>

static int rank;
static int size;

static void hear_from_all(int tag)
{
	int x;

	for (int i = 1; i < size; i++)
		MPI_Recv(&x, 1, MPI_INT, i, tag, MPI_COMM_WORLD,
			 MPI_STATUS_IGNORE);
}

static void collective(void)
{
	MPI_Request request;
	int in = rank;
	int sum = -1;

	MPI_Iallreduce(&in, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD,
		       &request);
	if (rank == 0)
		hear_from_all(1);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	if (rank != 0)
		MPI_Send(&sum, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
	printf("%d: sum %d\n", rank, sum);
}

static void one_sided(void)
{
	const int one = 1;
	int *memory;
	MPI_Win win;

	MPI_Win_allocate(sizeof(*memory), sizeof(*memory), MPI_INFO_NULL,
			 MPI_COMM_WORLD, &memory, &win);
	*memory = 0;
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 0) {
		hear_from_all(2);
	} else {
		MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
		MPI_Accumulate(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM,
			       win);
		MPI_Win_unlock(0, win);
		MPI_Send(&one, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
	}
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 0)
		printf("%d: %d came\n", rank, *memory);
	MPI_Win_free(&win);
}

int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	for (int i = 0; i < 20; i++) {
		collective();
		one_sided();
	}
	MPI_Finalize();
	return 0;
}
