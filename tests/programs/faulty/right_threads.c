/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Waits that a thread of the program's own ends.  A case runs before MPI_Init:
 * it asks for its level itself.
 */
#include <pthread.h>

#include "faulty.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t rung = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t gate;
static pthread_t thread;
static int is_there;
static MPI_Request one;
static MPI_Request two[2];

static void late(void)
{
	usleep(500000);
}

static void begin(void *(*run)(void *))
{
	int level;

	MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &level);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	other = rank ^ 1;
	after = (rank + 1) % size;
	before = (rank + size - 1) % size;
	comm = MPI_COMM_WORLD;
	pthread_barrier_init(&gate, NULL, 2);
	pthread_create(&thread, NULL, run, NULL);
}

static void end(void)
{
	pthread_join(thread, NULL);
	MPI_Finalize();
	exit(0);
}

static void *receive_and_ring(void *unused)
{
	if (rank == 0)
		late();
	if (rank == 0)
		SSEND(1, 0);
	else if (rank == 1)
		RECV(0, 0);
	pthread_mutex_lock(&lock);
	is_there = 1;
	pthread_cond_signal(&rung);
	pthread_mutex_unlock(&lock);
	return unused;
}

/* Each main thread waits for its own thread, that for another's. */
static void rung_by_a_thread(void)
{
	begin(receive_and_ring);
	pthread_mutex_lock(&lock);
	while (!is_there)
		pthread_cond_wait(&rung, &lock);
	pthread_mutex_unlock(&lock);
	end();
}

static void *exchange_late(void *unused)
{
	late();
	SSEND(after, 1);
	return unused;
}

static void joins_a_thread(void)
{
	begin(exchange_late);
	RECV(before, 1);
	end();
}

static void *pass_the_gate(void *unused)
{
	late();
	pthread_barrier_wait(&gate);
	RECV(before, 2);
	return unused;
}

/* The message is sent once the thread that will receive the other is there. */
static void gate_of_threads(void)
{
	begin(pass_the_gate);
	pthread_barrier_wait(&gate);
	SSEND(after, 2);
	end();
}

static void *holds_the_lock(void *unused)
{
	pthread_mutex_lock(&lock);
	pthread_barrier_wait(&gate);
	if (rank)
		RECV(rank - 1, 3);
	late();
	if (rank + 1 < size)
		SSEND(rank + 1, 3);
	pthread_mutex_unlock(&lock);
	return unused;
}

static void lock_of_a_thread(void)
{
	begin(holds_the_lock);
	pthread_barrier_wait(&gate);
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
	BARRIER();
	end();
}

static int query(void *extra, MPI_Status *status)
{
	(void)extra;
	MPI_Status_set_elements(status, MPI_INT, 0);
	MPI_Status_set_cancelled(status, 0);
	return MPI_SUCCESS;
}

static int forget(void *extra)
{
	(void)extra;
	return MPI_SUCCESS;
}

static int ignore(void *extra, int is_complete)
{
	(void)extra;
	(void)is_complete;
	return MPI_SUCCESS;
}

static void *complete_late(void *unused)
{
	pthread_barrier_wait(&gate);
	late();
	MPI_Grequest_complete(one);
	return unused;
}

/* All wait in MPI, one of them for a request of its program's own. */
static void request_of_its_own(void)
{
	begin(complete_late);
	MPI_Grequest_start(query, forget, ignore, NULL, &one);
	two[0] = one;
	pthread_barrier_wait(&gate);
	if (rank == 0)
		RECV(1, 0);
	WAIT(&two[0]);
	if (rank == 1)
		SSEND(0, 0);
	end();
}

static void mixed_with_its_own(void)
{
	begin(complete_late);
	MPI_Grequest_start(query, forget, ignore, NULL, &one);
	two[0] = one;
	pthread_barrier_wait(&gate);
	IRECV(before, 0, &two[1]);
	if (rank) {
		MPI_Waitall(2, two, NOTHINGS);
		SSEND(after, 0);
	} else {
		SSEND(after, 0);
		MPI_Waitall(2, two, NOTHINGS);
	}
	end();
}

static void *ready_late(void *unused)
{
	pthread_barrier_wait(&gate);
	late();
	if (rank == 0)
		MPI_Pready(1, one);
	return unused;
}

/* The second part of a message is made ready by a thread. */
static void parts(void)
{
	begin(ready_late);
	if (rank == 0)
		MPI_Psend_init(x, 2, 4, MPI_INT, 1, 0, comm, MPI_INFO_NULL,
			       &one);
	else if (rank == 1)
		MPI_Precv_init(y, 2, 4, MPI_INT, 0, 0, comm, MPI_INFO_NULL,
			       &one);
	if (rank < 2)
		MPI_Start(&one);
	if (rank == 0)
		MPI_Pready(0, one);
	pthread_barrier_wait(&gate);
	if (rank < 2) {
		WAIT(&one);
		MPI_Request_free(&one);
	}
	end();
}

const struct faulty right_threads[] = {
	CASE(rung_by_a_thread, 2),
	CASE(joins_a_thread, 2),
	CASE(gate_of_threads, 2),
	CASE(lock_of_a_thread, 3),
	CASE(request_of_its_own, 2),
	CASE(mixed_with_its_own, 3),
	CASE(parts, 2),
	{ 0 },
};
