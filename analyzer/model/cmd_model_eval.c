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
	bool svg;
} choice;

static struct formula_system systems[SYSTEMS_MAX];

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
		{ "svg", 0, NULL, NULL,
		  "draw the values along the first range as SVG, with their "
		  "intervals",
		  OPTION_FLAG(&choice.svg) },
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

/* The base that a fit took is part of its intervals. */
static void change_base(struct formula_system *system)
{
	if (!(choice.log_base > 1))
		return;
	if (choice.log_base < system->log_base ||
	    choice.log_base > system->log_base)
		memset(system->spreads, 0, sizeof(system->spreads));
	system->log_base = choice.log_base;
}

static int load_systems(void)
{
	int status = 0;

	for (unsigned i = 0; i < choice.n_systems; i++) {
		status = model_system_load(&systems[i], choice.systems[i]);
		if (status != 0) {
			choice.n_systems = i;
			break;
		}
		change_base(&systems[i]);
	}
	return status;
}

static bool has_intervals(enum formula_operation operation)
{
	for (unsigned i = 0; i < choice.n_systems; i++)
		if (systems[i].spreads[operation] > 0)
			return true;
	return false;
}

static void clear_systems(void)
{
	for (unsigned i = 0; i < choice.n_systems; i++)
		formula_system_clear(&systems[i]);
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

static int list(void)
{
	struct table *table = table_new("parameters", "Parameters",
					param_columns, 0);

	for (unsigned i = 0; i < choice.n_systems; i++)
		put_params(table, &systems[i]);
	report_choice_tables(&table, 1);
	table_free(table);
	return 0;
}

static int each_system(struct evaluation *eval)
{
	int status = 0;

	for (unsigned i = 0; status == 0 && i < choice.n_systems; i++)
		status = eval_values(eval, &systems[i]);
	return status;
}

static int show_table(struct evaluation *eval)
{
	int status;

	eval->table = eval_values_table(eval->ranges,
					has_intervals(eval->operation));
	status = each_system(eval);
	if (status == 0)
		report_choice_tables(&eval->table, 1);
	table_free(eval->table);
	return status;
}

/* The operation, and the arguments that are the same for all values. */
static char *title_of(const struct evaluation *eval, char **argv)
{
	const struct formula *formula = &formulas[eval->operation];
	const bool is_part = strcmp(formula->unit, "1") == 0;
	char *title = mem_print("%s (%s)", formula->name,
				is_part ? "probability" : formula->unit);
	char *longer;
	int at = 0;

	for (unsigned i = 0; i < EVAL_GIVEN; i++) {
		if (!(formula->given & 1u << i))
			continue;
		at++;
		if (eval->ranges[i].is_many)
			continue;
		longer = mem_print("%s, %s %s", title, argv[at],
				   eval_values_name(i));
		free(title);
		title = longer;
	}
	return title;
}

static int show_svg(const struct evaluation *eval, char **argv)
{
	const unsigned across = eval_values_across(eval->ranges);
	struct eval_plot plot = { 0 };
	struct evaluation plotted = *eval;
	char *title;
	int status;

	if (across == EVAL_GIVEN) {
		say_error("--svg wants a range, such as 1..64");
		return 2;
	}
	title = title_of(eval, argv);
	plot.title = title;
	plot.across = eval_values_name(across);
	plot.by_logarithms = !(eval->ranges[across].step > 0);
	plotted.plot = &plot;
	status = each_system(&plotted);
	if (status == 0)
		eval_plot_svg(&plot);
	eval_plot_clear(&plot);
	free(title);
	return status;
}

static int show(struct evaluation *eval, char **argv)
{
	if (choice.list)
		return list();
	return choice.svg ? show_svg(eval, argv) : show_table(eval);
}

static int eval(int argc, char **argv)
{
	struct evaluation eval = { .operation = FORMULA_OPERATIONS };
	int status;

	if (!options_one_at_most(OPTIONS("svg", "csv", "json")) ||
	    !options_one_at_most(OPTIONS("list", "svg")))
		return 2;
	report_choice_look();
	if (!choice.n_systems)
		choice.systems[choice.n_systems++] = "galera+";
	if (read_operation(&eval, argc, argv) != 0)
		return 2;
	status = load_systems();
	if (status == 0)
		status = show(&eval, argv);
	clear_systems();
	say_rest();
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
		 "bytes, 1..24+1 has all\nnumbers from 1 to 24.  --svg draws "
		 "the first range from left to right, by logarithms\nif it "
		 "doubles, and a curve for each system and number of the "
		 "others.\n"
		 "A system of bcs model fit has intervals: 95 % of "
		 "measurements should be from Low\nto High, if they are of "
		 "sizes within those that were fitted.\n",
	.options = options,
	.run = eval,
};
