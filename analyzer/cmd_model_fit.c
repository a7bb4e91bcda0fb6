/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/input.h"
#include "analyzer/mem.h"
#include "analyzer/model_fit_table.h"
#include "analyzer/model_plot.h"
#include "analyzer/options.h"
#include "analyzer/output.h"
#include "analyzer/report_choice.h"
#include "analyzer/say.h"
#include "analyzer/verb.h"
#include "model/export.h"
#include "model/number.h"
#include "model/system_file.h"

#define UNIT 2048

enum export {
	EXPORT_NONE,
	EXPORT_LOGGOPSIM,
	EXPORT_TEXT,
	EXPORT_JSON,
	EXPORTS
};

static const char *const export_names[EXPORTS] = { NULL, "loggopsim",
						   "extrap-text",
						   "extrap-json" };

static struct {
	const char *algorithm;
	enum formula_operation operation; /* FORMULA_OPERATIONS: all */
	struct fit_rules rules;
	const char *save;
	const char *name;
	enum fit_form form; /* FIT_FORMS: the best */
	enum export export;
	double overhead;
	bool plot;
	bool svg;
} choice = { .algorithm = "mpi",
	     .operation = FORMULA_OPERATIONS,
	     .rules = { UNIT, FORMULA_LOG_BASE },
	     .form = FIT_FORMS,
	     .name = "fitted" };

static bool set_text(const struct option_spec *option, const char *value)
{
	if (strcmp(option->name, "save") == 0)
		choice.save = value;
	else if (strcmp(option->name, "algorithm") == 0)
		choice.algorithm = value;
	else if (strlen(value) >= FORMULA_NAME_MAX ||
		 strpbrk(value, " \n\r\"#"))
		return false;
	else
		choice.name = value;
	return *value != '\0';
}

static bool set_operation(const struct option_spec *option, const char *value)
{
	(void)option;
	choice.operation = formula_find(value);
	return choice.operation != FORMULA_OPERATIONS;
}

static bool set_number(const struct option_spec *option, const char *value)
{
	double number;

	if (!number_read(value, strlen(value), &number))
		return false;
	if (strcmp(option->name, "unit") == 0) {
		choice.rules.unit = number;
		return number >= 1;
	}
	if (strcmp(option->name, "overhead") == 0) {
		choice.overhead = number;
		return number >= 0;
	}
	choice.rules.log_base = number;
	return number > 1;
}

static bool set_model(const struct option_spec *option, const char *value)
{
	int i = 0;

	(void)option;
	while (i < FIT_FORMS && strcmp(fit_names[i], value) != 0)
		i++;
	choice.form = (enum fit_form)i;
	return i < FIT_FORMS || strcmp(value, "best") == 0;
}

static bool set_export(const struct option_spec *option, const char *value)
{
	(void)option;
	for (int i = 1; i < EXPORTS; i++)
		if (strcmp(export_names[i], value) == 0)
			choice.export = (enum export)i;
	return choice.export && strcmp(export_names[choice.export], value) == 0;
}

static bool set_picture(const struct option_spec *option, const char *value)
{
	(void)value;
	if (strcmp(option->name, "svg") == 0)
		choice.svg = true;
	else
		choice.plot = true;
	return true;
}

static const struct option_spec *options(void)
{
	static const struct option_spec list[] = {
		{ "operation", 'o', "NAME", "an operation of bcs model eval",
		  "of this operation alone", set_operation },
		{ "algorithm", 'a', "NAME", "a name",
		  "of collectives that were measured by several algorithms, "
		  "this one; default: mpi",
		  set_text },
		{ "unit", 'u', "BYTES", "a number from 1 on",
		  "the paper's D_tu; default: 2048", set_number },
		{ "log-base", 0, "B", "a number above 1",
		  "the base of log; default: 2", set_number },
		{ "save", 0, "FILE", "a file",
		  "write what was fitted as a system, for bcs model eval; -: "
		  "to stdout, instead of the tables",
		  set_text },
		{ "name", 0, "NAME", "up to 47 letters without spaces",
		  "the system's name in it; default: fitted", set_text },
		{ "model", 'm', "NAME",
		  "best, squares, percent, hockney, loggp or pieces",
		  "what is saved of each operation; default: best", set_model },
		{ "export", 'e', "WHAT",
		  "loggopsim, extrap-text or extrap-json",
		  "instead of the tables: the options of LogGOPSim "
		  "(loggopsim), or the measurements for Extra-P, as text or "
		  "as lines of JSON",
		  set_export },
		{ "overhead", 0, "US", "a number from 0 on",
		  "o for LogGOPSim, which round trips do not tell; default: 0",
		  set_number },
		{ "plot", 'p', NULL, NULL,
		  "show the best fit against the measurements, too",
		  set_picture },
		{ "svg", 0, NULL, NULL, "a picture of that", set_picture },
		{ "width", 'w', "N", "60 to 10000",
		  "columns of a line; default: those of the terminal, else 80",
		  report_choice_width },
		{ "csv", 0, NULL, NULL, "the tables as CSV",
		  report_choice_flag },
		{ "json", 0, NULL, NULL, "the tables as JSON",
		  report_choice_flag },
		{ NULL, 0, NULL, NULL, NULL, NULL },
	};

	return list;
}

static int read_one(struct points *points, const char *path)
{
	struct tree_fault fault = { "there is no memory left" };
	size_t size;
	char *text = input_read(path, &size);
	int rc;

	if (!text)
		return 2;
	rc = points_read(points, text, size, choice.algorithm, &fault);
	free(text);
	if (rc == 0)
		return 0;
	say_error("%s: %s", path, fault.text);
	return 2;
}

static void keep_operation(struct points *points)
{
	size_t kept = 0;

	for (size_t i = 0; i < points->n; i++)
		if (choice.operation == FORMULA_OPERATIONS ||
		    points->points[i].operation == choice.operation)
			points->points[kept++] = points->points[i];
	points->n = kept;
}

static int read_all(struct points *points, int argc, char **argv)
{
	int status = 0;

	for (int i = 0; status == 0 && i < argc; i++)
		status = read_one(points, argv[i]);
	if (status != 0)
		return status;
	if (points->n_foreign)
		say_warning("%zu lines are of operations that no formula is "
			    "of: left out",
			    points->n_foreign);
	if (points->n_algorithm)
		say_warning("%zu lines are of other algorithms than %s: left "
			    "out (see --algorithm)",
			    points->n_algorithm, choice.algorithm);
	keep_operation(points);
	if (points->n == 0) {
		say_error("no measurement of %s",
			  formulas[choice.operation].name);
		return 2;
	}
	points_sort(points);
	return 0;
}

/* Operations that have too few points are told of. */
static size_t fit_all(const struct points *points, struct fits *fits)
{
	size_t first = 0;
	size_t n = 0;
	int rc;

	for (size_t i = 1; i <= points->n; i++) {
		const enum formula_operation of = points->points[first]
							  .operation;

		if (i < points->n && points->points[i].operation == of)
			continue;
		rc = fits_make(&fits[n], points->points + first, i - first,
			       &choice.rules);
		if (rc == 0)
			n++;
		else if (rc == -EDOM)
			say_warning("%s: too few different sizes to fit "
				    "anything: left out",
				    formulas[of].name);
		else
			say_error("there is no memory left");
		first = i;
	}
	return n;
}

static int save_to(const struct fits *fits, size_t n, FILE *to)
{
	struct formula_system system;
	enum fit_form form;
	int rc = 0;

	formula_system_init(&system, choice.name);
	system.log_base = choice.rules.log_base;
	for (size_t i = 0; rc == 0 && i < n; i++) {
		form = choice.form == FIT_FORMS ? fits[i].best : choice.form;
		if (!fits[i].has[form]) {
			say_warning("%s has no fit of %s: its best is saved",
				    formulas[fits[i].operation].name,
				    fit_names[form]);
			form = fits[i].best;
		}
		rc = fit_save(&fits[i], form, &choice.rules, &system);
	}
	if (rc == 0)
		system_file_write(&system, to);
	else
		say_error("there is no memory left");
	formula_system_clear(&system);
	return rc ? 2 : 0;
}

static int save(const struct fits *fits, size_t n)
{
	int status;
	FILE *to;

	if (strcmp(choice.save, "-") == 0)
		return save_to(fits, n, stdout);
	to = fopen(choice.save, "w");
	if (!to) {
		say_error("%s: %s", choice.save, strerror(errno));
		return 2;
	}
	status = save_to(fits, n, to);
	if (fclose(to) != 0) {
		say_error("%s: %s", choice.save, strerror(errno));
		status = 2;
	}
	return status;
}

typedef struct table *table_maker(const struct fits *fits, size_t n);

static table_maker *const tables[] = { model_fit_errors, model_fit_params,
				       model_fit_pieces };
#define N_TABLES (sizeof(tables) / sizeof(tables[0]))

static void show(const struct fits *fits, size_t n)
{
	struct table *made[N_TABLES];

	for (size_t i = 0; i < N_TABLES; i++)
		made[i] = tables[i](fits, n);
	report_choice_tables(made, N_TABLES);
	for (size_t i = 0; i < N_TABLES; i++)
		table_free(made[i]);
	if (choice.plot)
		model_plot_text(fits, n, report_choice.options.width);
}

static int export_p2p(const struct fits *fits, size_t n)
{
	int rc = -EDOM;

	for (size_t i = 0; i < n; i++)
		if (fits[i].operation == FORMULA_P2P)
			rc = export_loggopsim(&fits[i], choice.overhead,
					      stdout);
	if (rc == 0)
		return 0;
	say_error("LogGOPSim wants a fit of p2p whose L + 2o is at least twice "
		  "--overhead");
	return 2;
}

static int show_fits(const struct fits *fits, size_t n)
{
	int status = 0;

	if (n == 0) {
		say_error("there is nothing that could be fitted");
		return 2;
	}
	if (choice.save)
		status = save(fits, n);
	if (status != 0 || (choice.save && strcmp(choice.save, "-") == 0))
		return status;
	if (choice.export)
		return export_p2p(fits, n);
	if (choice.svg)
		model_plot_svg(fits, n);
	else
		show(fits, n);
	return 0;
}

static int export_points(const struct points *points)
{
	if (choice.export == EXPORT_JSON) {
		export_extrap_json(points, stdout);
		return 0;
	}
	if (export_extrap_text(points, stdout) == 0)
		return 0;
	say_error("the text format holds one operation: --operation says "
		  "which");
	return 2;
}

static int of_points(const struct points *points)
{
	struct fits *fits;
	int status;
	size_t n;

	if (choice.export == EXPORT_TEXT || choice.export == EXPORT_JSON)
		return export_points(points);
	fits = mem_alloc(FORMULA_OPERATIONS, sizeof(*fits));
	n = fit_all(points, fits);
	status = show_fits(fits, n);
	for (size_t i = 0; i < n; i++)
		fits_clear(&fits[i]);
	free(fits);
	return status;
}

/* What is written besides the fits takes the place of their tables. */
static bool suits_export(void)
{
	switch (choice.export) {
	case EXPORT_NONE:
		return options_none(OPTIONS("overhead"),
				    "without --export=loggopsim");
	case EXPORT_LOGGOPSIM:
		return choice.save || options_none(OPTIONS("unit", "log-base"),
						   "with --export=loggopsim");
	default:
		return options_none(
			OPTIONS("save", "overhead", "unit", "log-base"),
			"with --export of measurements");
	}
}

static bool suits_save(void)
{
	if (!choice.save)
		return options_none(OPTIONS("model", "name"), "without --save");
	return strcmp(choice.save, "-") != 0 ||
	       options_none(
		       OPTIONS("export", "svg", "csv", "json", "plot", "width"),
		       "with --save=-");
}

static bool suits(void)
{
	return options_one_at_most(
		       OPTIONS("export", "svg", "csv", "json", "plot")) &&
	       options_one_at_most(OPTIONS("width", "export")) &&
	       options_one_at_most(OPTIONS("width", "svg")) &&
	       options_one_at_most(OPTIONS("width", "csv")) &&
	       options_one_at_most(OPTIONS("width", "json")) && suits_save() &&
	       suits_export();
}

static int fit(int argc, char **argv)
{
	struct points points = { 0 };
	int status;

	if (argc == 0) {
		say_error("at least one FILE of measurements (see --help)");
		return 2;
	}
	if (!suits())
		return 2;
	report_choice_look();
	status = read_all(&points, argc, argv);
	if (status == 0)
		status = of_points(&points);
	say_rest();
	points_clear(&points);
	return output_end() ? 2 : status;
}

const struct verb verb_model_fit = {
	.name = "model fit",
	.summary = "fit the formulas to what was measured",
	.operands = "FILE...",
	.about =
		"Fits the paper's formulas, Hockney's, LogGP and lines in "
		"pieces to the measurements in\nFILEs (-: stdin), and names "
		"the best by what it predicts of sizes that are left out.\n"
		"FILE is what mpib_run --csv or --json writes, or CSV with the "
		"columns operation and one\nof time (us), seconds, watts and "
		"probability, and as far as operations need them\nprocesses, "
		"bytes, threads, instructions and duration (s).\n",
	.options = options,
	.run = fit,
};
