/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * usage: flying ring|threads|waits|few|before|after FILE
 *
 * ring: each rank sends 8 bytes to the next one and receives as many from the
 * one before, with tags 0, 1 ... 999, 0 ..., until FILE is there.
 * threads: four threads of each rank do so on communicators of their own.
 * waits: rank 0 waits for two of three receives, rank 1 sleeps in between.
 * few: ten rounds.
 * before, after: killed before MPI_Init, or at its end.
 */
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#define THREADS 4
#define TAGS    1000

static int rank;
static int size;
static const char *file;
static MPI_Comm comms[THREADS];

static void round_of(MPI_Comm comm, int tag)
{
	const int next = (rank + 1) % size;
	const int before = (rank + size - 1) % size;
	int64_t out = tag;
	int64_t in;

	MPI_Send(&out, 1, MPI_INT64_T, next, tag, comm);
	MPI_Recv(&in, 1, MPI_INT64_T, before, tag, comm, MPI_STATUS_IGNORE);
}

static void *ring(void *arg)
{
	MPI_Comm *comm = arg;
	int end = 0;

	for (int tag = 0; !end; tag = (tag + 1) % TAGS) {
		round_of(*comm, tag);
		if (tag == 0 && rank == 0)
			end = access(file, F_OK) == 0;
		if (tag == 0)
			MPI_Bcast(&end, 1, MPI_INT, 0, *comm);
	}
	return NULL;
}

static void threads(void)
{
	pthread_t thread[THREADS];

	for (int i = 0; i < THREADS; i++)
		MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
	for (int i = 0; i < THREADS; i++)
		pthread_create(&thread[i], NULL, ring, &comms[i]);
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
}

static void waits(void)
{
	MPI_Request requests[3];
	int value[3] = { 0 };

	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 0) {
		for (int i = 0; i < 3; i++)
			MPI_Irecv(&value[i], 1, MPI_INT,
				  i == 2 ? MPI_ANY_SOURCE : 1, 40 + i,
				  MPI_COMM_WORLD, &requests[i]);
		MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
	}
	if (rank != 1)
		return;
	MPI_Send(value, 1, MPI_INT, 0, 40, MPI_COMM_WORLD);
	while (access(file, F_OK) != 0)
		usleep(10000);
	for (int i = 1; i < 3; i++)
		MPI_Send(value, 1, MPI_INT, 0, 40 + i, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
	const char *how = argc > 2 ? argv[1] : "";
	MPI_Comm world;
	int got;

	file = argv[argc - 1];
	if (strcmp(how, "before") == 0)
		raise(SIGKILL);
	MPI_Init_thread(&argc, &argv,
			strcmp(how, "threads") == 0 ? MPI_THREAD_MULTIPLE
						    : MPI_THREAD_FUNNELED,
			&got);
	if (strcmp(how, "after") == 0)
		raise(SIGKILL);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	world = MPI_COMM_WORLD;
	if (strcmp(how, "ring") == 0)
		ring(&world);
	else if (strcmp(how, "threads") == 0)
		threads();
	else if (strcmp(how, "waits") == 0)
		waits();
	else
		for (int tag = 0; tag < 10; tag++)
			round_of(world, tag);
	MPI_Finalize();
	return 0;
}
