/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * usage: moments threads
 *        moments cores ROUNDS
 *
 * The first moments of a program.  `threads` prints how many threads it has
 * when the library first registers it with the kernel's membarrier().  `cores`
 * begins both ranks on one core, lets them go after MPI_Init, and checks their
 * masks.  It prints how many of at most ROUNDS ping-pongs they were on one
 * core.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <linux/membarrier.h>
#include <mpi.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

static int threads_then;

static int threads_count(void)
{
	DIR *tasks = opendir("/proc/self/task");
	struct dirent *task;
	int n = 0;

	while (tasks && (task = readdir(tasks)))
		n += task->d_name[0] != '.';
	if (tasks)
		closedir(tasks);
	return n;
}

/* Stands before libc's. */
long syscall(long number, ...)
{
	long (*real)(long number, ...);
	long arg[6];
	va_list args;

	va_start(args, number);
	for (int i = 0; i < 6; i++)
		arg[i] = va_arg(args, long);
	va_end(args);
	if (number == SYS_membarrier && !threads_then &&
	    arg[0] == MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED)
		threads_then = threads_count();
	*(void **)&real = dlsym(RTLD_NEXT, "syscall");
	return real(number, arg[0], arg[1], arg[2], arg[3], arg[4], arg[5]);
}

static int threads(void)
{
	MPI_Init(NULL, NULL);
	printf("%d\n", threads_then);
	return MPI_Finalize();
}

/* The first that the process may use. */
static void go_to_first(const cpu_set_t *mask)
{
	cpu_set_t first;
	size_t core = 0;

	while (!CPU_ISSET(core, mask))
		core++;
	CPU_ZERO(&first);
	CPU_SET(core, &first);
	sched_setaffinity(0, sizeof(first), &first);
}

/* Rank 1's core comes with its message. */
static int rounds_beside(int rank, int rounds)
{
	int core;
	int n = 0;

	do {
		core = sched_getcpu();
		if (rank == 1)
			MPI_Send(&core, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
		else
			MPI_Recv(&core, 1, MPI_INT, 1, 0, MPI_COMM_WORLD,
				 MPI_STATUS_IGNORE);
		core = core == sched_getcpu() && ++n < rounds;
		MPI_Bcast(&core, 1, MPI_INT, 0, MPI_COMM_WORLD);
	} while (core);
	return n;
}

static int cores(int rounds)
{
	cpu_set_t mask;
	cpu_set_t then;
	int rank;
	int n;

	MPI_Init(NULL, NULL);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	sched_getaffinity(0, sizeof(mask), &mask);
	go_to_first(&mask);
	MPI_Barrier(MPI_COMM_WORLD);
	sched_setaffinity(0, sizeof(mask), &mask);
	n = rounds_beside(rank, rounds);
	sched_getaffinity(0, sizeof(then), &then);
	if (!CPU_EQUAL(&mask, &then)) {
		fprintf(stderr, "rank %d has another mask\n", rank);
		MPI_Abort(MPI_COMM_WORLD, 3);
	}
	if (rank == 0)
		printf("%d\n", n);
	return MPI_Finalize();
}

int main(int argc, char **argv)
{
	if (argc == 2 && strcmp(argv[1], "threads") == 0)
		return threads();
	if (argc == 3 && strcmp(argv[1], "cores") == 0)
		return cores(atoi(argv[2]));
	return 2;
}
