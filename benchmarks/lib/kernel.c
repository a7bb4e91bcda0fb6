/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The programs that stand for an application share this: arguments, time, check
 * sum, errors.
 */
#include "kernel.h"

#include <errno.h>
#include <inttypes.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool kernel_speaks(void)
{
	int rank;

	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	return rank == 0;
}

bool kernel_help(int argc, char **argv, const char *help)
{
	if (argc != 2 || strcmp(argv[1], "--help") != 0)
		return false;
	if (kernel_speaks())
		fputs(help, stdout);
	return true;
}

bool kernel_wrong(const char *what, const char *argument)
{
	if (kernel_speaks())
		fprintf(stderr, "%s: %s '%s'; see --help\n",
			program_invocation_short_name, what, argument);
	return false;
}

bool kernel_number(int argc, char **argv, int at, const char *what, int most,
		   int *value)
{
	char range[80];
	char *end;
	long number;

	if (at >= argc)
		return true;
	number = strtol(argv[at], &end, 10);
	if (end == argv[at] || *end || number < 1 || number > most) {
		snprintf(range, sizeof(range),
			 "%s is a number from 1 to %d, not", what, most);
		return kernel_wrong(range, argv[at]);
	}
	*value = (int)number;
	return true;
}

void *kernel_room(uint64_t count, uint64_t size)
{
	void *memory = calloc(count + 1, size);

	if (!memory) {
		fprintf(stderr, "%s: no memory\n",
			program_invocation_short_name);
		MPI_Abort(MPI_COMM_WORLD, 1);
	}
	return memory;
}

double kernel_now(void)
{
	MPI_Barrier(MPI_COMM_WORLD);
	return MPI_Wtime();
}

int kernel_first(int n, int rank, int ranks)
{
	return (int)((int64_t)n * rank / ranks);
}

/* The end of splitmix64. */
static uint64_t mixed(uint64_t x)
{
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
	x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
	return x ^ (x >> 31);
}

uint64_t kernel_hash(uint64_t place, double value)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof(bits));
	return mixed(mixed(place + 1) + bits);
}

void kernel_result(double seconds, uint64_t check)
{
	uint64_t sum = 0;

	MPI_Reduce(&check, &sum, 1, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
	if (kernel_speaks())
		printf("%.6f %016" PRIx64 "\n", seconds, sum);
}
