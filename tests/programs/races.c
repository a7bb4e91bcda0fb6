/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * usage: races ROUNDS [stray N]
 * Programs whose messages race: each rank keeps a hash of the order in which
 * messages came, and rank 0 prints one of all.  With `stray`, rank 0 probes N
 * times more.
 */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FEW 8

static int rank;
static int size;
static int rounds;
static uint64_t hash = 1469598103934665603u;

static void note(int value)
{
	hash = (hash ^ (uint64_t)(unsigned)value) * 1099511628211u;
}

/* Takes a time that differs from rank to rank and from round to round. */
static void compute(int round)
{
	volatile unsigned work = (unsigned)(rank * 7 + round * 13) % 11 * 100;

	while (work > 0)
		work--;
}

/* ANACIN-X's message race: all send to rank 0. */
static void message_race(void)
{
	int value;

	for (int i = 0; i < rounds; i++) {
		compute(i);
		if (rank != 0) {
			MPI_Send(&rank, 1, MPI_INT, 0, i & 3, MPI_COMM_WORLD);
			continue;
		}
		for (int k = 1; k < size; k++) {
			MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE,
				 MPI_ANY_TAG, MPI_COMM_WORLD,
				 MPI_STATUS_IGNORE);
			note(value);
		}
	}
}

/* All send to all, to receives from any source that were posted before. */
static void mesh(void)
{
	MPI_Request requests[2 * FEW];
	MPI_Status statuses[2 * FEW];
	int values[FEW];
	int n;

	for (int i = 0; i < rounds; i++) {
		n = 0;
		for (int k = 0; k < size - 1; k++)
			MPI_Irecv(&values[k], 1, MPI_INT, MPI_ANY_SOURCE, 5,
				  MPI_COMM_WORLD, &requests[n++]);
		compute(i);
		for (int k = 1; k < size; k++)
			MPI_Isend(&rank, 1, MPI_INT, (rank + k) % size, 5,
				  MPI_COMM_WORLD, &requests[n++]);
		MPI_Waitall(n, requests,
			    i & 1 ? statuses : MPI_STATUSES_IGNORE);
		for (int k = 0; k < size - 1; k++)
			note(values[k]);
	}
}

/* Looks for what is done and waits for that; since MPI 4.1. */
static int look_and_wait(int how, int n, MPI_Request requests[], int indices[])
{
	int found = 0;

#if MPI_VERSION > 4 || (MPI_VERSION == 4 && MPI_SUBVERSION >= 1)
	if (how == 4)
		MPI_Request_get_status_some(n, requests, &found, indices,
					    MPI_STATUSES_IGNORE);
	else
		MPI_Request_get_status_any(n, requests, indices, &found,
					   MPI_STATUS_IGNORE);
#else
	for (int i = 0; !found && i < n; i++) {
		if (requests[i] == MPI_REQUEST_NULL)
			continue;
		MPI_Request_get_status(requests[i], &found, MPI_STATUS_IGNORE);
		indices[0] = i;
	}
	(void)how;
#endif
	for (int k = 0; k < found; k++)
		MPI_Wait(&requests[indices[k]], MPI_STATUS_IGNORE);
	return found;
}

/* Receives of every rank; which is done first? */
static void waits(int how)
{
	MPI_Request requests[2 * FEW];
	int values[FEW];
	int indices[2 * FEW];
	int n;
	int left;
	int found;
	int flag;

	for (int i = 0; i < rounds; i++) {
		n = 0;
		for (int k = 1; k < size; k++)
			MPI_Irecv(&values[k], 1, MPI_INT, (rank + k) % size, 6,
				  MPI_COMM_WORLD, &requests[n++]);
		compute(i);
		for (int k = 1; k < size; k++)
			MPI_Isend(&rank, 1, MPI_INT, (rank + k) % size, 6,
				  MPI_COMM_WORLD, &requests[n++]);
		for (left = n; left > 0; left -= found) {
			found = 1;
			if (how == 0) {
				MPI_Waitany(n, requests, indices,
					    MPI_STATUS_IGNORE);
			} else if (how == 1) {
				MPI_Testsome(n, requests, &found, indices,
					     MPI_STATUSES_IGNORE);
			} else if (how == 2) {
				MPI_Waitsome(n, requests, &found, indices,
					     MPI_STATUSES_IGNORE);
			} else if (how == 3) {
				MPI_Testany(n, requests, indices, &flag,
					    MPI_STATUS_IGNORE);
				found = flag;
			} else {
				found = look_and_wait(how, n, requests,
						      indices);
			}
			note(found);
			for (int k = 0; k < found; k++)
				note(indices[k]);
		}
	}
}

/* Looks for a message, and counts how often in vain. */
static void probes(void)
{
	MPI_Status status;
	MPI_Message message;
	int value;
	int flag;

	for (int i = 0; i < rounds; i++) {
		compute(i);
		if (rank != 0) {
			MPI_Send(&rank, 1, MPI_INT, 0, 7, MPI_COMM_WORLD);
			continue;
		}
		for (int k = 1; k < size; k++) {
			for (flag = 0; !flag; note(flag))
				if (i & 1)
					MPI_Iprobe(MPI_ANY_SOURCE, 7,
						   MPI_COMM_WORLD, &flag,
						   &status);
				else
					MPI_Improbe(MPI_ANY_SOURCE, 7,
						    MPI_COMM_WORLD, &flag,
						    &message, &status);
			if (i & 1)
				MPI_Recv(&value, 1, MPI_INT, status.MPI_SOURCE,
					 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
			else
				MPI_Mrecv(&value, 1, MPI_INT, &message,
					  MPI_STATUS_IGNORE);
			note(value);
		}
	}
}

static void look(MPI_Request *request, int *flag)
{
#if MPI_VERSION > 4 || (MPI_VERSION == 4 && MPI_SUBVERSION >= 1)
	MPI_Request_get_status_all(1, request, flag, MPI_STATUSES_IGNORE);
#else
	MPI_Request_get_status(*request, flag, MPI_STATUS_IGNORE);
#endif
}

/* A master hands out work to whoever asks; a receive from anybody that stays.
 */
static void persistent(void)
{
	MPI_Request request;
	MPI_Status status;
	int value;
	int flag;

	if (rank != 0) {
		for (int i = 0; i < rounds; i++) {
			compute(i);
			MPI_Send(&rank, 1, MPI_INT, 0, 8, MPI_COMM_WORLD);
		}
		return;
	}
	MPI_Recv_init(&value, 1, MPI_INT, MPI_ANY_SOURCE, 8, MPI_COMM_WORLD,
		      &request);
	for (int i = 0; i < rounds * (size - 1); i++) {
		MPI_Start(&request);
		for (flag = 0; !flag; note(flag))
			if (i & 1)
				MPI_Test(&request, &flag, &status);
			else
				look(&request, &flag);
		if (!(i & 1))
			MPI_Wait(&request, &status);
		note(value);
		note(status.MPI_SOURCE);
	}
	MPI_Request_free(&request);
}

/* A receive that is given up, and one that is never met. */
static void given_up(void)
{
	static int never;
	MPI_Request request;
	int value;
	int flag;

	MPI_Irecv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 99, MPI_COMM_WORLD,
		  &request);
	MPI_Cancel(&request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Irecv(&never, 1, MPI_INT, MPI_ANY_SOURCE, 98, MPI_COMM_WORLD,
		  &request);
	MPI_Request_get_status(request, &flag, MPI_STATUS_IGNORE);
	note(flag);
	MPI_Cancel(&request);
	MPI_Request_free(&request);
}

static void stray(int n)
{
	int flag;

	for (int i = 0; rank == 0 && i < n; i++)
		MPI_Iprobe(MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &flag,
			   MPI_STATUS_IGNORE);
}

static void print_hash(void)
{
	uint64_t all[FEW];

	MPI_Gather(&hash, 1, MPI_UINT64_T, all, 1, MPI_UINT64_T, 0,
		   MPI_COMM_WORLD);
	for (int i = 1; rank == 0 && i < size; i++)
		hash = (hash ^ all[i]) * 1099511628211u;
	if (rank == 0)
		printf("%016llx\n", (unsigned long long)hash);
}

int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	if (argc < 2 || size > FEW)
		MPI_Abort(MPI_COMM_WORLD, 2);
	rounds = atoi(argv[1]);
	message_race();
	MPI_Barrier(MPI_COMM_WORLD);
	mesh();
	for (int how = 0; how < 6; how++)
		waits(how);
	MPI_Barrier(MPI_COMM_WORLD);
	probes();
	persistent();
	given_up();
	if (argc == 4 && strcmp(argv[2], "stray") == 0)
		stray(atoi(argv[3]));
	print_hash();
	MPI_Finalize();
	return 0;
}
