/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_PIECES_H
#define BCS_PIECES_H

#include <stddef.h>

#include "model/curve.h"

/* A piece has at least so many different x, unless there is but one piece. */
#define PIECES_LEAST 3

/*
 * The line in pieces whose errors, relative to y, have the least sum of
 * squares, by dynamic programming; of so many pieces as have the least BIC, if
 * `n_pieces` is 0.  x ascends and may have the same value more than once; y is
 * above 0. A single x makes a constant.  Returns 0, -EDOM for no points or more
 * pieces than they allow, or -ENOMEM; sets the pieces of `row` and their
 * number.
 */
int pieces_fit(const double *x, const double *y, size_t n, unsigned n_pieces,
	       struct curve_row *row);

/* The sum of squares of relative errors. */
double pieces_sum(const double *x, const double *y, size_t n,
		  const struct curve_row *row);

/*
 * Schwarz's criterion of so many pieces: two coefficients each, and the places
 * where they meet.  Errors of less than a millionth do not count.
 */
double pieces_bic(double sum, size_t n, unsigned n_pieces);

#endif
