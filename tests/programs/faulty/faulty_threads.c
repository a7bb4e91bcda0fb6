/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Threads that call MPI at a level that forbids it, and such that seem to.  A
 * case runs before MPI_Init: it asks for its level itself.
 */
#include <pthread.h>

#include "faulty.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t both;
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

static void *ask_once(void *unused);

static void begin_and_join(void *in, void *inout, int *n, MPI_Datatype *type)
{
	(void)in, (void)inout, (void)n, (void)type;
	pthread_create(&thread, NULL, ask_once, NULL);
	pthread_join(thread, NULL);
}

/*
 * While MPI runs `amid`, this thread is in a call.  The other one's touch no
 * network: UCX ends a program in which two threads make progress at once.
 */
static void call_amid(MPI_User_function *amid)
{
	MPI_Op op;

	MPI_Op_create(amid, 1, &op);
	MPI_Reduce_local(x, y, 1, MPI_INT, op);
	MPI_Op_free(&op);
	MPI_Finalize();
	exit(0);
}

static void thread_serialized(void)
{
	begin(MPI_THREAD_SERIALIZED);
	call_amid(begin_and_join);
}

static void *ask_once(void *unused)
{
	int bytes;

	(void)unused;
	/* ! thread-level */
	MPI_Type_size(MPI_INT, &bytes);
	return NULL;
}

static void *ask_a_lot(void *unused);

static void let_go_on(void *in, void *inout, int *n, MPI_Datatype *type)
{
	(void)in, (void)inout, (void)n, (void)type;
	pthread_barrier_wait(&both);
	pthread_join(thread, NULL);
}

static void thread_seldom(void)
{
	begin(MPI_THREAD_SERIALIZED);
	pthread_barrier_init(&both, NULL, 2);
	pthread_create(&thread, NULL, ask_a_lot, NULL);
	pthread_barrier_wait(&both);
	call_amid(let_go_on);
}

/* Its first calls are alone: one of the later ones tells. */
static void *ask_a_lot(void *unused)
{
	int bytes;

	(void)unused;
	for (int i = 0; i < 1000; i++) {
		if (i == 10) {
			pthread_barrier_wait(&both); /* it was alone */
			pthread_barrier_wait(&both); /* it is no more */
		}
		/* ! thread-level */
		MPI_Type_size(MPI_INT, &bytes);
	}
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
