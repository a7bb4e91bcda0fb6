/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Transfers of many kinds, some of them alike or almost alike.
 *
 * usage: batch all|some|one|many|first
 *
 * `all`, `some` and `one` wait for all at once, as they come, or for each on
 * its own.  `many` has thousands that are alike.  `first` has persistent
 * transfers, before anything else is done in their communicator.
 */
#include <stdio.h>
#include <string.h>

#include <mpi.h>

#define MOST 64
#define MANY 4000
#define LONG 100000

static MPI_Request requests[2 * MANY];
static int n;
static char out[LONG];
static char in[MOST][LONG];
static int rank;
static int size;

static void receive(int count, int bytes, int from, MPI_Comm comm)
{
	for (; count; count--, n++)
		MPI_Irecv(in[n], bytes, MPI_CHAR, from, 0, comm, &requests[n]);
}

static void transfer(int count, int bytes, int to, MPI_Comm comm)
{
	for (; count; count--)
		MPI_Isend(out, bytes, MPI_CHAR, to, 0, comm, &requests[n++]);
}

/* From one place in the program: the process changes, then the communicator. */
static void around(void (*what)(int, int, int, MPI_Comm), const int peers[2],
		   MPI_Comm other)
{
	for (int i = 0; i < 4; i++)
		what(2 + i, 8, peers[i == 1 || i == 2],
		     i < 2 ? MPI_COMM_WORLD : other);
}

/* Sends and receives of nothing, begun by one call. */
static void start(int to, int from)
{
	const int first = n;

	for (int i = 0; i < 2; i++) {
		MPI_Recv_init(in[n], 8, MPI_CHAR, from, 1, MPI_COMM_WORLD,
			      &requests[n]);
		n++;
		MPI_Send_init(out, i, MPI_CHAR, to, 1, MPI_COMM_WORLD,
			      &requests[n]);
		n++;
	}
	MPI_Startall(n - first, requests + first);
}

static void begin(void)
{
	const int next = (rank + 1) % size;
	const int prev = (rank + size - 1) % size;
	MPI_Comm other;

	MPI_Comm_dup(MPI_COMM_WORLD, &other);
	around(receive, (const int[]){ next, prev }, other);
	receive(4, 8, prev, MPI_COMM_WORLD);
	receive(3, 8, prev, MPI_COMM_WORLD);
	receive(2, LONG, prev, MPI_COMM_WORLD);
	receive(1, 8, MPI_PROC_NULL, MPI_COMM_WORLD);
	start(next, next);
	start(prev, prev);
	MPI_Ibarrier(MPI_COMM_WORLD, &requests[n++]);
	around(transfer, (const int[]){ prev, next }, other);
	transfer(7, 8, next, MPI_COMM_WORLD);
	transfer(1, LONG, next, MPI_COMM_WORLD);
	transfer(1, LONG - 1, next, MPI_COMM_WORLD);
}

static void many(void)
{
	for (; n < MANY; n++)
		MPI_Irecv(in[0] + 8 * n, 8, MPI_CHAR, (rank + 1) % size, 0,
			  MPI_COMM_WORLD, &requests[n]);
	for (; n < 2 * MANY; n++)
		MPI_Isend(out, 8, MPI_CHAR, (rank + size - 1) % size, 0,
			  MPI_COMM_WORLD, &requests[n]);
	MPI_Waitall(n, requests, MPI_STATUSES_IGNORE);
}

static void end(const char *how)
{
	int done[MOST];
	int n_done = 0;

	if (strcmp(how, "all") == 0)
		MPI_Waitall(n, requests, MPI_STATUSES_IGNORE);
	while (strcmp(how, "some") == 0 && n_done != MPI_UNDEFINED)
		MPI_Waitsome(n, requests, &n_done, done, MPI_STATUSES_IGNORE);
	for (int i = 0; strcmp(how, "one") == 0 && i < n; i++)
		MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
}

static void first(void)
{
	MPI_Recv_init(in[0], 8, MPI_CHAR, (rank + 1) % size, 0, MPI_COMM_WORLD,
		      &requests[0]);
	MPI_Send_init(out, 8, MPI_CHAR, (rank + size - 1) % size, 0,
		      MPI_COMM_WORLD, &requests[1]);
	MPI_Startall(2, requests);
	MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
	for (int i = 0; i < 2; i++)
		MPI_Request_free(&requests[i]);
}

int main(int argc, char **argv)
{
	if (argc != 2) {
		fprintf(stderr, "usage: batch all|some|one|many|first\n");
		return 2;
	}
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	if (strcmp(argv[1], "first") == 0)
		first();
	else if (strcmp(argv[1], "many") == 0)
		many();
	else
		begin();
	end(argv[1]);
	MPI_Finalize();
	return 0;
}
