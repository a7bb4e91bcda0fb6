/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_CURVE_H
#define BCS_CURVE_H

#include <stdbool.h>

/*
 * A time that is linear in pieces: a piece holds from its `from` up to that of
 * the next, the first below it, too.  A curve of an operation that depends on
 * processes has a row for each number of them that was measured, and x is the
 * bytes; any other has one row, of 0 processes, and x is the formula's.
 */
#define CURVE_PIECES_MAX 8
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
	unsigned n_rows; /* by processes */
	struct curve_row rows[CURVE_ROWS_MAX];
};

double curve_row_value(const struct curve_row *row, double x);

/*
 * Between two rows by the logarithm of processes; beyond the first and the last
 * as they are, and `outside` says so.
 */
double curve_value(const struct curve *curve, double processes, double x,
		   bool *outside);

#endif
