/* SPDX-License-Identifier: BSD-3-Clause */

/* Evaluates an operation for all combinations of its arguments. */
#include "analyzer/model/eval_values.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/mem.h"
#include "analyzer/base/say.h"
#include "analyzer/model/model_system.h"

static double *given_of(struct formula_input *input, unsigned which)
{
	double *const of[EVAL_GIVEN] = { &input->instructions, &input->threads,
					 &input->bytes, &input->processes,
					 &input->seconds };

	return of[which];
}

static const struct table_column name_columns[] = {
	{ "system", "System", TABLE_TEXT, TABLE_RIGID, 0 },
	{ "operation", "Operation", TABLE_TEXT, TABLE_RIGID, 0 },
};
static const struct table_column given_columns[EVAL_GIVEN] = {
	{ "instructions", "Instructions", TABLE_EXACT, 0, 0 },
	{ "threads", "Threads", TABLE_EXACT, 0, 0 },
	{ "bytes", "Bytes", TABLE_EXACT, 0, 0 },
	{ "processes", "Processes", TABLE_EXACT, 0, 0 },
	{ "seconds", "Seconds", TABLE_EXACT, 0, 0 },
};
static const struct table_column value_columns[] = {
	{ "value", "Value", TABLE_EXACT, 0, 0 },
	{ "unit", "Unit", TABLE_TEXT, TABLE_RIGID, 0 },
	{ "by", "By", TABLE_TEXT, TABLE_RIGID, 0 },
	{ "clamped", "", TABLE_COUNT, TABLE_MACHINE, 0 },
};
static const struct table_column interval_columns[] = {
	{ "low", "Low", TABLE_EXACT, 0, 0 },
	{ "high", "High", TABLE_EXACT, 0, 0 },
};

#define COUNT(array) (sizeof(array) / sizeof(*(array)))
#define N_COLUMNS_MAX                                              \
	(COUNT(name_columns) + EVAL_GIVEN + COUNT(value_columns) + \
	 COUNT(interval_columns))

const char *eval_values_name(unsigned which)
{
	return given_columns[which].name;
}

unsigned eval_values_across(const struct eval_range *ranges)
{
	unsigned which = 0;

	while (which < EVAL_GIVEN && !ranges[which].is_many)
		which++;
	return which;
}

struct table *eval_values_table(const struct eval_range *ranges,
				bool has_intervals)
{
	static struct table_column columns[N_COLUMNS_MAX + 1];
	size_t n = 0;

	for (size_t i = 0; i < COUNT(name_columns); i++)
		columns[n++] = name_columns[i];
	for (size_t i = 0; i < EVAL_GIVEN; i++)
		if (ranges[i].is_many)
			columns[n++] = given_columns[i];
	for (size_t i = 0; i < COUNT(value_columns); i++)
		columns[n++] = value_columns[i];
	for (size_t i = 0; i < COUNT(interval_columns); i++) {
		columns[n] = interval_columns[i];
		columns[n++].flags = has_intervals ? 0 : TABLE_MACHINE;
	}
	columns[n].name = NULL;
	return table_new("values", "Values", columns, 0);
}

static void put_bound(struct table *table, double value)
{
	if (isnan(value))
		table_none(table);
	else
		table_real(table, value);
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
	put_bound(table, value->low);
	put_bound(table, value->high);
}

/* The numbers of the other ranges, after the system's name. */
static char *curve_name(const struct evaluation *eval, const char *system,
			unsigned across)
{
	struct formula_input input = eval->input;
	char *name = mem_text(system);
	char *longer;

	for (unsigned i = 0; i < EVAL_GIVEN; i++) {
		if (i == across || !eval->ranges[i].is_many)
			continue;
		longer = mem_print("%s, %.15g %s", name, *given_of(&input, i),
				   given_columns[i].name);
		free(name);
		name = longer;
	}
	return name;
}

static int plot_value(struct evaluation *eval, const char *system,
		      const struct formula_value *value)
{
	const unsigned across = eval_values_across(eval->ranges);
	const struct eval_point point = { *given_of(&eval->input, across),
					  value->value, value->low,
					  value->high };

	if (point.x <= eval->ranges[across].first &&
	    !eval_plot_begin(eval->plot, curve_name(eval, system, across))) {
		say_error("a picture has %d curves at most", EVAL_CURVES_MOST);
		return 2;
	}
	eval_plot_add(eval->plot, &point);
	return 0;
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
	if (eval->plot)
		return plot_value(eval, system->name, &value);
	put_value(eval, system, &value);
	return 0;
}

/* The argument that the `depth`-th loop goes through.  The innermost one of a
 * picture goes along a curve. */
static unsigned argument_at(const struct evaluation *eval, unsigned depth)
{
	const unsigned across = eval->plot ? eval_values_across(eval->ranges)
					   : EVAL_GIVEN - 1;

	if (depth < across)
		return depth;
	return depth == EVAL_GIVEN - 1 ? across : depth + 1;
}

/* All combinations of the arguments from this one on. */
static int eval_from(struct evaluation *eval,
		     const struct formula_system *system, unsigned depth)
{
	const struct eval_range *range;
	double *value;
	int status = 0;

	if (depth == EVAL_GIVEN)
		return eval_one(eval, system);
	range = &eval->ranges[argument_at(eval, depth)];
	value = given_of(&eval->input, argument_at(eval, depth));
	for (*value = range->first; status == 0 && !isnan(*value);
	     *value = eval_range_next(range, *value))
		status = eval_from(eval, system, depth + 1);
	return status;
}

int eval_values(struct evaluation *eval, const struct formula_system *system)
{
	return eval_from(eval, system, 0);
}
