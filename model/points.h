/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_POINTS_H
#define BCS_POINTS_H

#include "model/formula.h"
#include "tree/tree_fault.h"

/* A measurement, in the unit of its formula. */
struct point {
	enum formula_operation operation;
	struct formula_input input;
	double value;
};

/* Whether two of one operation differ in nothing but the value. */
bool points_repeat(const struct point *a, const struct point *b);
/* What its operation depends on most: bytes, threads or else processes. */
double points_size(const struct point *point);

struct points {
	struct point *points;
	size_t n;
	size_t room;
	size_t n_foreign;   /* lines of operations that no formula is of */
	size_t n_algorithm; /* lines of another algorithm than asked for */
};

/*
 * Adds what a text has: CSV whose first line names its columns, or the lines of
 * JSON of `mpib_run --json`.  Columns are
 *
 *	operation (or collective), processes, bytes, threads, instructions,
 *	duration (s), algorithm, segment
 *
 * and one of time (us), seconds, watts and probability, in any order; those
 * that an operation needs are to be there.  Of collectives those by `algorithm`
 * are taken, and those that name none.  Returns 0 or, with the reason in
 * `fault`, -EINVAL; or -ENOMEM.
 *
 * mpib's lines of `pairs` are round trips, half of which is p2p.  Its bytes of
 * a scatter or gather are those of each process; so they are multiplied in JSON
 * and where the column is called `collective`.
 */
int points_read(struct points *points, const char *text, size_t size,
		const char *algorithm, struct tree_fault *fault);
void points_clear(struct points *points);

/* By operation, processes, threads, bytes and all else. */
void points_sort(struct points *points);

/* Adds one, without what its operation does not depend on; -ENOMEM. */
int points_add(struct points *points, const struct point *point);

#endif
