/* SPDX-License-Identifier: BSD-3-Clause */

/* Accesses to buffers of open receives, which BCS_STRICT=pages finds. */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>

#include "faulty.h"

static MPI_Request one;
static MPI_Request two[2];

static void touched_read(void)
{
	MPI_Irecv(y, MANY, MPI_INT, before, 0, comm, &two[0]);
	/* ! receive-touched */
	x[0] += y[MANY / 2];
	MPI_Isend(x, MANY, MPI_INT, after, 0, comm, &one);
	WAIT(&one);
	WAIT(&two[0]);
}

static void touched_write(void)
{
	MPI_Irecv(y, 4 * SOME, MPI_INT, before, 0, comm, &two[0]);
	MPI_Isend(x, 4 * SOME, MPI_INT, after, 0, comm, &one);
	WAIT(&one);
	/* ! receive-touched */
	y[2 * SOME] = 1;
	WAIT(&two[0]);
}

static void touched_send(void)
{
	MPI_Irecv(y, MANY, MPI_INT, before, 0, comm, &two[0]);
	/* ! receive-touched */
	MPI_Isend(y, MANY, MPI_INT, after, 0, comm, &one);
	WAIT(&one);
	WAIT(&two[0]);
}

static void touched_start(void)
{
	MPI_Recv_init(y, MANY, MPI_INT, before, 0, comm, &two[0]);
	MPI_Start(&two[0]);
	MPI_Isend(x, MANY, MPI_INT, after, 0, comm, &one);
	for (int i = 0; i < MANY; i++)
		/* ! receive-touched */
		z[0] += y[i];
	WAIT(&one);
	WAIT(&two[0]);
	MPI_Request_free(&two[0]);
}

/* The other side reads where no fault of this process comes. */
static void touched_exchange(void)
{
	MPI_Irecv(y, MANY, MPI_INT, before, 0, comm, &two[0]);
	/* ! receive-touched */
	MPI_Sendrecv(y, MANY, MPI_INT, after, 1, z, MANY, MPI_INT, before, 1,
		     comm, NOTHING);
	MPI_Send(x, MANY, MPI_INT, after, 0, comm);
	WAIT(&two[0]);
}

static void touched_bcast(void)
{
	MPI_Irecv(y, MANY, MPI_INT, before, 0, comm, &two[0]);
	/* ! receive-touched */
	MPI_Bcast(y, MANY, MPI_INT, 0, comm);
	MPI_Send(x, MANY, MPI_INT, after, 0, comm);
	WAIT(&two[0]);
}

static void touched_alltoall(void)
{
	MPI_Irecv(y, MANY, MPI_INT, before, 0, comm, &two[0]);
	/* ! receive-touched */
	MPI_Alltoall(y, MANY / size, MPI_INT, z, MANY / size, MPI_INT, comm);
	MPI_Send(x, MANY, MPI_INT, after, 0, comm);
	WAIT(&two[0]);
}

static void touched_reduce(void)
{
	MPI_Irecv(y, MANY, MPI_INT, before, 0, comm, &two[0]);
	/* ! receive-touched */
	MPI_Allreduce(y, z, MANY, MPI_INT, MPI_SUM, comm);
	MPI_Send(x, MANY, MPI_INT, after, 0, comm);
	WAIT(&two[0]);
}

#define THREADS 3
#define TURNS   1000

static atomic_int turn;
static atomic_int had;

static void *touch(void *unused)
{
	for (int i = 1; i <= TURNS; i++) {
		while (atomic_load(&turn) < i)
			sched_yield();
		((volatile int *)y)[MANY / 2] = i;
		atomic_fetch_add(&had, 1);
	}
	return unused;
}

/* All at once: a fault may come when another has opened the pages. */
static void touched_by_threads(void)
{
	pthread_t threads[THREADS];

	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, touch, NULL);
	for (int i = 1; i <= TURNS; i++) {
		/* ! receive-touched */
		MPI_Irecv(y, MANY, MPI_INT, before, 0, comm, &one);
		atomic_store(&turn, i);
		while (atomic_load(&had) < i * THREADS)
			sched_yield();
		MPI_Cancel(&one);
		WAIT(&one);
	}
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
}

static void end_badly(int signal)
{
	(void)signal;
	_exit(4);
}

/* Programs in Fortran have such a handler, by their language's library. */
static void touched_handled(void)
{
	signal(SIGSEGV, end_badly);
	MPI_Irecv(y, MANY, MPI_INT, before, 0, comm, &two[0]);
	/* ! receive-touched */
	x[0] += y[MANY / 2];
	MPI_Isend(x, MANY, MPI_INT, after, 0, comm, &one);
	WAIT(&one);
	WAIT(&two[0]);
}

const struct faulty faulty_touched[] = {
	CASE(touched_read, 2),
	CASE(touched_write, 3),
	CASE(touched_send, 2),
	CASE(touched_start, 4),
	CASE(touched_exchange, 3),
	CASE(touched_bcast, 3),
	CASE(touched_alltoall, 3),
	CASE(touched_reduce, 3),
	CASE(touched_by_threads, 2),
	CASE(touched_handled, 2),
	{ 0 },
};
