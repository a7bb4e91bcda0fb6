/* SPDX-License-Identifier: BSD-3-Clause */

/* The best of what jor timed: repetitions, sites, periods. */
#include "jor_best.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "benchmarks/lib/kernel.h"
#include "benchmarks/lib/values.h"

double bench_least(const struct bench *bench, const double values[])
{
	double least = values[0];

	for (int i = 1; i < bench->options->repetitions; i++)
		least = fmin(least, values[i]);
	return least;
}

double bench_alone(const struct bench *bench)
{
	return fmin(bench_least(bench, bench->local[0][1].seconds),
		    bench_least(bench, bench->local[1][1].seconds));
}

static const struct bench_series *fastest(const struct bench *bench)
{
	const struct bench_series *fastest = &bench->balanced[0];

	for (int i = 1; i < bench->options->n_periods; i++)
		if (bench_least(bench, bench->balanced[i].seconds) <
		    bench_least(bench, fastest->seconds))
			fastest = &bench->balanced[i];
	return fastest;
}

static double median(const struct bench *bench, const double values[])
{
	const int n = bench->options->repetitions;
	double *sorted = kernel_room((uint64_t)n, sizeof(double));
	double middle;

	memcpy(sorted, values, (size_t)n * sizeof(double));
	middle = values_median(sorted, n);
	free(sorted);
	return middle;
}

const struct bench_series *bench_best(const struct bench *bench)
{
	const struct bench_series *best = fastest(bench);
	const double enough = fmax((1 + BENCH_NOISE) *
					   bench_least(bench, best->seconds),
				   median(bench, best->seconds));

	for (int i = 0; i < bench->options->n_periods; i++) {
		const struct bench_series *series = &bench->balanced[i];

		if (series->period < best->period &&
		    bench_least(bench, series->seconds) <= enough)
			best = series;
	}
	return best;
}
