/* SPDX-License-Identifier: BSD-3-Clause */

/* Evaluates an operation for all combinations of its arguments. */
#include "analyzer/model/eval_values.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "analyzer/base/say.h"
#include "analyzer/model/model_system.h"

static double *given_of(struct formula_input *input, unsigned which)
{
	double *const of[EVAL_GIVEN] = { &input->instructions, &input->threads,
					 &input->bytes, &input->processes,
					 &input->seconds };

	return of[which];
}

static const struct table_column value_columns[] = {
	{ "system", "System", TABLE_TEXT, TABLE_RIGID, 0 },
	{ "operation", "Operation", TABLE_TEXT, TABLE_RIGID, 0 },
	{ "value", "Value", TABLE_EXACT, 0, 0 },
	{ "unit", "Unit", TABLE_TEXT, TABLE_RIGID, 0 },
	{ "by", "By", TABLE_TEXT, TABLE_RIGID, 0 },
	{ "clamped", "", TABLE_COUNT, TABLE_MACHINE, 0 },
	{ 0 },
};

#define N_NAMES 2 /* columns before the value */

static const struct table_column given_columns[EVAL_GIVEN] = {
	{ "instructions", "Instructions", TABLE_EXACT, 0, 0 },
	{ "threads", "Threads", TABLE_EXACT, 0, 0 },
	{ "bytes", "Bytes", TABLE_EXACT, 0, 0 },
	{ "processes", "Processes", TABLE_EXACT, 0, 0 },
	{ "seconds", "Seconds", TABLE_EXACT, 0, 0 },
};

/* The arguments that are ranges have columns. */
struct table *eval_values_table(const struct eval_range *ranges)
{
	static struct table_column
		columns[EVAL_GIVEN +
			sizeof(value_columns) / sizeof(*value_columns)];
	size_t n = 0;

	for (size_t i = 0; i < N_NAMES; i++)
		columns[n++] = value_columns[i];
	for (size_t i = 0; i < EVAL_GIVEN; i++)
		if (ranges[i].is_many)
			columns[n++] = given_columns[i];
	memcpy(&columns[n], &value_columns[N_NAMES],
	       sizeof(value_columns) - N_NAMES * sizeof(*value_columns));
	return table_new("values", "Values", columns, 0);
}

static void put_value(struct evaluation *eval,
		      const struct formula_system *system,
		      const struct formula_value *value)
{
	struct table *table = eval->table;

	table_row(table, 0);
	table_words(table, system->name);
	table_words(table, formulas[eval->operation].name);
	for (unsigned i = 0; i < EVAL_GIVEN; i++)
		if (eval->ranges[i].is_many)
			table_real(table, *given_of(&eval->input, i));
	table_real(table, value->value);
	table_words(table, formulas[eval->operation].unit);
	table_words(table,
		    system->curves[eval->operation] ? "curve" : "formula");
	table_number(table, value->clamped);
}

static void say_of(const struct formula_system *system,
		   enum formula_operation operation,
		   const struct formula_value *value)
{
	model_system_doubt(system, operation);
	if (value->clamped)
		say_warning("%s: the formula of %s is below 0 there, which is "
			    "taken for 0",
			    system->name, formulas[operation].name);
	if (value->outside)
		say_warning("%s: %s was not measured with so many processes: "
			    "the value is that of the nearest number",
			    system->name, formulas[operation].name);
}

static int eval_one(struct evaluation *eval,
		    const struct formula_system *system)
{
	const char *name = formulas[eval->operation].name;
	enum formula_param lacking;
	struct formula_value value;
	const int rc = formula_eval(system, eval->operation, &eval->input,
				    &value, &lacking);

	if (rc == -EDOM) {
		say_error("%s: not of so many: processes are at least 1, all "
			  "else at least 0",
			  name);
		return 2;
	}
	if (rc == -ENODATA) {
		say_error("%s: its %s is not known, which %s needs",
			  system->name, formula_param_name(lacking), name);
		return 2;
	}
	say_of(system, eval->operation, &value);
	put_value(eval, system, &value);
	return 0;
}

/* All combinations of the arguments from this one on. */
static int eval_from(struct evaluation *eval,
		     const struct formula_system *system, unsigned which)
{
	const struct eval_range *range = &eval->ranges[which];
	double *value;
	int status = 0;

	if (which == EVAL_GIVEN)
		return eval_one(eval, system);
	value = given_of(&eval->input, which);
	for (*value = range->first; status == 0 && !isnan(*value);
	     *value = eval_range_next(range, *value))
		status = eval_from(eval, system, which + 1);
	return status;
}

int eval_values(struct evaluation *eval, const struct formula_system *system)
{
	return eval_from(eval, system, 0);
}
