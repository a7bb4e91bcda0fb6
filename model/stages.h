/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_STAGES_H
#define BCS_STAGES_H

#include "model/linear.h"

#define STAGES 3

/*
 * A dependence on threads in up to three stages: up to p_low, up to p_hi, and
 * above.  Each stage is a constant or a line.  Without the second stage p_hi is
 * NAN.  Without the third too, p_low is the most threads measured.
 */
struct stages {
	double p_low;
	double p_hi;
	bool has[STAGES];
	struct linear of[STAGES];
};

/*
 * Fits the stages; p ascends, y is above 0.  All places where stages may meet
 * are tried, and the least BIC wins.  Errors are relative to y unless `by` is
 * LINEAR_SQUARES.  Returns -EDOM if there are too few points: a line needs
 * three different p.
 */
int stages_fit(const bool is_line[STAGES], enum linear_by by, const double *p,
	       const double *y, size_t n, struct stages *stages);

#endif
