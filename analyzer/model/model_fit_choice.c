/* SPDX-License-Identifier: BSD-3-Clause */

/* The options of `bcs model fit`. */
#include <math.h>
#include <string.h>

#include "analyzer/model/model_fit_choice.h"
#include "analyzer/report/report_choice.h"

#define UNIT 2048

struct model_fit_choice model_fit_choice = {
	.algorithm = "mpi",
	.operation = FORMULA_OPERATIONS,
	.rules = { .unit = UNIT, .log_base = FORMULA_LOG_BASE },
	.form = FIT_FORMS,
	.name = "fitted",
};

static bool set_name(const struct option_spec *option, const char *value)
{
	(void)option;
	model_fit_choice.name = value;
	return *value != '\0' && strlen(value) < FORMULA_NAME_MAX &&
	       !strpbrk(value, " \n\r\"#");
}

static bool set_operation(const struct option_spec *option, const char *value)
{
	(void)option;
	model_fit_choice.operation = formula_find(value);
	return model_fit_choice.operation != FORMULA_OPERATIONS;
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

const struct option_spec *model_fit_choice_options(void)
{
	static const struct option_spec list[] = {
		{ "operation", 'o', "NAME", "an operation of bcs model eval",
		  "fit this operation only", .set = set_operation },
		{ "algorithm", 'a', "NAME", "a name",
		  "algorithm to fit, of collectives measured with several; "
		  "default: mpi",
		  OPTION_TEXT(&model_fit_choice.algorithm) },
		{ "unit", 'u', "BYTES", "a number from 1 on",
		  "unit of transfer, D_tu in the paper; default: 2048",
		  OPTION_REAL(&model_fit_choice.rules.unit, 1, HUGE_VAL) },
		{ "log-base", 0, "B", "a number above 1",
		  "base of the logarithm; default: 2",
		  OPTION_REAL(&model_fit_choice.rules.log_base, OPTION_ABOVE_1,
			      HUGE_VAL) },
		{ "save", 0, "FILE", "a file",
		  "write the fitted system to FILE, for bcs model eval; - "
		  "prints it instead of the tables",
		  OPTION_TEXT(&model_fit_choice.save) },
		{ "name", 0, "NAME", "up to 47 letters without spaces",
		  "name of the system in that file; default: fitted",
		  .set = set_name },
		{ "model", 'm', "NAME",
		  "best, squares, percent, hockney, loggp, loggps, "
		  "pieces or plogp",
		  "model of each operation to save; default: best",
		  .set = set_model },
		{ "export", 'e', "WHAT",
		  "loggopsim, extrap-text or extrap-json",
		  "print options for LogGOPSim (loggopsim), or the "
		  "measurements of one operation for Extra-P as text or JSON, "
		  "instead of the tables",
		  OPTION_WORD(&model_fit_choice.export, EXPORT_LOGGOPSIM) },
		{ "overhead", 0, "US", "a number from 0 on",
		  "parameter o for LogGOPSim, which round trips cannot "
		  "measure; default: that of mpib_run plogp, else 0",
		  OPTION_REAL(&model_fit_choice.overhead, 0, HUGE_VAL) },
		{ "plot", 'p', NULL, NULL,
		  "add a plot of the best fit and the measurements",
		  OPTION_FLAG(&model_fit_choice.plot) },
		{ "svg", 0, NULL, NULL, "draw that plot as SVG",
		  OPTION_FLAG(&model_fit_choice.svg) },
		REPORT_OPTION_WIDTH,
		REPORT_OPTION_CSV("print the tables as CSV"),
		REPORT_OPTION_JSON("print the tables as JSON"),
		{ 0 },
	};

	return list;
}

/* An export takes the place of the tables, and of the options about them. */
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
