/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef JOR_RUN_H
#define JOR_RUN_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "jor_layout.h"
#include "jor_slow.h"

/* Runs of jor's solver.  All processes of `comm` call these alike; its order is
 * that of the layout's parts. */
struct run {
	MPI_Comm comm;
	struct layout layout;
	int period;   /* iterations from one exchange between the sites on */
	bool overlap; /* the inside is computed while edges are on their way */
	const struct slow *slow;
};

struct run_result {
	double seconds;
	double busy[2]; /* what the slowest of each site computed, and idled */
	uint64_t check;
};

/* The error that ends it, of 1 at first. */
#define RUN_ERROR 0.1

/*
 * How many iterations it takes until the error is small enough, which is looked
 * at after each period; nothing is slowed.
 */
int run_count(const struct run *run, uint64_t *check);

/* So many iterations, without a look at the error. */
struct run_result run_time(const struct run *run, int iterations);

#endif
