/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_PIECES_H
#define BCS_PIECES_H

#include <stddef.h>

#include "model/curve.h"

/* Least number of different x in a piece.  A single piece may have fewer. */
#define PIECES_LEAST 3
/* Most pieces of a fit. */
#define PIECES_MAX 8

/*
 * Fits the piecewise line with the least sum of squared errors relative to y,
 * by dynamic programming.  If `n_pieces` is 0, the least BIC chooses their
 * number.
 *
 * x ascends and may repeat values; y is above 0.  A single x gives a constant.
 * Returns 0 and sets the pieces of `row` and their number.  Returns -EDOM if
 * there are no points, or too few for so many pieces; or -ENOMEM.
 */
int pieces_fit(const double *x, const double *y, size_t n, unsigned n_pieces,
	       struct curve_row *row);

/* The sum of squared relative errors. */
double pieces_sum(const double *x, const double *y, size_t n,
		  const struct curve_row *row);

/*
 * Schwarz's criterion (BIC) for `n_pieces`: it counts two coefficients a piece,
 * and the places where pieces meet.  Errors below a millionth do not count.
 */
double pieces_bic(double sum, size_t n, unsigned n_pieces);

#endif
