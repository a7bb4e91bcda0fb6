/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * What the core primitives cost over MPI (libbcs/fabric_net.h): microseconds of
 * a compare-and-write over all members by the first, which keeps the order, and
 * by the last; of a transfer of so many bytes to all by the first, with an
 * event at each, and MB/s of that, all destinations counted; and of
 * MPI_Allreduce, a tree in which all take part.  The other members wait for an
 * event meanwhile.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "libbcs/core.h"
#include "libbcs/fabric_net.h"

#define USAGE    "usage: primitives_net BYTES\n"
#define GLOBAL   (1u << 20)
#define SECONDS  0.3
#define VARIABLE 0
#define EVENT    64
#define OVER     128
#define BLOCK    4096
#define BATCH    16
#define BATCHES  40 /* of MPI_Allreduce */

static int rank;
static int n;
static struct fabric *fabric;
static struct core_set all;
static unsigned char *block;
static uint64_t bytes;

static int compare_and_write(void)
{
	const struct core_condition condition = { VARIABLE, CORE_GE, 0 };
	const struct core_assignment assignment = { VARIABLE, 1 };
	bool holds = false;
	const int rc = core_compare_and_write(fabric, &all, &condition,
					      &assignment, &holds);

	return rc == 0 && !holds ? -1 : rc;
}

static int transfer(void)
{
	const struct core_xfer xfer = { .offset = BLOCK,
					.block = block,
					.bytes = bytes,
					.local_event = CORE_NO_EVENT,
					.remote_event = EVENT };

	return core_xfer_and_signal(fabric, &all, &xfer);
}

static int allreduce(void)
{
	int64_t mine = rank;
	int64_t least;

	return MPI_Allreduce(&mine, &least, 1, MPI_INT64_T, MPI_MIN,
			     MPI_COMM_WORLD);
}

/* Seconds. */
static double batch(int (*operation)(void))
{
	const double start = MPI_Wtime();

	for (int i = 0; i < BATCH; i++) {
		if (operation() != 0) {
			fputs("primitives_net: an operation failed\n", stderr);
			MPI_Abort(MPI_COMM_WORLD, 1);
		}
	}
	return MPI_Wtime() - start;
}

/* Microseconds; the least of several stretches, for others share the cores. */
static double measure(int (*operation)(void))
{
	const double end = MPI_Wtime() + SECONDS;
	double least = 1e9;

	do {
		const double seconds = batch(operation);

		if (seconds < least)
			least = seconds;
	} while (MPI_Wtime() < end);
	return least / BATCH * 1e6;
}

static double measure_allreduce(void)
{
	double least = 1e9;

	for (int i = 0; i < BATCHES; i++) {
		const double seconds = batch(allreduce);

		if (seconds < least)
			least = seconds;
	}
	return least / BATCH * 1e6;
}

static void over(void)
{
	const struct core_xfer xfer = { .local_event = CORE_NO_EVENT,
					.remote_event = OVER };

	core_xfer_and_signal(fabric, &all, &xfer);
}

/* One member measures, and the others are there. */
static double measure_by(int member, int (*operation)(void))
{
	double us = 0;

	if (rank == member) {
		us = measure(operation);
		over();
	}
	core_test_event(fabric, OVER, CORE_FOREVER);
	MPI_Bcast(&us, 1, MPI_DOUBLE, member, MPI_COMM_WORLD);
	return us;
}

static void run(void)
{
	const double first = measure_by(0, compare_and_write);
	const double last = measure_by(n - 1, compare_and_write);
	const double moved = measure_by(0, transfer);
	const double tree = measure_allreduce();

	if (rank == 0)
		printf("%d %.3f %.3f %.3f %.0f %.3f\n", n, first, last, moved,
		       (double)bytes * n / moved, tree);
}

static int start(void)
{
	all = (struct core_set){ calloc(CORE_SET_WORDS(n), 8), (uint32_t)n };
	block = calloc(1, bytes);
	if (!all.words || !block)
		return -1;
	core_set_fill(&all);
	return fabric_net_start(&fabric, MPI_COMM_WORLD, GLOBAL);
}

int main(int argc, char **argv)
{
	int level;

	MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &n);
	if (argc == 2)
		bytes = strtoull(argv[1], NULL, 10);
	if (bytes < 1 || bytes > GLOBAL - BLOCK) {
		fputs(USAGE, stderr);
		MPI_Abort(MPI_COMM_WORLD, 2);
	}
	if (start() != 0) {
		fputs("primitives_net: no memory\n", stderr);
		MPI_Abort(MPI_COMM_WORLD, 1);
	}
	run();
	fabric_net_stop(fabric);
	free(all.words);
	free(block);
	MPI_Finalize();
	return 0;
}
