/* SPDX-License-Identifier: BSD-3-Clause */

/* Statistics of a sample: mean, median and intervals, by GSL. */
#include "sample.h"

#include <errno.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_rng.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define RESAMPLES 1000

double sample_mean(const double *samples, int n)
{
	return gsl_stats_mean(samples, 1, (size_t)n);
}

/* Two-sided: half of what is left out lies on each side. */
double sample_error(const double *samples, int n, double confidence)
{
	if (n < 2)
		return INFINITY;
	return gsl_cdf_tdist_Pinv((1 + confidence) / 2, n - 1) *
	       gsl_stats_sd(samples, 1, (size_t)n) / sqrt(n);
}

static double resampled(gsl_rng *rng, const double *sorted, size_t n,
			double *scratch)
{
	for (size_t i = 0; i < n; i++)
		scratch[i] = sorted[gsl_rng_uniform_int(rng, n)];
	return gsl_stats_median(scratch, 1, n);
}

static void interval(gsl_rng *rng, const double *sorted, size_t n, double *room,
		     double confidence, struct mpib_result *result)
{
	const double out = (1 - confidence) / 2;
	double *medians = room + n;

	for (int i = 0; i < RESAMPLES; i++)
		medians[i] = resampled(rng, sorted, n, room);
	gsl_sort(medians, 1, RESAMPLES);
	result->low = gsl_stats_quantile_from_sorted_data(medians, 1, RESAMPLES,
							  out);
	result->high = gsl_stats_quantile_from_sorted_data(medians, 1,
							   RESAMPLES, 1 - out);
}

static void describe(double *sorted, size_t n, struct mpib_result *result)
{
	gsl_sort(sorted, 1, n);
	result->median = gsl_stats_median_from_sorted_data(sorted, 1, n);
	result->least = sorted[0];
	result->most = sorted[n - 1];
}

int sample_median(const double *samples, int n, double confidence,
		  uint64_t seed, struct mpib_result *result)
{
	const size_t length = (size_t)n;
	double *room = malloc((2 * length + RESAMPLES) * sizeof(*room));
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
	int rc = -ENOMEM;

	if (!room || !rng)
		goto free_room;
	gsl_rng_set(rng, seed);
	memcpy(room, samples, length * sizeof(*room));
	describe(room, length, result);
	interval(rng, room, length, room + length, confidence, result);
	rc = 0;
free_room:
	if (rng)
		gsl_rng_free(rng);
	free(room);
	return rc;
}
