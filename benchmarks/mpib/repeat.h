/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_MPIB_REPEAT_H
#define BCS_MPIB_REPEAT_H

#include "mpib.h"

/* When to stop, and what comes out; no communication. */
struct repeat {
	struct mpib_rules rules;
	double *samples;
	int n;
	int missed;
};

/* -EINVAL for rules that contradict themselves, -ENOMEM. */
int repeat_begin(struct repeat *repeat, const struct mpib_rules *rules);
void repeat_end(struct repeat *repeat);

/* How many to run next, after so many seconds; 0 when it is enough. */
int repeat_next(const struct repeat *repeat, double elapsed);

/* A repetition took so long; one that missed its deadline is NAN. */
void repeat_add(struct repeat *repeat, double seconds);

/* -ETIME if no repetition counts, -ENOMEM. */
int repeat_result(const struct repeat *repeat, double elapsed,
		  struct mpib_result *result);

#endif
