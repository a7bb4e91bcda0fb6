/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * A persistent broadcast and a persistent scan, whose rank 0 needs nothing of
 * the others and is all rounds ahead of them.
 */
#include <stdio.h>
#include <unistd.h>

#include <mpi.h>

#define ROUNDS  20
#define LATE_US 50000

static int errors;

static void check(const char *what, int round, int got, int expected)
{
	if (got == expected)
		return;
	fprintf(stderr, "%s, round %d: %d instead of %d\n", what, round, got,
		expected);
	errors++;
}

static void bcasts(int rank)
{
	MPI_Request request;
	int value;

	MPI_Bcast_init(&value, 1, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL,
		       &request);
	if (rank != 0)
		usleep(LATE_US);
	for (int i = 0; i < ROUNDS; i++) {
		value = rank == 0 ? 100 + i : -1;
		MPI_Start(&request);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
		check("bcast", i, value, 100 + i);
	}
	MPI_Request_free(&request);
}

static void scans(int rank)
{
	MPI_Request request;
	int mine;
	int sum;

	MPI_Scan_init(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD,
		      MPI_INFO_NULL, &request);
	if (rank != 0)
		usleep(LATE_US);
	for (int i = 0; i < ROUNDS; i++) {
		mine = i + rank;
		MPI_Start(&request);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
		check("scan", i, sum, (rank + 1) * i + rank * (rank + 1) / 2);
	}
	MPI_Request_free(&request);
}

int main(int argc, char **argv)
{
	int all;
	int rank;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	bcasts(rank);
	scans(rank);
	MPI_Allreduce(&errors, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	if (rank == 0)
		printf("%d errors\n", all);
	MPI_Finalize();
	return all != 0;
}
