/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Threads that call MPI at a level that forbids it, and such that seem to.  A
 * case runs before MPI_Init: it asks for its level itself.
 */
#include <pthread.h>

#include "faulty.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_t thread;

static void begin(int level)
{
	MPI_Init_thread(NULL, NULL, level, &level);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	after = (rank + 1) % size;
	before = (rank + size - 1) % size;
	comm = MPI_COMM_WORLD;
}

static void end(void)
{
	pthread_join(thread, NULL);
	MPI_Finalize();
	exit(0);
}

static void *exchange(void *unused);

static void thread_single(void)
{
	begin(MPI_THREAD_SINGLE);
	pthread_create(&thread, NULL, exchange, NULL);
	end();
}

static void *exchange(void *unused)
{
	(void)unused;
	MPI_Initialized(&x[0]);
	/* ! thread-level */
	MPI_Sendrecv(x, 1, MPI_INT, after, 0, y, 1, MPI_INT, before, 0, comm,
		     NOTHING);
	return NULL;
}

static void *send_later(void *unused);

static void thread_serialized(void)
{
	begin(MPI_THREAD_SERIALIZED);
	pthread_create(&thread, NULL, send_later, NULL);
	RECV(before, 0);
	end();
}

/* Its rank's other thread waits for the message of the rank beside. */
static void *send_later(void *unused)
{
	(void)unused;
	usleep(100000);
	/* ! thread-level */
	SEND(after, 0);
	return NULL;
}

static void *ask_a_lot(void *unused);

static void thread_seldom(void)
{
	begin(MPI_THREAD_SERIALIZED);
	pthread_create(&thread, NULL, ask_a_lot, NULL);
	usleep(100000);
	RECV(before, 0);
	end();
}

/*
 * Its first calls are alone: one of the later ones tells.  They touch no
 * network: UCX ends a program in which two threads make progress at once.
 */
static void *ask_a_lot(void *unused)
{
	int bytes;

	(void)unused;
	for (int i = 0; i < 1000; i++) {
		if (i == 10)
			usleep(200000);
		/* ! thread-level */
		MPI_Type_size(MPI_INT, &bytes);
	}
	SEND(after, 0);
	return NULL;
}

static void *take_turns(void *unused)
{
	(void)unused;
	for (int i = 0; i < 1000; i++) {
		pthread_mutex_lock(&lock);
		MPI_Sendrecv(x, 1, MPI_INT, 0, 0, y, 1, MPI_INT, 0, 0,
			     MPI_COMM_SELF, NOTHING);
		pthread_mutex_unlock(&lock);
	}
	return NULL;
}

static void serialized_by_lock(void)
{
	begin(MPI_THREAD_SERIALIZED);
	pthread_create(&thread, NULL, take_turns, NULL);
	take_turns(NULL);
	end();
}

static void *ask(void *unused)
{
	char text[MPI_MAX_ERROR_STRING];
	MPI_Info info;
	int flag;

	(void)unused;
	MPI_Info_create(&info);
	MPI_Info_set(info, "key", "value");
	MPI_Info_free(&info);
	MPI_Error_string(MPI_ERR_TAG, text, &flag);
	MPI_Is_thread_main(&flag);
	MPI_Initialized(&flag);
	MPI_Query_thread(&flag);
	return NULL;
}

static void questions_of_any(void)
{
	begin(MPI_THREAD_FUNNELED);
	pthread_create(&thread, NULL, ask, NULL);
	end();
}

const struct faulty faulty_threads[] = {
	CASE(thread_single, 2),    CASE(thread_serialized, 2),
	CASE(thread_seldom, 2),    CASE(serialized_by_lock, 2),
	CASE(questions_of_any, 2), { 0 },
};
