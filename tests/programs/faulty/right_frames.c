/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Buffers in a function's frame that are of inner scopes, or have no name.  The
 * compiler may put them where a variable lies that is not used yet, at -O2.
 */
#include "faulty.h"

#pragma GCC optimize("O2")

static void inner_first(void)
{
	int counts[4];
	int one;

	if (size > 1) {
		double real = size;

		MPI_Bcast(&real, 1, MPI_DOUBLE, 0, comm);
	}
	one = size;
	MPI_Bcast(&one, 1, MPI_INT, 0, comm);
	MPI_Bcast(counts, 4, MPI_INT, 0, comm);
}

static void literal_first(void)
{
	int counts[2];
	int one;

	if (size > 1) {
		MPI_Bcast(&(double){ size }, 1, MPI_DOUBLE, 0, comm);
	}
	if (size > 1) {
		MPI_Bcast((double[]){ size, size, 3 }, 3, MPI_DOUBLE, 0, comm);
	}
	one = size;
	MPI_Bcast(&one, 1, MPI_INT, 0, comm);
	MPI_Bcast(counts, 2, MPI_INT, 0, comm);
}

static inline void cast(double *value)
{
	MPI_Bcast(value, 1, MPI_DOUBLE, 0, comm);
}

/* In the one call and in the other, a name stands for another variable. */
static void one_name_for_two(void)
{
	int value[4];

	if (size > 1) {
		double of_own = size;

		cast(&of_own);
	}
	if (size > 1) {
		double value[1] = { size };

		MPI_Bcast(value, 1, MPI_DOUBLE, 0, comm);
	}
	MPI_Bcast(value, 4, MPI_INT, 0, comm);
}

const struct faulty right_frames[] = {
	CASE(inner_first, 2),
	CASE(literal_first, 2),
	CASE(one_name_for_two, 2),
	{ 0 },
};
