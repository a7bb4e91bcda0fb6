/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_LINEAR_H
#define BCS_LINEAR_H

#include <stdbool.h>
#include <stddef.h>

/* y = t + k x, with an interval of each at LINEAR_LEVEL. */
struct linear {
	double t;
	double k;
	double t_low;
	double t_high;
	double k_low;
	double k_high;
};

#define LINEAR_LEVEL 0.95

/* The error that a fit minimizes. */
enum linear_by {
	LINEAR_SQUARES,  /* sum of squares */
	LINEAR_RELATIVE, /* sum of squares of errors relative to y */
	LINEAR_PERCENT,  /* mean of absolute errors relative to y */
};

/*
 * Fits a line; leaves the intervals alone.  Values of y must be above 0, except
 * by squares.  Returns -EDOM if there are not two different x.
 */
int linear_fit(enum linear_by by, const double *x, const double *y, size_t n,
	       struct linear *line);

/*
 * Computes the intervals of a fitted line; infinite if there are too few
 * points.  By squares, it uses Student's distribution and the covariance HC3,
 * which allows for noise that grows with y.  By percent, it uses the bootstrap,
 * with the same result for the same values.
 */
int linear_interval(enum linear_by by, const double *x, const double *y,
		    size_t n, struct linear *line);

#endif
