/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * All ranks compute on one core at once, 200 ms of it each.  Each prints "rank
 * NS": the time that it had no core meanwhile.
 */
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <time.h>

#include <mpi.h>

#define COMPUTED_NS 200000000

static long long now(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static void take_first_core(void)
{
	cpu_set_t set;
	int core = 0;

	sched_getaffinity(0, sizeof(set), &set);
	while (!CPU_ISSET(core, &set))
		core++;
	CPU_ZERO(&set);
	CPU_SET(core, &set);
	sched_setaffinity(0, sizeof(set), &set);
}

int main(int argc, char **argv)
{
	long long since;
	long long computed;
	int rank;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	take_first_core();
	MPI_Barrier(MPI_COMM_WORLD);
	since = now(CLOCK_MONOTONIC);
	computed = now(CLOCK_THREAD_CPUTIME_ID);
	while (now(CLOCK_THREAD_CPUTIME_ID) - computed < COMPUTED_NS)
		;
	printf("%d %lld\n", rank, now(CLOCK_MONOTONIC) - since - COMPUTED_NS);
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Finalize();
	return 0;
}
