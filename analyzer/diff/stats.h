/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_STATS_H
#define BCS_STATS_H

#include <stddef.h>

/*
 * What a few repeated measurements allow to say.  No sample is empty, and none
 * is changed.
 */
#define STATS_LEVEL 0.05 /* a difference with less than this stands out */

double stats_median(const double *values, size_t n);

/*
 * The two-sided p of Mann and Whitney's test whether samples differ.  It is
 * exact for small samples without ties, else by the normal approximation with
 * ties and continuity corrected; never less than stats_least_p.
 */
double stats_mann_whitney(const double *a, size_t n_a, const double *b,
			  size_t n_b);

/* The least p that samples of these sizes can have at all. */
double stats_least_p(size_t n_a, size_t n_b);

/*
 * The 95 % interval of the ratio of medians, b's to a's, by the bootstrap's
 * percentiles.  The same samples have the same interval.  Returns 0, or -EDOM
 * if a value of `a` is not positive.
 */
int stats_ratio(const double *a, size_t n_a, const double *b, size_t n_b,
		double *low, double *high);

#endif
