/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * usage: endings HOW [FILE]
 * The ways in which a program comes to its end.  Each rank has made five calls
 * of MPI_Iprobe by then, and no others.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
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

/* As above, but rank 0 lives on, and gets its message once FILE is there. */
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
	if (strcmp(how, "segv") == 0)
		*nowhere = 0;
	if (strcmp(how, "segv_in_mpi") == 0)
		MPI_Allreduce((void *)8, five, 5, MPI_INT, MPI_SUM,
			      MPI_COMM_WORLD);
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

int main(int argc, char **argv)
{
	if (strcmp(argv[1], "own_signal") == 0)
		signal(SIGUSR2, own_handler);
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	five_calls();
	file = argv[argc - 1];
	end(argv[1]);
	MPI_Finalize();
	if (strcmp(argv[1], "asked_late") == 0)
		kill(getpid(), SIGUSR2);
	if (strcmp(argv[1], "segv_late") == 0)
		*(volatile int *)NULL = 0;
	return 11;
}
