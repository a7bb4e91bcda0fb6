/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_STATS_H
#define BCS_STATS_H

#include <stddef.h>

/*
 * Statistics of a few repeated measurements.  Samples are not empty, and are
 * not changed.
 */
#define STATS_LEVEL 0.05 /* a difference with a smaller p stands out */

double stats_median(const double *values, size_t n);

/*
 * The two-sided p of the Mann-Whitney test.  Exact for small samples without
 * ties.  Otherwise it uses the normal approximation, corrected for ties and
 * continuity.  Never less than stats_least_p.
 */
double stats_mann_whitney(const double *a, size_t n_a, const double *b,
			  size_t n_b);

/* The least possible p for samples of these sizes. */
double stats_least_p(size_t n_a, size_t n_b);

/*
 * The 95 % interval of the ratio of medians, b to a, by bootstrap percentiles.
 * Equal samples give equal intervals.  Returns 0, or -EDOM if a value of `a` is
 * not positive.
 */
int stats_ratio(const double *a, size_t n_a, const double *b, size_t n_b,
		double *low, double *high);

#endif
