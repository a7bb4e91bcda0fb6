/* SPDX-License-Identifier: BSD-3-Clause */

/* Intervals of a line's coefficients: by Student's t, or by the bootstrap. */
#include <gsl/gsl_cdf.h>
#include <math.h>

#include "model/linear.h"
#include "model/linear_bootstrap.h"

/*
 * HC3 estimates the deviation of a point as its residual divided by one minus
 * its leverage.  With x centred, the covariance matrix is diagonal.
 */
static void student(const double *x, const double *y, size_t n,
		    struct linear *line)
{
	const double each = gsl_cdf_tdist_Qinv((1 - LINEAR_LEVEL) / 2,
					       (double)n - 2);
	double mean = 0;
	double square = 0;
	double t = 0;
	double k = 0;

	for (size_t i = 0; i < n; i++)
		mean += x[i] / (double)n;
	for (size_t i = 0; i < n; i++)
		square += (x[i] - mean) * (x[i] - mean);
	for (size_t i = 0; i < n; i++) {
		const double off = (x[i] - mean) / square;
		const double leverage = 1 / (double)n + off * (x[i] - mean);
		const double rest = (y[i] - line->t - line->k * x[i]) /
				    fmax(1 - leverage, 1e-6);

		t += pow((1 / (double)n - off * mean) * rest, 2);
		k += pow(off * rest, 2);
	}
	line->t_low = line->t - each * sqrt(t);
	line->t_high = line->t + each * sqrt(t);
	line->k_low = line->k - each * sqrt(k);
	line->k_high = line->k + each * sqrt(k);
}

int linear_interval(enum linear_by by, const double *x, const double *y,
		    size_t n, struct linear *line)
{
	line->t_low = line->k_low = -INFINITY;
	line->t_high = line->k_high = INFINITY;
	if (n < 3)
		return 0;
	if (by != LINEAR_SQUARES)
		return linear_bootstrap(by, x, y, n, line);
	student(x, y, n, line);
	return 0;
}
