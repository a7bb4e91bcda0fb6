/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The cost of the core primitives over MPI (libbcs/core/fabric_net.h).  Prints
 * microseconds of a compare-and-write over all members, by the first, which
 * keeps the order, and by the last.  Then of a transfer by the first to all
 * with an event at each, and its MB/s, all destinations counted.  Last of
 * MPI_Allreduce, a tree in which all take part.  The other members wait for an
 * event meanwhile.
 */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "libbcs/core/fabric_net.h"
#include "primitives_do.h"

#define USAGE     "usage: primitives_net BYTES\n"
#define OVER      128
#define STRETCHES 40 /* of MPI_Allreduce */

static int rank;
static int n;
static struct primitives all;

static int allreduce(const struct primitives *p)
{
	int64_t mine = rank;
	int64_t least;

	(void)p;
	return MPI_Allreduce(&mine, &least, 1, MPI_INT64_T, MPI_MIN,
			     MPI_COMM_WORLD);
}

/* All members run as many calls, since all take part. */
static double measure_allreduce(void)
{
	double least = HUGE_VAL;

	for (int i = 0; i < STRETCHES; i++)
		least = fmin(least, primitives_stretch(&all, allreduce));
	return least;
}

static void over(void)
{
	const struct core_xfer xfer = { .local_event = CORE_NO_EVENT,
					.remote_event = OVER };

	core_xfer_and_signal(all.fabric, &all.all, &xfer);
}

/* One member measures, and the others are there. */
static double measure_by(int member, primitive *operation)
{
	double us = 0;

	if (rank == member) {
		us = primitives_measure(&all, operation);
		if (us < 0) {
			fputs("primitives_net: an operation failed\n", stderr);
			MPI_Abort(MPI_COMM_WORLD, 1);
		}
		over();
	}
	core_test_event(all.fabric, OVER, CORE_FOREVER);
	MPI_Bcast(&us, 1, MPI_DOUBLE, member, MPI_COMM_WORLD);
	return us;
}

static void run(void)
{
	const double first = measure_by(0, primitives_compare_and_write);
	const double last = measure_by(n - 1, primitives_compare_and_write);
	const double moved = measure_by(0, primitives_transfer);
	const double tree = measure_allreduce();

	if (rank == 0)
		printf("%d %.3f %.3f %.3f %.0f %.3f\n", n, first, last, moved,
		       (double)all.bytes * n / moved, tree);
}

int main(int argc, char **argv)
{
	uint64_t bytes = 0;
	int level;

	MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &n);
	if (argc == 2)
		bytes = strtoull(argv[1], NULL, 10);
	if (bytes < 1 || bytes > PRIMITIVES_BYTES_MOST) {
		fputs(USAGE, stderr);
		MPI_Abort(MPI_COMM_WORLD, 2);
	}
	if (primitives_init(&all, (uint32_t)n, bytes) != 0 ||
	    fabric_net_start(&all.fabric, MPI_COMM_WORLD, PRIMITIVES_GLOBAL) !=
		    0) {
		fputs("primitives_net: no memory\n", stderr);
		MPI_Abort(MPI_COMM_WORLD, 1);
	}
	run();
	fabric_net_stop(all.fabric);
	primitives_clear(&all);
	MPI_Finalize();
	return 0;
}
