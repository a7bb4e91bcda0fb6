/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_STAGES_H
#define BCS_STAGES_H

#include "model/linear.h"

#define STAGES 3

/*
 * What depends on threads in up to three stages: up to p_low, up to p_hi, and
 * above; each a constant or a line.  Without the second p_hi is NAN; without
 * the third, too, and p_low is the most threads that were measured.
 */
struct stages {
	double p_low;
	double p_hi;
	bool has[STAGES];
	struct linear of[STAGES];
};

/*
 * p ascends, y is above 0.  Where stages meet is tried out: the least BIC of
 * the squares, relative to y unless it is by squares.  -EDOM if there are too
 * few: a line needs three different p.
 */
int stages_fit(const bool is_line[STAGES], enum linear_by by, const double *p,
	       const double *y, size_t n, struct stages *stages);

#endif
