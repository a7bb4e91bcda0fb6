/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_LINEAR_H
#define BCS_LINEAR_H

#include <stdbool.h>
#include <stddef.h>

/* y = t + k x; the interval of each at LINEAR_LEVEL. */
struct linear {
	double t;
	double k;
	double t_low;
	double t_high;
	double k_low;
	double k_high;
};

#define LINEAR_LEVEL 0.95

/* What is made least. */
enum linear_by {
	LINEAR_SQUARES,  /* the sum of squares */
	LINEAR_RELATIVE, /* the sum of squares of errors relative to y */
	LINEAR_PERCENT,  /* the mean of errors relative to y */
};

/*
 * Values of y are above 0 unless it is by squares.  -EDOM if there are not two
 * different x.  Intervals are left alone.
 */
int linear_fit(enum linear_by by, const double *x, const double *y, size_t n,
	       struct linear *line);

/*
 * The intervals of a line that was fitted: by squares after Student with the
 * covariance HC3, which allows for noise that grows with y; by percent by the
 * bootstrap, the same for the same values.  Infinite if there are too few.
 */
int linear_interval(enum linear_by by, const double *x, const double *y,
		    size_t n, struct linear *line);

#endif
