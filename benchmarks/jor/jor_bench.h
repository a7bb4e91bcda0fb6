/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef JOR_BENCH_H
#define JOR_BENCH_H

#include <mpi.h>

#include "jor_balance.h"
#include "jor_options.h"
#include "jor_run.h"
#include "jor_sites.h"

/* The procedure of jor: local runs, a transparent one, a series of periods. */

/* Runs that are alike, at all processes. */
struct bench_series {
	int rows[2];
	int period;
	int iterations;
	uint64_t check;  /* of what was counted */
	double *seconds; /* as many as repetitions */
	double *busy[2];
};

struct bench {
	const struct options *options;
	const struct sites *sites;
	struct slow slow;
	MPI_Comm all;
	MPI_Comm own;
	struct bench_series local[2][2]; /* of a site; on N and 2 N rows */
	struct bench_series transparent;
	struct bench_series balanced[OPTIONS_PERIODS_MOST];
	struct balance balance;
	int steps; /* runs in all */
	int done;
};

/* False if two runs had not the same bits, which has been said. */
bool bench_do(struct bench *bench);
void bench_free(struct bench *bench);

/*
 * The least of the repetitions: other load on the machine only adds to a time.
 */
double bench_least(const struct bench *bench, const double values[]);

/* The time of the best site alone for 2 N rows. */
double bench_alone(const struct bench *bench);

/*
 * The shortest period that cannot be told from the fastest.  Its fastest
 * repetition takes no longer than the fastest period's median one, or no longer
 * than its fastest one and this share.
 */
#define BENCH_NOISE 0.02

const struct bench_series *bench_best(const struct bench *bench);

#endif
