/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_LINEAR_BOOTSTRAP_H
#define BCS_LINEAR_BOOTSTRAP_H

#include "model/linear.h"

/* The intervals by resampling of points; the same for the same values. */
int linear_bootstrap(enum linear_by by, const double *x, const double *y,
		     size_t n, struct linear *line);

#endif
