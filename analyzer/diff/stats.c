/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Medians, the Mann-Whitney test, and a bootstrap interval of a ratio.
 */
#include <errno.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_rng.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/mem.h"
#include "analyzer/diff/stats.h"

/* Up to this size all counts of arrangements are exact in a double. */
#define EXACT_MAX 25
#define RESAMPLES 4000
#define SEED      20030101

static double *copy_of(const double *values, size_t n)
{
	double *copy = mem_alloc(n, sizeof(*copy));

	memcpy(copy, values, n * sizeof(*copy));
	return copy;
}

static double median_in_place(double *values, size_t n)
{
	gsl_sort(values, 1, n);
	return gsl_stats_median_from_sorted_data(values, 1, n);
}

double stats_median(const double *values, size_t n)
{
	double *copy = copy_of(values, n);
	const double median = median_in_place(copy, n);

	free(copy);
	return median;
}

/* The number of pairs in which b is less; a tie counts half. */
static double pairs_less(const double *a, size_t n_a, const double *b,
			 size_t n_b)
{
	double u = 0;

	for (size_t i = 0; i < n_a; i++)
		for (size_t j = 0; j < n_b; j++)
			u += b[j] < a[i] ? 1 : b[j] > a[i] ? 0 : 0.5;
	return u;
}

/* The sum of t^3 - t over all groups of t equal values in both samples. */
static double tie_sum(const double *a, size_t n_a, const double *b, size_t n_b)
{
	const size_t n = n_a + n_b;
	double *all = mem_alloc(n, sizeof(*all));
	double sum = 0;
	size_t first = 0;

	memcpy(all, a, n_a * sizeof(*all));
	memcpy(all + n_a, b, n_b * sizeof(*all));
	gsl_sort(all, 1, n);
	for (size_t i = 1; i <= n; i++) {
		const double t = (double)(i - first);

		if (i < n && all[i] <= all[first])
			continue;
		sum += t * t * t - t;
		first = i;
	}
	free(all);
	return sum;
}

/*
 * Counts the arrangements for each u.  They are the coefficients of the product
 * of (1 - q^(m+i)) / (1 - q^i) for i up to n, multiplied out factor by factor.
 */
static void count_arrangements(double *counts, size_t n, size_t m)
{
	const size_t most = n * m;

	counts[0] = 1;
	for (size_t i = 1; i <= n; i++) {
		for (size_t u = most; u >= m + i && u > 0; u--)
			counts[u] -= counts[u - m - i];
		for (size_t u = i; u <= most; u++)
			counts[u] += counts[u - i];
	}
}

static double exact_p(double u, size_t n, size_t m)
{
	double *counts = mem_alloc(n * m + 1, sizeof(*counts));
	double all = 0;
	double tail = 0;

	count_arrangements(counts, n, m);
	for (size_t i = 0; i <= n * m; i++) {
		all += counts[i];
		if ((double)i <= u)
			tail += counts[i];
	}
	free(counts);
	return 2 * tail / all;
}

static double normal_p(double u, size_t n, size_t m, double ties)
{
	const double pairs = (double)n * (double)m;
	const double all = (double)(n + m);
	const double variance = pairs / 12 *
				(all + 1 - ties / (all * (all - 1)));
	const double off = pairs / 2 - u - 0.5;

	if (variance <= 0 || off <= 0)
		return 1;
	return 2 * gsl_cdf_ugaussian_Q(off / sqrt(variance));
}

double stats_least_p(size_t n_a, size_t n_b)
{
	double p = 2;

	for (size_t i = 1; i <= n_a; i++)
		p *= (double)i / (double)(n_b + i);
	return fmin(p, 1);
}

double stats_mann_whitney(const double *a, size_t n_a, const double *b,
			  size_t n_b)
{
	const double ties = tie_sum(a, n_a, b, n_b);
	const double less = pairs_less(a, n_a, b, n_b);
	const double u = fmin(less, (double)n_a * (double)n_b - less);
	const bool exact = ties <= 0 && n_a <= EXACT_MAX && n_b <= EXACT_MAX;
	const double p = exact ? exact_p(u, n_a, n_b)
			       : normal_p(u, n_a, n_b, ties);

	return fmin(1, fmax(p, stats_least_p(n_a, n_b)));
}

static double resampled_median(gsl_rng *rng, const double *values, size_t n,
			       double *scratch)
{
	for (size_t i = 0; i < n; i++)
		scratch[i] = values[gsl_rng_uniform_int(rng, n)];
	return median_in_place(scratch, n);
}

static bool all_positive(const double *values, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (values[i] <= 0)
			return false;
	return true;
}

int stats_ratio(const double *a, size_t n_a, const double *b, size_t n_b,
		double *low, double *high)
{
	double *scratch = mem_alloc(n_a > n_b ? n_a : n_b, sizeof(*scratch));
	double *ratios = mem_alloc(RESAMPLES, sizeof(*ratios));
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
	int rc = all_positive(a, n_a) ? 0 : -EDOM;

	if (rc != 0)
		goto out;
	gsl_rng_set(rng, SEED);
	for (size_t i = 0; i < RESAMPLES; i++) {
		const double of_a = resampled_median(rng, a, n_a, scratch);

		ratios[i] = resampled_median(rng, b, n_b, scratch) / of_a;
	}
	gsl_sort(ratios, 1, RESAMPLES);
	*low = gsl_stats_quantile_from_sorted_data(ratios, 1, RESAMPLES, 0.025);
	*high = gsl_stats_quantile_from_sorted_data(ratios, 1, RESAMPLES,
						    0.975);
out:
	gsl_rng_free(rng);
	free(ratios);
	free(scratch);
	return rc;
}
