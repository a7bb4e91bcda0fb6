/* SPDX-License-Identifier: BSD-3-Clause */

/* Fits a line by least squares or by relative error. */
#include <errno.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_fit.h>
#include <gsl/gsl_min.h>
#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>

#include "model/linear.h"

#define STEPS    200
#define CLOSE    1e-9
#define WIDENING 60

static bool has_two(const double *x, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (x[i] < x[0] || x[i] > x[0])
			return true;
	return false;
}

static int fit_squares(bool relative, const double *x, const double *y,
		       size_t n, struct linear *line)
{
	double *weights = malloc(n * sizeof(*weights));
	double c[3];
	double sum;

	if (!weights)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		weights[i] = relative ? 1 / (y[i] * y[i]) : 1;
	gsl_fit_wlinear(x, 1, weights, 1, y, 1, n, &line->t, &line->k, &c[0],
			&c[1], &c[2], &sum);
	free(weights);
	return 0;
}

/*
 * For a given k the best t is the weighted median of y - k x.  The remaining
 * error is a convex function of k.  A minimum lies between any three values of
 * k whose middle one has the lowest error.
 */
struct percent {
	const double *x;
	const double *y;
	size_t n;
	double *rest;
	size_t *order;
	double t; /* the best t for the k tried last */
};

static void weighted_median(struct percent *of, double k)
{
	double all = 0;
	double sum = 0;
	size_t i;

	for (i = 0; i < of->n; i++) {
		of->rest[i] = of->y[i] - k * of->x[i];
		all += 1 / of->y[i];
	}
	gsl_sort_index(of->order, of->rest, 1, of->n);
	for (i = 0; i < of->n && sum < all / 2; i++)
		sum += 1 / of->y[of->order[i]];
	of->t = of->rest[of->order[i - 1]];
}

static double mean_percentage(double k, void *argument)
{
	struct percent *of = argument;
	double sum = 0;

	weighted_median(of, k);
	for (size_t i = 0; i < of->n; i++)
		sum += fabs(of->rest[i] - of->t) / of->y[i];
	return sum;
}

/* Steps away from `k`, doubling the step, until the error rises. */
static double widen(struct percent *of, double k, double step)
{
	const double middle = mean_percentage(k, of);

	for (int i = 0; i < WIDENING; i++, step *= 2)
		if (mean_percentage(k + step, of) > middle)
			return k + step;
	return k;
}

static double least(struct percent *of, double k, double low, double high)
{
	gsl_min_fminimizer *search = gsl_min_fminimizer_alloc(
		gsl_min_fminimizer_goldensection);
	gsl_function function = { mean_percentage, of };
	gsl_error_handler_t *handler = gsl_set_error_handler_off();
	int rc = search ? gsl_min_fminimizer_set(search, &function, k, low,
						 high)
			: GSL_ENOMEM;

	for (int i = 0; rc == 0 && i < STEPS; i++) {
		rc = gsl_min_fminimizer_iterate(search);
		k = gsl_min_fminimizer_x_minimum(search);
		low = gsl_min_fminimizer_x_lower(search);
		high = gsl_min_fminimizer_x_upper(search);
		if (high - low <= CLOSE * fabs(k))
			break;
	}
	gsl_set_error_handler(handler);
	gsl_min_fminimizer_free(search);
	return k;
}

static int fit_percent(const double *x, const double *y, size_t n,
		       struct linear *line)
{
	struct percent of = { x, y, n, NULL, NULL, 0 };
	struct linear start;
	double step;
	int rc;

	of.rest = malloc(n * sizeof(*of.rest));
	of.order = malloc(n * sizeof(*of.order));
	rc = of.rest && of.order ? fit_squares(true, x, y, n, &start) : -ENOMEM;
	if (rc == 0) {
		step = fabs(start.k) > 0 ? fabs(start.k) / 16 : 1e-12;
		line->k = least(&of, start.k, widen(&of, start.k, -step),
				widen(&of, start.k, step));
		weighted_median(&of, line->k);
		line->t = of.t;
	}
	free(of.rest);
	free(of.order);
	return rc;
}

int linear_fit(enum linear_by by, const double *x, const double *y, size_t n,
	       struct linear *line)
{
	if (!has_two(x, n))
		return -EDOM;
	if (by == LINEAR_PERCENT)
		return fit_percent(x, y, n, line);
	return fit_squares(by == LINEAR_RELATIVE, x, y, n, line);
}
