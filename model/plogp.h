/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_PLOGP_H
#define BCS_PLOGP_H

#include <stddef.h>

#include "model/curve.h"

/*
 * PLogP (Kielmann, Bal and Verstoep, 2000) has a gap g(m) for each size m and
 * no formula.  A message takes L + g(m).  Sizes between two measured ones are
 * interpolated linearly; beyond the last the last line goes on.
 *
 * Sets the pieces of `row` by the medians of y at each x.  x ascends, and y
 * among equal x.  If there are more than CURVE_PIECES_MAX different x, the
 * first, the last, and some at equal distances between are taken.  Returns 0,
 * or -EDOM if there are not two different x.
 */
int plogp_fit(const double *x, const double *y, size_t n,
	      struct curve_row *row);

#endif
