/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * A pipeline.  Rank 0 prepares a block of items and broadcasts it.  Each rank
 * works on its items, of which rank 0 has half as many as the others, and rank
 * 0 gets their results by a reduction.  Then it prepares the next block before
 * it takes the results of this one.
 *
 * The results have the same bits on any number of ranks.
 */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#include "benchmarks/lib/kernel.h"

static const char help[] =
	"usage: pipeline VARIANT [ITEMS] [BLOCKS]\n"
	"Work on as many BLOCKS (100) of ITEMS (65536).  Prints the seconds it "
	"took\n"
	"and a check value.\n"
	"blocking: MPI_Bcast and MPI_Reduce; nonblocking: MPI_Ibcast and "
	"MPI_Ireduce,\n"
	"waited for where their buffers are used.\n";

enum { PREPARE = 4, WORK = 12 }; /* rounds for an item */

static int items = 65536;
static int rank;
static int low; /* this rank's items */
static int high;
static double *block;
static double *part;
static double *sum;
static double *taken;

static double rounds(double value, int n)
{
	for (int i = 0; i < n; i++)
		value = value / (1 + value * value) + 0.5;
	return value;
}

static void prepare(int number)
{
	for (int i = 0; i < items; i++)
		block[i] = rounds((i + number) % 11, PREPARE);
}

static void work(void)
{
	for (int i = low; i < high; i++)
		part[i] = rounds(block[i], WORK);
}

static void take(void)
{
	for (int i = 0; i < items; i++)
		taken[i] = taken[i] / 2 + sum[i];
}

static void run_blocking(int blocks)
{
	if (rank == 0)
		prepare(0);
	for (int i = 0; i < blocks; i++) {
		MPI_Bcast(block, items, MPI_DOUBLE, 0, MPI_COMM_WORLD);
		work();
		MPI_Reduce(part, sum, items, MPI_DOUBLE, MPI_SUM, 0,
			   MPI_COMM_WORLD);
		if (rank)
			continue;
		prepare(i + 1);
		take();
	}
}

/* Rank 0 waits where it writes the block, the others where they read it. */
static void run_nonblocking(int blocks)
{
	MPI_Request cast;
	MPI_Request reduction = MPI_REQUEST_NULL;

	if (rank == 0)
		prepare(0);
	for (int i = 0; i < blocks; i++) {
		MPI_Ibcast(block, items, MPI_DOUBLE, 0, MPI_COMM_WORLD, &cast);
		if (rank) {
			MPI_Wait(&cast, MPI_STATUS_IGNORE);
			MPI_Wait(&reduction, MPI_STATUS_IGNORE);
		}
		work();
		MPI_Ireduce(part, sum, items, MPI_DOUBLE, MPI_SUM, 0,
			    MPI_COMM_WORLD, &reduction);
		if (rank)
			continue;
		MPI_Wait(&cast, MPI_STATUS_IGNORE);
		prepare(i + 1);
		MPI_Wait(&reduction, MPI_STATUS_IGNORE);
		take();
	}
	MPI_Wait(&reduction, MPI_STATUS_IGNORE);
}

/* Shares of two, and of one for rank 0. */
static void cut(void)
{
	int size;

	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	low = rank ? kernel_first(items, 2 * rank - 1, 2 * size - 1) : 0;
	high = kernel_first(items, 2 * rank + 1, 2 * size - 1);
}

static void make(void)
{
	block = kernel_room((uint64_t)items, sizeof(*block));
	part = kernel_room((uint64_t)items, sizeof(*part));
	sum = kernel_room((uint64_t)items, sizeof(*sum));
	taken = kernel_room((uint64_t)items, sizeof(*taken));
}

static uint64_t check(void)
{
	uint64_t all = 0;

	for (int i = 0; i < items && rank == 0; i++)
		all += kernel_hash((uint64_t)i, taken[i]);
	return all;
}

static void end(void)
{
	free(block);
	free(part);
	free(sum);
	free(taken);
}

static void (*variant(const char *name))(int blocks)
{
	if (strcmp(name, "blocking") == 0)
		return run_blocking;
	if (strcmp(name, "nonblocking") == 0)
		return run_nonblocking;
	kernel_wrong("VARIANT is blocking or nonblocking, not", name);
	return NULL;
}

static int start(int argc, char **argv)
{
	void (*run)(int blocks);
	int blocks = 100;
	double begin;

	if (kernel_help(argc, argv, help))
		return 0;
	run = variant(argc > 1 ? argv[1] : "");
	if (!run || !kernel_number(argc, argv, 2, "ITEMS", 100000000, &items) ||
	    !kernel_number(argc, argv, 3, "BLOCKS", 1000000, &blocks))
		return 2;
	if (argc > 4 && !kernel_wrong("an argument too many:", argv[4]))
		return 2;
	cut();
	make();
	begin = kernel_now();
	run(blocks);
	kernel_result(kernel_now() - begin, check());
	end();
	return 0;
}

int main(int argc, char **argv)
{
	int status;

	MPI_Init(&argc, &argv);
	status = start(argc, argv);
	MPI_Finalize();
	return status;
}
