/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * `bcs model eval`: what an operation takes on a system, by the formulas; or
 * the parameters of systems.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/mem.h"
#include "analyzer/base/say.h"
#include "analyzer/cli/options.h"
#include "analyzer/cli/verb.h"
#include "analyzer/model/eval_values.h"
#include "analyzer/model/model_system.h"
#include "analyzer/report/report_choice.h"
#include "analyzer/show/output.h"
#include "tree/tree_text.h"

#define SYSTEMS_MAX 16
#define BYTES       2 /* of these */

static struct {
	const char *systems[SYSTEMS_MAX];
	unsigned n_systems;
	double log_base;
	bool list;
} choice;

static bool set_system(const struct option_spec *option, const char *value)
{
	(void)option;
	if (choice.n_systems == SYSTEMS_MAX)
		return false;
	choice.systems[choice.n_systems++] = value;
	return *value != '\0';
}

static const struct option_spec *options(void)
{
	static const struct option_spec list[] = {
		{ "system", 's', "NAME", "up to 16 names or files",
		  "galera+, galera, kask or a file of bcs model fit --save; "
		  "repeat it to compare systems; default: galera+",
		  .set = set_system },
		{ "list", 'l', NULL, NULL,
		  "list the parameters of the systems, and nothing else",
		  OPTION_FLAG(&choice.list) },
		{ "log-base", 0, "B", "a number above 1",
		  "base of the logarithm; default: the system's, else 2",
		  OPTION_REAL(&choice.log_base, OPTION_ABOVE_1, HUGE_VAL) },
		REPORT_OPTION_CSV("print the table as CSV"),
		REPORT_OPTION_JSON("print the table as JSON"),
		{ 0 },
	};

	return list;
}

/* In the order of enum formula_given. */
static const char *const given[EVAL_GIVEN] = { "INSTRUCTIONS", "THREADS",
					       "BYTES", "PROCESSES",
					       "SECONDS" };

/* The arguments of an operation, in the order in which they are given. */
static char *arguments_of(enum formula_operation operation)
{
	char *text = mem_text("");
	char *longer;

	for (unsigned i = 0; i < EVAL_GIVEN; i++) {
		if (!(formulas[operation].given & 1u << i))
			continue;
		longer = mem_print("%s %s", text, given[i]);
		free(text);
		text = longer;
	}
	return text;
}

static int wrong_arguments(enum formula_operation operation)
{
	char *arguments = arguments_of(operation);

	say_error("it is %s%s (see --help)", formulas[operation].name,
		  arguments);
	free(arguments);
	return 2;
}

static int read_argument(struct eval_range *range, const char *text,
			 unsigned which)
{
	const int rc = eval_range_read(range, text, which == BYTES);

	if (rc == -EINVAL)
		say_error("'%s' is no number of %s", text, given[which]);
	if (rc == -ERANGE)
		say_error("'%s': a range of %s has to ascend, and to have %d "
			  "numbers at most",
			  text, given[which], EVAL_RANGE_MOST);
	return rc ? 2 : 0;
}

static int read_arguments(enum formula_operation operation, int argc,
			  char **argv, struct eval_range *ranges)
{
	int at = 0;

	for (unsigned i = 0; i < EVAL_GIVEN; i++) {
		if (!(formulas[operation].given & 1u << i))
			continue;
		if (at == argc)
			return wrong_arguments(operation);
		if (read_argument(&ranges[i], argv[at], i) != 0)
			return 2;
		at++;
	}
	return at == argc ? 0 : wrong_arguments(operation);
}

static const struct table_column param_columns[] = {
	{ "system", "System", TABLE_TEXT, TABLE_RIGID, 0 },
	{ "parameter", "Parameter", TABLE_TEXT, TABLE_RIGID, 0 },
	{ "value", "Value", TABLE_EXACT, 0, 0 },
	{ "unit", "Unit", TABLE_TEXT, TABLE_RIGID, 0 },
	{ 0 },
};

static void put_param(struct table *table, const char *system, const char *name,
		      double value, const char *unit)
{
	table_row(table, 0);
	table_words(table, system);
	table_words(table, name);
	table_real(table, value);
	table_words(table, unit);
}

static void put_params(struct table *table, const struct formula_system *system)
{
	put_param(table, system->name, "log_base", system->log_base, "1");
	for (int i = 0; i < FORMULA_PARAMS; i++)
		if (!isnan(system->params[i]))
			put_param(table, system->name,
				  formula_param_name((enum formula_param)i),
				  system->params[i],
				  formula_param_unit((enum formula_param)i));
	for (int i = 0; i < FORMULA_OPERATIONS; i++)
		model_system_doubt(system, (enum formula_operation)i);
}

static int each_system(struct evaluation *eval)
{
	struct formula_system system;
	int status = 0;

	for (unsigned i = 0; status == 0 && i < choice.n_systems; i++) {
		status = model_system_load(&system, choice.systems[i]);
		if (status != 0)
			break;
		if (choice.log_base > 1)
			system.log_base = choice.log_base;
		if (choice.list)
			put_params(eval->table, &system);
		else
			status = eval_values(eval, &system);
		formula_system_clear(&system);
	}
	return status;
}

static int read_operation(struct evaluation *eval, int argc, char **argv)
{
	if (choice.list ? argc != 0 : argc == 0) {
		say_error("one OPERATION and what it is of, or --list (see "
			  "--help)");
		return 2;
	}
	if (choice.list)
		return 0;
	eval->operation = formula_find(argv[0]);
	if (eval->operation == FORMULA_OPERATIONS) {
		say_error("there is no operation '%s' (see --help)", argv[0]);
		return 2;
	}
	return read_arguments(eval->operation, argc - 1, argv + 1,
			      eval->ranges);
}

static int eval(int argc, char **argv)
{
	struct evaluation eval = { .operation = FORMULA_OPERATIONS };
	int status;

	if (!options_one_at_most(OPTIONS("csv", "json")))
		return 2;
	report_choice_look();
	if (!choice.n_systems)
		choice.systems[choice.n_systems++] = "galera+";
	if (read_operation(&eval, argc, argv) != 0)
		return 2;
	eval.table = choice.list ? table_new("parameters", "Parameters",
					     param_columns, 0)
				 : eval_values_table(eval.ranges);
	status = each_system(&eval);
	if (status == 0)
		report_choice_tables(&eval.table, 1);
	say_rest();
	table_free(eval.table);
	return output_end() ? 2 : status;
}

const struct verb verb_model_eval = {
	.name = "model eval",
	.summary = "the value of a formula for a system",
	.operands = "OPERATION ARGUMENT...",
	.about = "Tells what an operation takes, by the formulas of a system:\n"
		 "  compute INSTRUCTIONS THREADS      us\n"
		 "  p2p BYTES                         us\n"
		 "  bcast BYTES PROCESSES             us; also scatter, "
		 "gather,\n"
		 "                                    alltoall\n"
		 "  barrier PROCESSES                 us\n"
		 "  read BYTES, write BYTES           us, a network disk\n"
		 "  power THREADS                     W, of a node\n"
		 "  success PROCESSES SECONDS         the probability\n"
		 "Each can be a range: 1K..1M doubles from 1024 to 1048576 "
		 "bytes, 1..24+1 has all\nnumbers from 1 to 24.\n",
	.options = options,
	.run = eval,
};
