/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Rank 0 begins many sends of so many bytes, rank 1 as many receives.  They are
 * on a communicator of both, or on one between them, which MPI sees to.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mpi.h>

#define ROUNDS 500
#define WINDOW 8

static char buffers[WINDOW][8192];

static void exchange(MPI_Comm comm, int rank, int peer, int bytes)
{
	MPI_Request requests[WINDOW];

	for (int i = 0; i < WINDOW; i++)
		if (rank == 0)
			MPI_Isend(buffers[i], bytes, MPI_CHAR, peer, 0, comm,
				  &requests[i]);
		else
			MPI_Irecv(buffers[i], bytes, MPI_CHAR, peer, 0, comm,
				  &requests[i]);
	MPI_Waitall(WINDOW, requests, MPI_STATUSES_IGNORE);
	MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
	MPI_Comm comm = MPI_COMM_WORLD;
	int between = argc == 3 && strcmp(argv[2], "between") == 0;
	int bytes = argc > 1 ? atoi(argv[1]) : -1;
	int rank;

	if (bytes < 0 || bytes > (int)sizeof(buffers[0])) {
		fprintf(stderr, "usage: posts BYTES [between]\n");
		return 2;
	}
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (between)
		MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_WORLD, !rank, 0,
				     &comm);
	for (int i = 0; i < ROUNDS; i++)
		exchange(comm, rank, between ? 0 : !rank, bytes);
	if (between)
		MPI_Comm_free(&comm);
	MPI_Finalize();
	return 0;
}
