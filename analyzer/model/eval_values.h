/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_EVAL_VALUES_H
#define BCS_EVAL_VALUES_H

#include "analyzer/model/eval_plot.h"
#include "analyzer/model/eval_range.h"
#include "analyzer/show/table.h"
#include "model/formula.h"

#define EVAL_GIVEN 5 /* arguments, in the order of enum formula_given */

/* What is evaluated, and where its values go. */
struct evaluation {
	struct table *table;
	struct eval_plot *plot; /* NULL: no picture */
	enum formula_operation operation;
	struct eval_range ranges[EVAL_GIVEN];
	struct formula_input input; /* of the value at hand */
};

/* A table with a column for each argument that is a range.  People see columns
 * of intervals only if there are any. */
struct table *eval_values_table(const struct eval_range *ranges,
				bool has_intervals);

/* The argument along which a picture has its curves: the first range.
 * EVAL_GIVEN: there is no range. */
unsigned eval_values_across(const struct eval_range *ranges);
/* Its name, for people. */
const char *eval_values_name(unsigned which);

/* Returns 0, or 2 after it has said what is wrong. */
int eval_values(struct evaluation *eval, const struct formula_system *system);

#endif
