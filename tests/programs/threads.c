/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Eight threads of each of two ranks call MPI at once, each a known number of
 * times.  Half of them begin only when the others have ended.  They take
 * requests and messages from each other as soon as MPI has freed them.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

#include <mpi.h>

#define N_THREADS 8
#define PROBES    1000
#define MESSAGES  100
#define TO_ITSELF 3000
#define MATCHED   300

static int peer;
static pthread_barrier_t all;

static void requests(int tag)
{
	MPI_Request both[2];
	int in;

	for (int i = 0; i < TO_ITSELF; i++) {
		MPI_Irecv(&in, 1, MPI_INT, 0, tag, MPI_COMM_SELF, &both[0]);
		MPI_Isend(&tag, 1, MPI_INT, 0, tag, MPI_COMM_SELF, &both[1]);
		MPI_Wait(&both[0], MPI_STATUS_IGNORE);
		MPI_Wait(&both[1], MPI_STATUS_IGNORE);
	}
}

static void messages(int tag)
{
	MPI_Message message;
	MPI_Request request;
	int in;

	for (int i = 0; i < MATCHED; i++) {
		MPI_Isend(&tag, 1, MPI_INT, 0, tag, MPI_COMM_SELF, &request);
		MPI_Mprobe(0, tag, MPI_COMM_SELF, &message, MPI_STATUS_IGNORE);
		MPI_Mrecv(&in, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
	}
}

static void *work(void *arg)
{
	const int tag = (int)(intptr_t)arg;
	int in;
	int flag;

	pthread_barrier_wait(&all);
	requests(tag);
	messages(tag);
	for (int i = 0; i < MESSAGES; i++)
		MPI_Sendrecv(&tag, 1, MPI_INT, peer, tag, &in, 1, MPI_INT, peer,
			     tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	for (int i = 0; i < PROBES; i++)
		MPI_Iprobe(peer, 100 + tag, MPI_COMM_WORLD, &flag,
			   MPI_STATUS_IGNORE);
	/* None ends before all have begun: who begins later takes its place. */
	pthread_barrier_wait(&all);
	return NULL;
}

static void run(int from, int to)
{
	pthread_t threads[N_THREADS];

	pthread_barrier_init(&all, NULL, (unsigned)(to - from));
	for (int i = from; i < to; i++)
		pthread_create(&threads[i], NULL, work, (void *)(intptr_t)i);
	for (int i = from; i < to; i++)
		pthread_join(threads[i], NULL);
	pthread_barrier_destroy(&all);
}

int main(int argc, char **argv)
{
	const int n = N_THREADS;
	int provided;
	int rank;

	MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
	if (provided != MPI_THREAD_MULTIPLE)
		return 2;
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	peer = !rank;
	run(0, n / 2);
	run(n / 2, n);
	MPI_Finalize();

	printf("expect %d MPI_Init_thread 1 0 0\n", rank);
	printf("expect %d MPI_Comm_rank 1 0 0\n", rank);
	printf("expect %d MPI_Sendrecv %d %d %d\n", rank, n * MESSAGES,
	       n * MESSAGES * 4, n * MESSAGES * 4);
	printf("expect %d MPI_Iprobe %d 0 0\n", rank, n * PROBES);
	printf("expect %d MPI_Irecv %d 0 %d\n", rank, n * TO_ITSELF,
	       n * TO_ITSELF * 4);
	printf("expect %d MPI_Isend %d %d 0\n", rank, n * (TO_ITSELF + MATCHED),
	       n * (TO_ITSELF + MATCHED) * 4);
	printf("expect %d MPI_Wait %d 0 0\n", rank,
	       n * (2 * TO_ITSELF + MATCHED));
	printf("expect %d MPI_Mprobe %d 0 0\n", rank, n * MATCHED);
	printf("expect %d MPI_Mrecv %d 0 %d\n", rank, n * MATCHED,
	       n * MATCHED * 4);
	printf("expect %d MPI_Finalize 1 0 0\n", rank);
	return 0;
}
