/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * One thread asks for the record again and again.  Meanwhile others make their
 * first calls, and wait for requests in arrays that are gone after the call.
 */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/mman.h>

#include <mpi.h>

#define N_THREADS 24
#define N_REQUEST 8192
#define ROUNDS    20

static atomic_bool done;
static pthread_barrier_t all;

static void *ask(void *arg)
{
	(void)arg;
	while (!done)
		pthread_kill(pthread_self(), SIGUSR2);
	return NULL;
}

static void *first_call(void *arg)
{
	int rank;

	(void)arg;
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	pthread_barrier_wait(&all);
	return NULL;
}

static void first_calls(void)
{
	pthread_t threads[N_THREADS];

	pthread_barrier_init(&all, NULL, N_THREADS);
	for (int i = 0; i < N_THREADS; i++)
		pthread_create(&threads[i], NULL, first_call, NULL);
	for (int i = 0; i < N_THREADS; i++)
		pthread_join(threads[i], NULL);
}

static void requests_that_go(void)
{
	const size_t size = N_REQUEST * sizeof(MPI_Request);
	MPI_Request *requests;

	requests = mmap(NULL, size, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	for (int i = 0; i < N_REQUEST; i++)
		requests[i] = MPI_REQUEST_NULL;
	MPI_Waitall(N_REQUEST, requests, MPI_STATUSES_IGNORE);
	munmap(requests, size);
}

int main(int argc, char **argv)
{
	pthread_t asking;
	int provided;

	MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
	pthread_create(&asking, NULL, ask, NULL);
	first_calls();
	for (int i = 0; i < ROUNDS; i++)
		requests_that_go();
	done = true;
	pthread_join(asking, NULL);
	MPI_Finalize();
	return 0;
}
