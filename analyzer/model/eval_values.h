/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_EVAL_VALUES_H
#define BCS_EVAL_VALUES_H

#include "analyzer/model/eval_range.h"
#include "analyzer/show/table.h"
#include "model/formula.h"

#define EVAL_GIVEN 5 /* arguments, in the order of enum formula_given */

/* What is evaluated, and where its values go. */
struct evaluation {
	struct table *table;
	enum formula_operation operation;
	struct eval_range ranges[EVAL_GIVEN];
	struct formula_input input; /* of the value at hand */
};

/* A table with a column for each argument that is a range. */
struct table *eval_values_table(const struct eval_range *ranges);

/* Returns 0, or 2 after it has said what is wrong. */
int eval_values(struct evaluation *eval, const struct formula_system *system);

#endif
