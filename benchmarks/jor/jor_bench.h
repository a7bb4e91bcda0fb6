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

#endif
