/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * usage: no_memory RANK N
 * In that rank the N-th allocation of the preload during MPI_Init fails; none
 * for N = 0.  Sums up and sends round, and tells how many there were.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t n, size_t bytes);
void *__libc_memalign(size_t alignment, size_t bytes);

static bool counts;
static bool asks; /* dladdr may allocate */
static int n_allocated;
static int failing;

static bool is_of_preload(void *caller)
{
	Dl_info info;
	bool found;

	asks = true;
	found = dladdr(caller, &info) && info.dli_fname &&
		strstr(info.dli_fname, "libbcs-pmpi");
	asks = false;
	return found;
}

static bool fails(void *caller)
{
	if (!counts || asks || !is_of_preload(caller))
		return false;
	if (++n_allocated != failing)
		return false;
	errno = ENOMEM;
	return true;
}

void *malloc(size_t bytes)
{
	return fails(__builtin_return_address(0)) ? NULL : __libc_malloc(bytes);
}

void *calloc(size_t n, size_t bytes)
{
	return fails(__builtin_return_address(0)) ? NULL
						  : __libc_calloc(n, bytes);
}

void *aligned_alloc(size_t alignment, size_t bytes)
{
	return fails(__builtin_return_address(0))
		       ? NULL
		       : __libc_memalign(alignment, bytes);
}

static bool goes_round(int rank, int size)
{
	const int next = (rank + 1) % size;
	const int last = (rank + size - 1) % size;
	int sum;
	int got;

	MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	MPI_Sendrecv(&rank, 1, MPI_INT, next, 0, &got, 1, MPI_INT, last, 0,
		     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	return sum == size * (size - 1) / 2 && got == last;
}

int main(int argc, char **argv)
{
	const char *rank_text = getenv("PMI_RANK");
	bool ok;
	int rank;
	int size;

	if (argc != 3 || !rank_text)
		return 2;
	if (atoi(rank_text) == atoi(argv[1]))
		failing = atoi(argv[2]);
	counts = true;
	MPI_Init(&argc, &argv);
	counts = false;
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	ok = goes_round(rank, size);
	if (rank == atoi(argv[1]))
		printf("%d\n", n_allocated);
	MPI_Finalize();
	return ok ? 0 : 1;
}
