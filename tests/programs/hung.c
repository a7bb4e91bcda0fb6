/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * usage: hung FILE [barrier|some], with 3 ranks.  Rank 0 waits for two
 * messages, of which one came.  Rank 1 computes.  Rank 2 is in MPI_Finalize, in
 * a barrier of all ranks (barrier), or in one of ranks 1 and 2 (some).  All are
 * asked for their records again and again, and go on once FILE is there.
 */
#include <mpi.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static void wait_for_two(void)
{
	MPI_Request requests[2];
	int got[2];

	for (int i = 0; i < 2; i++)
		MPI_Irecv(&got[i], 1, MPI_INT, 1, i, MPI_COMM_WORLD,
			  &requests[i]);
	MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

static void compute(const int pids[3], const char *file)
{
	const int sent = 1;

	MPI_Send(&sent, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
	while (access(file, F_OK) != 0) {
		for (int i = 0; i < 3; i++)
			kill(pids[i], SIGUSR2);
		usleep(200000);
	}
	MPI_Send(&sent, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
	int pids[3];
	int pid = getpid();
	int rank;
	MPI_Comm some;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Allgather(&pid, 1, MPI_INT, pids, 1, MPI_INT, MPI_COMM_WORLD);
	MPI_Comm_split(MPI_COMM_WORLD, rank > 0, 0, &some);
	if (rank == 0)
		wait_for_two();
	else if (rank == 1)
		compute(pids, argv[1]);
	if (argc > 2)
		MPI_Barrier(strcmp(argv[2], "some") == 0 ? some
							 : MPI_COMM_WORLD);
	MPI_Comm_free(&some);
	MPI_Finalize();
	return 0;
}
