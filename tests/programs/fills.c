/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Uses all of the memory that processes share: each sends more than an inbox
 * holds, in messages of several sizes, before anybody receives.  The number of
 * wrong elements is the last line.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define BURST 48
#define MOST  (1 << 18) /* ints: a MiB */

static int rank;
static int size;

static int value(int from, int i, int at)
{
	return from * 1000003 + i * 1009 + at;
}

static long wrong(const int *buf, int from, int i, int n)
{
	long errors = 0;

	for (int at = 0; at < n; at++)
		errors += buf[at] != value(from, i, at);
	return errors;
}

static long burst(int n)
{
	const int to = (rank + 1) % size;
	const int from = (rank + size - 1) % size;
	MPI_Request requests[BURST];
	int *out = malloc((size_t)n * BURST * sizeof(*out));
	int *in = malloc((size_t)n * sizeof(*in));
	long errors = 0;

	for (int i = 0; i < BURST; i++) {
		for (int at = 0; at < n; at++)
			out[i * n + at] = value(rank, i, at);
		MPI_Isend(out + i * n, n, MPI_INT, to, i, MPI_COMM_WORLD,
			  &requests[i]);
	}
	MPI_Barrier(MPI_COMM_WORLD);
	for (int i = 0; i < BURST; i++) {
		MPI_Recv(in, n, MPI_INT, from, i, MPI_COMM_WORLD,
			 MPI_STATUS_IGNORE);
		errors += wrong(in, from, i, n);
	}
	MPI_Waitall(BURST, requests, MPI_STATUSES_IGNORE);
	free(out);
	free(in);
	return errors;
}

int main(int argc, char **argv)
{
	long errors = 0;
	long all;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	for (int n = 1; n <= MOST; n *= 64)
		errors += burst(n);
	for (int n = 1024; n <= 16384; n *= 2)
		errors += burst(n);
	MPI_Allreduce(&errors, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
	if (rank == 0)
		printf("%ld errors\n", all);
	MPI_Finalize();
	return all != 0;
}
