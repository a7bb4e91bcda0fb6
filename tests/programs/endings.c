/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * usage: endings HOW [FILE]
 * The ways in which a program comes to its end.  Each rank has made five calls
 * of MPI_Iprobe by then, and no others.
 */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <mpi.h>

static int rank;
static const char *file;

static void nap(long ms)
{
	const struct timespec time = { .tv_sec = ms / 1000,
				       .tv_nsec = ms % 1000 * 1000000 };

	nanosleep(&time, NULL);
}

static void five_calls(void)
{
	int flag;

	for (int i = 0; i < 5; i++)
		MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &flag,
			   MPI_STATUS_IGNORE);
}

static volatile sig_atomic_t n_own;

static void own_handler(int signal)
{
	(void)signal;
	n_own++;
}

/* A handler that the program had before MPI stays the program's. */
static void own_signal(void)
{
	kill(getpid(), SIGUSR2);
	if (n_own != 1)
		abort();
}

/* Rank 0 waits in MPI for ever; the last rank sends it the signal. */
static void while_waiting(int signal)
{
	int pid = getpid();

	MPI_Bcast(&pid, 1, MPI_INT, 0, MPI_COMM_WORLD);
	if (rank > 0) {
		nap(300);
		kill(pid, signal);
		nap(60000);
	}
	MPI_Recv(&pid, 1, MPI_INT, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD,
		 MPI_STATUS_IGNORE);
}

/*
 * Does the same, but rank 0 lives on, and gets its message once FILE is there.
 */
static void ask_and_go_on(void)
{
	struct stat st;
	int pid = getpid();

	MPI_Bcast(&pid, 1, MPI_INT, 0, MPI_COMM_WORLD);
	if (rank == 0) {
		MPI_Recv(&pid, 1, MPI_INT, 1, 7, MPI_COMM_WORLD,
			 MPI_STATUS_IGNORE);
		return;
	}
	nap(300);
	kill(pid, SIGUSR2);
	for (int i = 0; i < 600 && stat(file, &st) != 0; i++)
		nap(50);
	MPI_Send(&pid, 1, MPI_INT, 0, 7, MPI_COMM_WORLD);
}

/* Rank 1 is killed once FILE is there, and mpiexec ends the others. */
static void killed(void)
{
	struct stat st;

	for (int i = 0; i < 600 && (rank != 1 || stat(file, &st) != 0); i++)
		nap(50);
	if (rank == 1)
		kill(getpid(), SIGKILL);
}

/* Children leave in several ways; the record is none of their business. */
static void children(void)
{
	const pid_t parent = getpid();
	volatile int *nowhere = NULL;
	int status;

	for (int i = 0; i < 4; i++) {
		if (fork() != 0) {
			wait(&status);
			continue;
		}
		if (i == 0)
			exit(5);
		if (i == 1)
			_exit(5);
		if (i == 2)
			kill(getpid(), SIGTERM);
		if (i == 3)
			*nowhere = 0;
	}
	if (getpid() != parent || system("exit 3") != 3 << 8)
		abort();
}

/* More than one int comes for it. */
static void truncated(MPI_Comm comm)
{
	int two[2] = { 0, 0 };
	MPI_Request request;
	int one;

	MPI_Isend(two, 2, MPI_INT, rank, 7, comm, &request);
	MPI_Recv(&one, 1, MPI_INT, rank, 7, comm, MPI_STATUS_IGNORE);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void to_nobody(void)
{
	MPI_Send(&rank, 1, MPI_INT, 1000, 0, MPI_COMM_WORLD);
}

static void no_operation(void)
{
	int got;

	MPI_Allreduce(&rank, &got, 1, MPI_INT, MPI_OP_NULL, MPI_COMM_WORLD);
}

static void *exchange(void *tag)
{
	int got;

	for (;;)
		MPI_Sendrecv(&rank, 1, MPI_INT, rank, *(int *)tag, &got, 1,
			     MPI_INT, rank, *(int *)tag, MPI_COMM_WORLD,
			     MPI_STATUS_IGNORE);
	return NULL;
}

/* Threads are amid calls of MPI. */
static void error_amid(void)
{
	static int tags[3] = { 1, 2, 3 };
	pthread_t thread;

	for (int i = 0; i < 3; i++)
		pthread_create(&thread, NULL, exchange, &tags[i]);
	nap(100);
	if (rank == 0)
		to_nobody();
	/* A request for its record ends a nap. */
	for (;;)
		nap(60000);
}

static void handled(void)
{
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	to_nobody();
	kill(getpid(), SIGKILL);
}

/* The handler is set without a call that could be wrapped. */
static void handled_unseen(void)
{
	PMPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	to_nobody();
	to_nobody();
	kill(getpid(), SIGKILL);
}

/* A communicator without a handler of its own has that of MPI_COMM_WORLD. */
static void handled_by_world(void)
{
	MPI_Comm dup;

	MPI_Comm_dup(MPI_COMM_WORLD, &dup);
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	truncated(dup);
	MPI_Comm_free(&dup);
}

/* The handler of another communicator is not for this error. */
static void handled_beside(void)
{
	MPI_Comm dup;

	MPI_Comm_dup(MPI_COMM_WORLD, &dup);
	MPI_Comm_set_errhandler(dup, MPI_ERRORS_RETURN);
	to_nobody();
}

static void end_by_error(const char *how)
{
	if (strcmp(how, "error") == 0 && rank == 0)
		to_nobody();
	if (strcmp(how, "error") == 0)
		nap(60000);
	if (strcmp(how, "error_amid") == 0)
		error_amid();
	if (strcmp(how, "truncated") == 0)
		truncated(MPI_COMM_WORLD);
	if (strcmp(how, "no_operation") == 0 && rank == 0)
		no_operation();
	if (strcmp(how, "no_operation") == 0)
		nap(60000);
	if (strcmp(how, "told") == 0)
		MPI_Comm_call_errhandler(MPI_COMM_WORLD, MPI_ERR_OTHER);
	if (strcmp(how, "handled") == 0)
		handled();
	if (strcmp(how, "handled_beside") == 0)
		handled_beside();
	if (strcmp(how, "handled_by_world") == 0)
		handled_by_world();
	if (strcmp(how, "handled_unseen") == 0)
		handled_unseen();
}

static void no_files(void)
{
	const struct rlimit few = { 64, 64 };

	setrlimit(RLIMIT_NOFILE, &few);
	while (dup(0) >= 0)
		;
}

/* Down to a page. */
static void no_memory(void)
{
	const struct rlimit now = { 0, 0 };
	size_t size = 1 << 30;
	/* A compiler may take memory that nobody uses for there without end. */
	void *volatile block;

	setrlimit(RLIMIT_AS, &now);
	for (; size >= 16; size /= 2)
		do
			block = malloc(size);
		while (block);
}

/*
 * Closes all files but those by which the launcher sees that the process lives.
 */
static void closed_files(void)
{
	for (int fd = 40; fd < 1000; fd++)
		dup2(1, fd);
}

/* Once FILE is there. */
static void no_size(void)
{
	const struct rlimit none = { 0, 0 };
	struct stat st;

	for (int i = 0; i < 600 && stat(file, &st) != 0; i++)
		nap(50);
	setrlimit(RLIMIT_FSIZE, &none);
}

/* Ended by MPI_Finalize. */
static void no_room(void)
{
	const struct rlimit none = { 0, RLIM_INFINITY };

	setrlimit(RLIMIT_FSIZE, &none);
}

static void end_spent(const char *how)
{
	if (strcmp(how, "no_files") == 0)
		no_files();
	else if (strcmp(how, "no_memory") == 0)
		no_memory();
	else if (strcmp(how, "closed_files") == 0)
		closed_files();
	else if (strcmp(how, "no_size") == 0)
		no_size();
	else
		return;
	_exit(9);
}

static void by_signal(const char *number)
{
	kill(getpid(), atoi(number));
	/* Another thread may have it. */
	nap(60000);
}

/* The preload's helper thread writes the sum where nobody may write. */
static void fault_in_helper(void)
{
	static double in[20000];
	double *out = mmap(NULL, sizeof(in), PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	MPI_Request request;

	/* The sum is not there before rank 1's memory is closed. */
	if (rank == 0)
		nap(500);
	MPI_Iallreduce(in, out, 20000, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD,
		       &request);
	if (rank == 1)
		mprotect(out, sizeof(in), PROT_NONE);
	nap(60000);
}

static void end(const char *how)
{
	volatile int *nowhere = NULL;
	int five[5];

	if (strcmp(how, "abort") == 0 && rank == 0)
		MPI_Abort(MPI_COMM_WORLD, 7);
	if (strcmp(how, "abort") == 0)
		nap(60000);
	if (strcmp(how, "exit") == 0)
		exit(9);
	if (strcmp(how, "_exit") == 0)
		_exit(9);
	if (strcmp(how, "quick_exit") == 0)
		quick_exit(9);
	if (strncmp(how, "signal", 6) == 0)
		by_signal(how + 6);
	if (strcmp(how, "late") == 0)
		nap(2000);
	if (strcmp(how, "segv") == 0)
		*nowhere = 0;
	if (strcmp(how, "segv_in_mpi") == 0)
		MPI_Allreduce((void *)8, five, 5, MPI_INT, MPI_SUM,
			      MPI_COMM_WORLD);
	if (strcmp(how, "segv_in_helper") == 0)
		fault_in_helper();
	if (strcmp(how, "term") == 0)
		kill(getpid(), SIGTERM);
	if (strcmp(how, "term_in_mpi") == 0)
		while_waiting(SIGTERM);
	if (strcmp(how, "request") == 0)
		ask_and_go_on();
	if (strcmp(how, "killed") == 0)
		killed();
	if (strcmp(how, "children") == 0)
		children();
	if (strcmp(how, "own_signal") == 0)
		own_signal();
}

static int refuse(MPI_Comm comm, int key, void *value, void *extra)
{
	(void)comm;
	(void)key;
	(void)value;
	(void)extra;
	return MPI_ERR_OTHER;
}

/* The attribute makes MPI_Finalize end the program with an error. */
static void end_in_finalize(void)
{
	int key;

	MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, refuse, &key, NULL);
	MPI_Comm_set_attr(MPI_COMM_SELF, key, NULL);
}

int main(int argc, char **argv)
{
	int level = MPI_THREAD_SINGLE;

	if (strcmp(argv[1], "own_signal") == 0)
		signal(SIGUSR2, own_handler);
	/* Our parent may have made us ignore it. */
	if (strncmp(argv[1], "signal", 6) == 0)
		signal(atoi(argv[1] + 6), SIG_DFL);
	if (strcmp(argv[1], "error_amid") == 0)
		level = MPI_THREAD_MULTIPLE;
	MPI_Init_thread(&argc, &argv, level, &level);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	five_calls();
	file = argv[argc - 1];
	end_by_error(argv[1]);
	end_spent(argv[1]);
	end(argv[1]);
	if (strcmp(argv[1], "error_in_finalize") == 0)
		end_in_finalize();
	if (strcmp(argv[1], "no_room") == 0)
		no_room();
	MPI_Finalize();
	if (strcmp(argv[1], "asked_late") == 0)
		kill(getpid(), SIGUSR2);
	if (strcmp(argv[1], "segv_late") == 0)
		*(volatile int *)NULL = 0;
	/* More than a byte of it is not told. */
	if (strcmp(argv[1], "late_exit") == 0)
		exit(300);
	if (strcmp(argv[1], "late__exit") == 0)
		_exit(8);
	return strcmp(argv[1], "fine") == 0 ? 0 : 11;
}
