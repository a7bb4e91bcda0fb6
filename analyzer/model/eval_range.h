/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_EVAL_RANGE_H
#define BCS_EVAL_RANGE_H

#include <stdbool.h>

/*
 * Numbers of the command line: 64, 1K (sizes in bytes alone: 1024), 1K..1M
 * (each twice the one before) or 1..24+1 (each one more).  The last number is
 * always one of them.
 */
struct eval_range {
	double first;
	double last;
	double step; /* 0: each is twice the one before */
	bool is_many;
};

#define EVAL_RANGE_MOST 4096 /* numbers of a range */

/* Returns 0; -EINVAL: no such number; or -ERANGE: a range that does not ascend
 * or is too long. */
int eval_range_read(struct eval_range *range, const char *text, bool is_bytes);

/* The number after `value`; NAN after the last. */
double eval_range_next(const struct eval_range *range, double value);

#endif
