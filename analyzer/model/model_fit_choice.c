/* SPDX-License-Identifier: BSD-3-Clause */

/* The options of `bcs model fit`. */
#include <string.h>

#include "analyzer/model/model_fit_choice.h"
#include "analyzer/report/report_choice.h"
#include "tree/tree_text.h"

#define UNIT 2048

static const char *const export_names[EXPORTS] = { NULL, "loggopsim",
						   "extrap-text",
						   "extrap-json" };

struct model_fit_choice model_fit_choice = {
	.algorithm = "mpi",
	.operation = FORMULA_OPERATIONS,
	.rules = { .unit = UNIT, .log_base = FORMULA_LOG_BASE },
	.form = FIT_FORMS,
	.name = "fitted",
};

static bool set_text(const struct option_spec *option, const char *value)
{
	if (strcmp(option->name, "save") == 0)
		model_fit_choice.save = value;
	else if (strcmp(option->name, "algorithm") == 0)
		model_fit_choice.algorithm = value;
	else if (strlen(value) >= FORMULA_NAME_MAX ||
		 strpbrk(value, " \n\r\"#"))
		return false;
	else
		model_fit_choice.name = value;
	return *value != '\0';
}

static bool set_operation(const struct option_spec *option, const char *value)
{
	(void)option;
	model_fit_choice.operation = formula_find(value);
	return model_fit_choice.operation != FORMULA_OPERATIONS;
}

static bool set_number(const struct option_spec *option, const char *value)
{
	double number;

	if (!tree_text_real(value, strlen(value), &number))
		return false;
	if (strcmp(option->name, "unit") == 0) {
		model_fit_choice.rules.unit = number;
		return number >= 1;
	}
	if (strcmp(option->name, "overhead") == 0) {
		model_fit_choice.overhead = number;
		return number >= 0;
	}
	model_fit_choice.rules.log_base = number;
	return number > 1;
}

static bool set_model(const struct option_spec *option, const char *value)
{
	int i = 0;

	(void)option;
	while (i < FIT_FORMS && strcmp(fit_names[i], value) != 0)
		i++;
	model_fit_choice.form = (enum fit_form)i;
	return i < FIT_FORMS || strcmp(value, "best") == 0;
}

static bool set_export(const struct option_spec *option, const char *value)
{
	(void)option;
	for (int i = 1; i < EXPORTS; i++)
		if (strcmp(export_names[i], value) == 0)
			model_fit_choice.export = (enum model_fit_export)i;
	return model_fit_choice.export &&
	       strcmp(export_names[model_fit_choice.export], value) == 0;
}

static bool set_picture(const struct option_spec *option, const char *value)
{
	(void)value;
	if (strcmp(option->name, "svg") == 0)
		model_fit_choice.svg = true;
	else
		model_fit_choice.plot = true;
	return true;
}

const struct option_spec *model_fit_choice_options(void)
{
	static const struct option_spec list[] = {
		{ "operation", 'o', "NAME", "an operation of bcs model eval",
		  "fit this operation only", set_operation },
		{ "algorithm", 'a', "NAME", "a name",
		  "algorithm to fit, of collectives measured with several; "
		  "default: mpi",
		  set_text },
		{ "unit", 'u', "BYTES", "a number from 1 on",
		  "unit of transfer, D_tu in the paper; default: 2048",
		  set_number },
		{ "log-base", 0, "B", "a number above 1",
		  "base of the logarithm; default: 2", set_number },
		{ "save", 0, "FILE", "a file",
		  "write the fitted system to FILE, for bcs model eval; - "
		  "prints it instead of the tables",
		  set_text },
		{ "name", 0, "NAME", "up to 47 letters without spaces",
		  "name of the system in that file; default: fitted",
		  set_text },
		{ "model", 'm', "NAME",
		  "best, squares, percent, hockney, loggp or pieces",
		  "model of each operation to save; default: best", set_model },
		{ "export", 'e', "WHAT",
		  "loggopsim, extrap-text or extrap-json",
		  "print options for LogGOPSim (loggopsim), or the "
		  "measurements of one operation for Extra-P as text or JSON, "
		  "instead of the tables",
		  set_export },
		{ "overhead", 0, "US", "a number from 0 on",
		  "parameter o for LogGOPSim, which round trips cannot "
		  "measure; default: 0",
		  set_number },
		{ "plot", 'p', NULL, NULL,
		  "add a plot of the best fit and the measurements",
		  set_picture },
		{ "svg", 0, NULL, NULL, "draw that plot as SVG", set_picture },
		{ "width", 'w', "N", "60 to 10000",
		  "width of a line in columns; default: the width of the "
		  "terminal, else 80",
		  report_choice_width },
		{ "csv", 0, NULL, NULL, "print the tables as CSV",
		  report_choice_flag },
		{ "json", 0, NULL, NULL, "print the tables as JSON",
		  report_choice_flag },
		{ NULL, 0, NULL, NULL, NULL, NULL },
	};

	return list;
}

/* What is written besides the fits takes the place of their tables. */
static bool suits_export(void)
{
	switch (model_fit_choice.export) {
	case EXPORT_NONE:
		return options_none(OPTIONS("overhead"),
				    "without --export=loggopsim");
	case EXPORT_LOGGOPSIM:
		return model_fit_choice.save ||
		       options_none(OPTIONS("unit", "log-base"),
				    "with --export=loggopsim");
	default:
		return options_none(
			OPTIONS("save", "overhead", "unit", "log-base"),
			"with --export of measurements");
	}
}

static bool suits_save(void)
{
	if (!model_fit_choice.save)
		return options_none(OPTIONS("model", "name"), "without --save");
	return strcmp(model_fit_choice.save, "-") != 0 ||
	       options_none(
		       OPTIONS("export", "svg", "csv", "json", "plot", "width"),
		       "with --save=-");
}

bool model_fit_choice_suits(void)
{
	return options_one_at_most(
		       OPTIONS("export", "svg", "csv", "json", "plot")) &&
	       options_one_at_most(OPTIONS("width", "export")) &&
	       options_one_at_most(OPTIONS("width", "svg")) &&
	       options_one_at_most(OPTIONS("width", "csv")) &&
	       options_one_at_most(OPTIONS("width", "json")) && suits_save() &&
	       suits_export();
}
