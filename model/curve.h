/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_CURVE_H
#define BCS_CURVE_H

#include <stdbool.h>

/*
 * A time that is piecewise linear in x.  A piece holds from its `from` up to
 * the next piece's `from`.  The first piece also holds below its own `from`.
 *
 * If the operation depends on processes, the curve has a row for each number of
 * them that was measured, and x is the bytes.  Otherwise it has one row, of 0
 * processes, and x is that of the formula.
 */
#define CURVE_PIECES_MAX 64
#define CURVE_ROWS_MAX   64

struct curve_piece {
	double from;
	double t;
	double k;
};

struct curve_row {
	double processes;
	unsigned n;
	struct curve_piece pieces[CURVE_PIECES_MAX];
};

struct curve {
	unsigned n_rows; /* sorted by processes */
	struct curve_row rows[CURVE_ROWS_MAX];
};

double curve_row_value(const struct curve_row *row, double x);

/*
 * Interpolates between two rows by the logarithm of processes.  Beyond the
 * first or last row it takes that row and sets `outside`.
 */
double curve_value(const struct curve *curve, double processes, double x,
		   bool *outside);

#endif
