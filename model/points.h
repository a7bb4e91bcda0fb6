/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_POINTS_H
#define BCS_POINTS_H

#include "model/formula.h"
#include "model/logp.h"
#include "tree/tree_fault.h"

/* A measurement, in the unit of its formula. */
struct point {
	enum formula_operation operation;
	struct formula_input input;
	double value;
};

/* Whether two points of one operation differ in their value only. */
bool points_repeat(const struct point *a, const struct point *b);
/* The input that matters most: bytes, else threads, else processes. */
double points_size(const struct point *point);

struct points {
	struct point *points;
	size_t n;
	size_t room;
	size_t n_foreign; /* lines of operations without a formula */
	/* Lines of other algorithms than the one asked for. */
	size_t n_algorithm;
	struct logp logp; /* parameters of PLogP that were measured */
	/* Sizes whose round trip is shorter than half of an empty one. */
	size_t n_short;
};

/*
 * Adds the points of a text: CSV whose first line names its columns, or the
 * lines of JSON of `mpib_run --json`.  The columns, in any order, are
 *
 *	operation (or collective), processes, bytes, threads, instructions,
 *	duration (s), algorithm, segment
 *
 * and the measured value: time (us), seconds, watts or probability.  The
 * columns that an operation needs must be there.  Lines of a collective count
 * if they name `algorithm`, or no algorithm.  Returns 0; -EINVAL with the
 * reason in `fault`; or -ENOMEM.
 *
 * mpib's lines of `rtt`, `o_s`, `o_r` and `gap` go to `logp`; points_add_logp
 * makes points of them.  Its lines of `pairs` are round trips; half of one is
 * p2p.  mpib counts the bytes of a scatter or gather per process.  So they are
 * multiplied by the processes in JSON, and in CSV whose column is called
 * `collective`.
 */
int points_read(struct points *points, const char *text, size_t size,
		const char *algorithm, struct tree_fault *fault);
void points_clear(struct points *points);

/* Adds the messages that round trips of PLogP tell of, and sorts these.
 * Returns 0; -EINVAL if there are round trips, but none of 0 bytes; -ENOMEM. */
int points_add_logp(struct points *points);

/* Sorts by operation, processes, threads, bytes, then the rest. */
void points_sort(struct points *points);

/* Adds a point, without the inputs that its operation does not depend on.
 * Returns 0 or -ENOMEM. */
int points_add(struct points *points, const struct point *point);

#endif
