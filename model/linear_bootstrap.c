/* SPDX-License-Identifier: BSD-3-Clause */

/* Intervals of a line's coefficients by the bootstrap. */
#include <errno.h>
#include <gsl/gsl_rng.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <stdlib.h>

#include "model/linear_bootstrap.h"

#define RESAMPLES       400
#define RESAMPLES_LEAST 100
/* From this many points on, fewer lines are resampled. */
#define POINTS_MANY 1000
#define SEED        20150906

struct bootstrap {
	gsl_rng *rng;
	double *x;
	double *y;
	double *t;
	double *k;
	size_t n; /* lines resampled so far */
};

static int resample(struct bootstrap *b, enum linear_by by, const double *x,
		    const double *y, size_t n)
{
	struct linear line;
	size_t from;
	int rc;

	for (size_t i = 0; i < n; i++) {
		from = gsl_rng_uniform_int(b->rng, n);
		b->x[i] = x[from];
		b->y[i] = y[from];
	}
	rc = linear_fit(by, b->x, b->y, n, &line);
	if (rc == -EDOM)
		return 0; /* all points have one x: draw again */
	if (rc != 0)
		return rc;
	b->t[b->n] = line.t;
	b->k[b->n++] = line.k;
	return 0;
}

static size_t resamples_of(size_t n)
{
	if (n <= POINTS_MANY)
		return RESAMPLES;
	n = (size_t)RESAMPLES * POINTS_MANY / n;
	return n < RESAMPLES_LEAST ? RESAMPLES_LEAST : n;
}

static void interval(double *values, size_t n, double *low, double *high)
{
	const double tail = (1 - LINEAR_LEVEL) / 2;

	gsl_sort(values, 1, n);
	*low = gsl_stats_quantile_from_sorted_data(values, 1, n, tail);
	*high = gsl_stats_quantile_from_sorted_data(values, 1, n, 1 - tail);
}

int linear_bootstrap(enum linear_by by, const double *x, const double *y,
		     size_t n, struct linear *line)
{
	struct bootstrap b = { .rng = gsl_rng_alloc(gsl_rng_mt19937),
			       .x = malloc(n * sizeof(double)),
			       .y = malloc(n * sizeof(double)),
			       .t = malloc(RESAMPLES * sizeof(double)),
			       .k = malloc(RESAMPLES * sizeof(double)) };
	const size_t resamples = resamples_of(n);
	int rc = b.rng && b.x && b.y && b.t && b.k ? 0 : -ENOMEM;

	if (rc == 0)
		gsl_rng_set(b.rng, SEED);
	for (size_t i = 0; rc == 0 && i < resamples; i++)
		rc = resample(&b, by, x, y, n);
	if (rc == 0 && b.n > resamples / 2) {
		interval(b.t, b.n, &line->t_low, &line->t_high);
		interval(b.k, b.n, &line->k_low, &line->k_high);
	}
	if (b.rng)
		gsl_rng_free(b.rng);
	free(b.x);
	free(b.y);
	free(b.t);
	free(b.k);
	return rc;
}
