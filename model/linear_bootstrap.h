/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_LINEAR_BOOTSTRAP_H
#define BCS_LINEAR_BOOTSTRAP_H

#include "model/linear.h"

/* The intervals of a line by resampling its points.  The random numbers have a
 * fixed seed, so the same values give the same intervals. */
int linear_bootstrap(enum linear_by by, const double *x, const double *y,
		     size_t n, struct linear *line);

#endif
