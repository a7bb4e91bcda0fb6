/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef JOR_BEST_H
#define JOR_BEST_H

#include "jor_bench.h"

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
