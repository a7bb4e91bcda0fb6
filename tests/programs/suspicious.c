/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * usage: suspicious HOW..., with 2 ranks or more: what looks like a deadlock
 * for some time, and is none, one after the other.
 */
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

static int rank;
static int value;

static void recv_other(void)
{
	MPI_Recv(&value, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD,
		 MPI_STATUS_IGNORE);
}

static void send_other(void)
{
	MPI_Send(&value, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);
}

static void sleeps(void)
{
	if (rank == 0) {
		sleep(2);
		send_other();
	} else {
		recv_other();
	}
}

static void polls(void)
{
	MPI_Request request;
	int flag = 0;

	if (rank == 1) {
		recv_other();
		return;
	}
	MPI_Irecv(&value, 1, MPI_INT, 1, 9, MPI_COMM_WORLD, &request);
	for (int i = 0; i < 100; i++) {
		MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
		usleep(10000);
	}
	send_other();
	MPI_Cancel(&request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void *send_late(void *unused)
{
	sleep(1);
	send_other();
	return unused;
}

/* Both wait, and a thread of each sends later. */
static void thread(void)
{
	pthread_t late;

	pthread_create(&late, NULL, send_late, NULL);
	recv_other();
	pthread_join(late, NULL);
}

/* Rank 0 is in MPI's own call until both are. */
static void native(void)
{
	MPI_Comm dup;

	if (rank == 1) {
		sleep(1);
		MPI_Comm_dup(MPI_COMM_WORLD, &dup);
		recv_other();
	} else {
		MPI_Comm_dup(MPI_COMM_WORLD, &dup);
		sleep(1);
		send_other();
	}
	MPI_Comm_free(&dup);
}

/* A window's owner serves accesses while it waits to make another one. */
static void window(void)
{
	MPI_Win win;
	MPI_Win more;

	value = 0;
	MPI_Win_create(&value, sizeof(value), sizeof(value), MPI_INFO_NULL,
		       MPI_COMM_WORLD, &win);
	for (int i = 0; rank == 0 && i < 100; i++) {
		const int one = 1;

		MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, win);
		MPI_Accumulate(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_SUM,
			       win);
		MPI_Win_unlock(1, win);
		usleep(10000);
	}
	MPI_Win_create(&value, sizeof(value), 1, MPI_INFO_NULL, MPI_COMM_WORLD,
		       &more);
	if (rank == 1 && value != 100)
		MPI_Abort(MPI_COMM_WORLD, 1);
	MPI_Win_free(&more);
	MPI_Win_free(&win);
}

/* A rank is late for a fence, while MPI serves it the memory of the other. */
static void fence(void)
{
	int got = 0;
	MPI_Win win;

	value = 1;
	MPI_Win_create(&value, sizeof(value), sizeof(value), MPI_INFO_NULL,
		       MPI_COMM_WORLD, &win);
	MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
	for (int i = 0; rank == 1 && i < 10; i++) {
		MPI_Accumulate(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM,
			       win);
		usleep(100000);
	}
	MPI_Win_fence(0, win);
	if (rank == 0 && value != 11)
		MPI_Abort(MPI_COMM_WORLD, 1);
	MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
	MPI_Get(&got, 1, MPI_INT, 1 - rank, 0, 1, MPI_INT, win);
	MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
	if (rank == 1)
		sleep(1);
	MPI_Win_free(&win);
	if (got != (rank ? 11 : 1))
		MPI_Abort(MPI_COMM_WORLD, 1);
}

/* With that hint ROMIO lets rank 0 write although rank 1 is not there. */
static void file(void)
{
	char name[] = "/tmp/suspicious-0000000000";
	MPI_File opened;
	MPI_Info info;

	snprintf(name, sizeof(name), "/tmp/suspicious-%010d", (int)getpid());
	MPI_Bcast(name, sizeof(name), MPI_CHAR, 0, MPI_COMM_WORLD);
	MPI_Info_create(&info);
	MPI_Info_set(info, "romio_cb_write", "disable");
	MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR,
		      info, &opened);
	MPI_Info_free(&info);
	if (rank == 1)
		recv_other();
	MPI_File_write_at_all(opened, rank, &rank, 1, MPI_CHAR,
			      MPI_STATUS_IGNORE);
	if (rank == 0) {
		sleep(1);
		send_other();
	}
	MPI_File_close(&opened);
	if (rank == 0)
		unlink(name);
}

/*
 * Rank 0 has a neighbour to send to and none to receive from.  It does not wait
 * for rank 1, which waits for a message of rank 0 first.
 */
static void neighbor(void)
{
	MPI_Request request;
	MPI_Comm graph;
	int in = 0;

	MPI_Dist_graph_create_adjacent(
		MPI_COMM_WORLD, rank, (int[]){ 0 }, MPI_UNWEIGHTED, 1 - rank,
		(int[]){ 1 }, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph);
	value = 5;
	for (int i = 0; i < 2; i++) {
		if (rank == 1)
			recv_other();
		if (i == 0) {
			MPI_Neighbor_allgather(&value, 1, MPI_INT, &in, 1,
					       MPI_INT, graph);
		} else {
			MPI_Ineighbor_alltoall(&value, 1, MPI_INT, &in, 1,
					       MPI_INT, graph, &request);
			MPI_Wait(&request, MPI_STATUS_IGNORE);
		}
		if (rank == 0) {
			usleep(500000);
			send_other();
		}
	}
	if (rank == 1 && in != 5)
		MPI_Abort(MPI_COMM_WORLD, 1);
	MPI_Comm_free(&graph);
}

/* Rank 0 waits for a duplicate that rank 1 begins late, and ends later. */
static void idup(void)
{
	MPI_Request request;
	MPI_Comm dup;

	if (rank == 1)
		usleep(500000);
	MPI_Comm_idup(MPI_COMM_WORLD, &dup, &request);
	if (rank == 0) {
		MPI_Wait(&request, MPI_STATUS_IGNORE);
		usleep(500000);
		send_other();
	} else {
		recv_other();
		MPI_Wait(&request, MPI_STATUS_IGNORE);
	}
	MPI_Barrier(dup);
	MPI_Comm_free(&dup);
}

static MPI_File file_open(int number)
{
	char name[] = "/tmp/suspicious-0000000000-0";
	MPI_File file;

	snprintf(name, sizeof(name), "/tmp/suspicious-%010d-%d", (int)getpid(),
		 number);
	MPI_Bcast(name, sizeof(name), MPI_CHAR, 0, MPI_COMM_WORLD);
	MPI_File_open(MPI_COMM_WORLD, name,
		      MPI_MODE_CREATE | MPI_MODE_RDWR |
			      MPI_MODE_DELETE_ON_CLOSE,
		      MPI_INFO_NULL, &file);
	return file;
}

static MPI_File files[2];

static void file_write(MPI_File file)
{
	MPI_File_write_at_all(file, rank, &rank, 1, MPI_CHAR,
			      MPI_STATUS_IGNORE);
}

static void *file_first(void *unused)
{
	file_write(files[0]);
	if (rank == 0) {
		sleep(1);
		MPI_Send(&value, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
	}
	return unused;
}

static void *file_second(void *unused)
{
	int got;

	if (rank == 1)
		MPI_Recv(&got, 1, MPI_INT, 0, 1, MPI_COMM_WORLD,
			 MPI_STATUS_IGNORE);
	file_write(files[1]);
	return unused;
}

/*
 * Two threads are in collective calls on a file each, while a third waits for a
 * message.
 */
static void file_threads(void)
{
	pthread_t threads[2];

	for (int i = 0; i < 2; i++)
		files[i] = file_open(i);
	pthread_create(&threads[0], NULL, file_first, NULL);
	pthread_create(&threads[1], NULL, file_second, NULL);
	if (rank == 0)
		recv_other();
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	if (rank == 1)
		send_other();
	for (int i = 0; i < 2; i++)
		MPI_File_close(&files[i]);
}

static volatile sig_atomic_t rung;

static void ring(int signal)
{
	(void)signal;
	rung = 1;
}

static void handler(void)
{
	if (rank == 1) {
		recv_other();
		return;
	}
	signal(SIGALRM, ring);
	alarm(1);
	while (!rung)
		pause();
	send_other();
}

/* One of two messages can come: that of rank 0, which waits in a pipe. */
static void waitany(void)
{
	MPI_Request requests[2];
	int got[2];
	int ends[2];
	int at;
	char byte = 0;

	if (rank == 0) {
		if (pipe(ends) != 0)
			return;
		if (fork() == 0) {
			sleep(1);
			_exit(write(ends[1], &byte, 1) != 1);
		}
		if (read(ends[0], &byte, 1) == 1)
			send_other();
		return;
	}
	for (int i = 0; i < 2; i++)
		MPI_Irecv(&got[i], 1, MPI_INT, i == 0 ? 1 : 0, 0,
			  MPI_COMM_WORLD, &requests[i]);
	MPI_Waitany(2, requests, &at, MPI_STATUS_IGNORE);
	MPI_Cancel(&requests[1 - at]);
	MPI_Wait(&requests[1 - at], MPI_STATUS_IGNORE);
}

/* A collective in the background goes on while its rank waits elsewhere. */
static void background(void)
{
	MPI_Request request;

	if (rank == 0) {
		sleep(1);
		MPI_Barrier(MPI_COMM_SELF);
		MPI_Ibarrier(MPI_COMM_WORLD, &request);
		send_other();
	} else {
		MPI_Ibarrier(MPI_COMM_WORLD, &request);
		recv_other();
	}
	MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/*
 * With 4 ranks: what rank 3 waits for comes from rank 0 through rank 1, which
 * waits for rank 3 meanwhile.
 */
static void passes_on(void)
{
	MPI_Request request;
	int data = 0;

	if (rank == 0)
		sleep(1);
	MPI_Ibcast(&data, 1, MPI_INT, 0, MPI_COMM_WORLD, &request);
	if (rank == 1)
		MPI_Recv(&value, 1, MPI_INT, 3, 0, MPI_COMM_WORLD,
			 MPI_STATUS_IGNORE);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	if (rank == 3)
		MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
}

/* Rank 0 has called the broadcast that rank 1 waits in, and waits for it. */
static void has_called(void)
{
	int data = 0;

	if (rank > 1)
		sleep(1);
	MPI_Bcast(&data, 1, MPI_INT, 0, MPI_COMM_WORLD);
	if (rank == 0)
		recv_other();
	if (rank == 1)
		send_other();
}

/*
 * In fixed mode with a small BCS_BUDGET a message from rank 0 to rank 1 takes
 * all that slices may move, for half a second.  A message from rank 2 to rank 3
 * was matched and waits for its turn.
 */
static void queued(void)
{
	const int n = rank < 2 ? 3 << 25 : 1 << 18;
	int *data = calloc((size_t)n, sizeof(*data));

	if (!data)
		MPI_Abort(MPI_COMM_WORLD, 1);
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank > 1)
		usleep(20000);
	if (rank % 2)
		MPI_Recv(data, n, MPI_INT, rank - 1, 0, MPI_COMM_WORLD,
			 MPI_STATUS_IGNORE);
	else
		MPI_Send(data, n, MPI_INT, rank + 1, 0, MPI_COMM_WORLD);
	free(data);
}

static const struct {
	const char *name;
	void (*run)(void);
} hows[] = {
	{ "sleeps", sleeps },
	{ "polls", polls },
	{ "thread", thread },
	{ "native", native },
	{ "handler", handler },
	{ "waitany", waitany },
	{ "background", background },
	{ "async", thread },
	{ "passes_on", passes_on },
	{ "has_called", has_called },
	{ "queued", queued },
	{ "window", window },
	{ "fence", fence },
	{ "file", file },
	{ "neighbor", neighbor },
	{ "idup", idup },
	{ "file_threads", file_threads },
};

static void run(const char *name)
{
	for (size_t i = 0; i < sizeof(hows) / sizeof(hows[0]); i++) {
		if (strcmp(hows[i].name, name) == 0) {
			hows[i].run();
			MPI_Barrier(MPI_COMM_WORLD);
			return;
		}
	}
	fprintf(stderr, "suspicious: there is no %s\n", name);
	MPI_Abort(MPI_COMM_WORLD, 2);
}

int main(int argc, char **argv)
{
	/* A thread of UCX has this name, too. */
	const int is_async = strcmp(argv[1], "async") == 0;
	const int threads = is_async || strcmp(argv[1], "thread") == 0;
	int provided;

	if (is_async)
		prctl(PR_SET_NAME, "async");
	MPI_Init_thread(&argc, &argv,
			threads ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE,
			&provided);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (int i = 1; i < argc; i++)
		run(argv[i]);
	MPI_Finalize();
	return 0;
}
