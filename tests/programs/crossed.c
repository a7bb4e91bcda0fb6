/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Collectives on communicators that overlap: rows, columns, all ranks, and all
 * in reverse.  They are under way at the same time, and each rank begins them
 * in an order of its own.  Prints how many of the results are wrong.
 * usage: crossed ROUNDS WIDTH BYTES
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <mpi.h>

enum { ROW, COLUMN, ALL, REVERSE, COMMS };

static int world_rank;
static int errors;

static struct meeting {
	MPI_Comm comm;
	int rank;
	int size;
	int root;
	unsigned char *data; /* of the broadcast */
	int mine;
	int sum;
	MPI_Request requests[3];
} meetings[COMMS];

static void open_all(int width, int bytes)
{
	const int row = world_rank / width;
	const int column = world_rank % width;

	MPI_Comm_split(MPI_COMM_WORLD, row, column, &meetings[ROW].comm);
	MPI_Comm_split(MPI_COMM_WORLD, column, row, &meetings[COLUMN].comm);
	MPI_Comm_dup(MPI_COMM_WORLD, &meetings[ALL].comm);
	MPI_Comm_split(MPI_COMM_WORLD, 0, -world_rank, &meetings[REVERSE].comm);
	for (int i = 0; i < COMMS; i++) {
		MPI_Comm_rank(meetings[i].comm, &meetings[i].rank);
		MPI_Comm_size(meetings[i].comm, &meetings[i].size);
		meetings[i].data = malloc((size_t)bytes);
	}
}

static void begin(struct meeting *m, int round, int bytes)
{
	m->root = round % m->size;
	m->mine = 1000 * round + m->rank;
	memset(m->data, m->rank == m->root ? round : 255, (size_t)bytes);
	MPI_Ibcast(m->data, bytes, MPI_BYTE, m->root, m->comm, &m->requests[0]);
	MPI_Iallreduce(&m->mine, &m->sum, 1, MPI_INT, MPI_SUM, m->comm,
		       &m->requests[1]);
	MPI_Ibarrier(m->comm, &m->requests[2]);
}

static void end(struct meeting *m, int round, int bytes)
{
	const int sum = m->size * 1000 * round + m->size * (m->size - 1) / 2;
	int wrong = 0;

	MPI_Waitall(3, m->requests, MPI_STATUSES_IGNORE);
	for (int i = 0; i < bytes; i++)
		wrong += m->data[i] != round % 256;
	errors += wrong != 0;
	errors += m->sum != sum;
}

int main(int argc, char **argv)
{
	int rounds;
	int bytes;
	int all;

	MPI_Init(&argc, &argv);
	if (argc != 4)
		MPI_Abort(MPI_COMM_WORLD, 2);
	MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
	rounds = atoi(argv[1]);
	bytes = atoi(argv[3]);
	open_all(atoi(argv[2]), bytes);
	for (int round = 0; round < rounds; round++) {
		/* Calls of a collective lie several slices apart. */
		usleep((unsigned)((world_rank * 7 + round) % 5) * 500);
		for (int i = 0; i < COMMS; i++)
			begin(&meetings[(world_rank + i) % COMMS], round,
			      bytes);
		for (int i = 0; i < COMMS; i++)
			end(&meetings[(round + 3 * i) % COMMS], round, bytes);
	}
	MPI_Allreduce(&errors, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	if (world_rank == 0)
		printf("%d errors\n", all);
	for (int i = 0; i < COMMS; i++) {
		free(meetings[i].data);
		MPI_Comm_free(&meetings[i].comm);
	}
	MPI_Finalize();
	return all != 0;
}
