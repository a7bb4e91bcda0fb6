/* SPDX-License-Identifier: BSD-3-Clause */

/* Interpolates between the medians of measured sizes. */
#include <errno.h>

#include "model/plogp.h"

static size_t run_end(const double *x, size_t n, size_t from)
{
	size_t i = from + 1;

	while (i < n && x[i] <= x[from])
		i++;
	return i;
}

static size_t different(const double *x, size_t n)
{
	size_t count = 0;

	for (size_t i = 0; i < n; i = run_end(x, n, i))
		count++;
	return count;
}

/* The middle of ascending values. */
static double median(const double *y, size_t n)
{
	return (y[(n - 1) / 2] + y[n / 2]) / 2;
}

/* Puts sizes and their times into the pieces: t is the time, yet. */
static void put_knots(const double *x, const double *y, size_t n,
		      struct curve_row *row)
{
	const size_t all = different(x, n);
	size_t rank = 0;
	size_t next = 0; /* rank of the next size to take */
	size_t end;

	row->n = 0;
	for (size_t i = 0; i < n; i = end, rank++) {
		end = run_end(x, n, i);
		if (rank < next)
			continue;
		row->pieces[row->n++] = (struct curve_piece){
			x[i], median(y + i, end - i), 0
		};
		next = all <= CURVE_PIECES_MAX
			       ? rank + 1
			       : row->n * (all - 1) / (CURVE_PIECES_MAX - 1);
	}
}

int plogp_fit(const double *x, const double *y, size_t n, struct curve_row *row)
{
	struct curve_piece *piece = row->pieces;

	if (different(x, n) < 2)
		return -EDOM;
	put_knots(x, y, n, row);
	for (unsigned i = 0; i + 1 < row->n; i++)
		piece[i].k = (piece[i + 1].t - piece[i].t) /
			     (piece[i + 1].from - piece[i].from);
	piece[row->n - 1].k = piece[row->n - 2].k;
	for (unsigned i = 0; i < row->n; i++)
		piece[i].t -= piece[i].k * piece[i].from;
	return 0;
}
