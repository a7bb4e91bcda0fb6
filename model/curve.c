/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "model/curve.h"

double curve_row_value(const struct curve_row *row, double x)
{
	const struct curve_piece *piece = row->pieces;

	for (unsigned i = 1; i < row->n && x >= row->pieces[i].from; i++)
		piece = &row->pieces[i];
	return piece->t + piece->k * x;
}

static double between(const struct curve_row *low, const struct curve_row *high,
		      double processes, double x)
{
	const double share = log(processes / low->processes) /
			     log(high->processes / low->processes);

	return (1 - share) * curve_row_value(low, x) +
	       share * curve_row_value(high, x);
}

double curve_value(const struct curve *curve, double processes, double x,
		   bool *outside)
{
	const struct curve_row *first = curve->rows;
	const struct curve_row *last = first + curve->n_rows - 1;
	const struct curve_row *row = first;

	*outside = false;
	if (first->processes <= 0)
		return curve_row_value(first, x);
	*outside = processes < first->processes || processes > last->processes;
	if (processes <= first->processes)
		return curve_row_value(first, x);
	if (processes >= last->processes)
		return curve_row_value(last, x);
	while (row[1].processes <= processes)
		row++;
	return between(row, row + 1, processes, x);
}
