/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/input.h"
#include "analyzer/mem.h"
#include "analyzer/model_fit_choice.h"
#include "analyzer/model_fit_table.h"
#include "analyzer/model_plot.h"
#include "analyzer/output.h"
#include "analyzer/report_choice.h"
#include "analyzer/say.h"
#include "analyzer/verb.h"
#include "model/export.h"
#include "model/system_file.h"

static int read_one(struct points *points, const char *path)
{
	struct tree_fault fault = { "there is no memory left" };
	size_t size;
	char *text = input_read(path, &size);
	int rc;

	if (!text)
		return 2;
	rc = points_read(points, text, size, model_fit_choice.algorithm,
			 &fault);
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
		if (model_fit_choice.operation == FORMULA_OPERATIONS ||
		    points->points[i].operation == model_fit_choice.operation)
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
			    points->n_algorithm, model_fit_choice.algorithm);
	keep_operation(points);
	if (points->n == 0) {
		say_error("no measurement of %s",
			  formulas[model_fit_choice.operation].name);
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
			       &model_fit_choice.rules);
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

	formula_system_init(&system, model_fit_choice.name);
	system.log_base = model_fit_choice.rules.log_base;
	for (size_t i = 0; rc == 0 && i < n; i++) {
		form = model_fit_choice.form == FIT_FORMS
			       ? fits[i].best
			       : model_fit_choice.form;
		if (!fits[i].has[form]) {
			say_warning("%s has no fit of %s: its best is saved",
				    formulas[fits[i].operation].name,
				    fit_names[form]);
			form = fits[i].best;
		}
		rc = fit_save(&fits[i], form, &model_fit_choice.rules, &system);
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

	if (strcmp(model_fit_choice.save, "-") == 0)
		return save_to(fits, n, stdout);
	to = fopen(model_fit_choice.save, "w");
	if (!to) {
		say_error("%s: %s", model_fit_choice.save, strerror(errno));
		return 2;
	}
	status = save_to(fits, n, to);
	if (fclose(to) != 0) {
		say_error("%s: %s", model_fit_choice.save, strerror(errno));
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
	if (model_fit_choice.plot)
		model_plot_text(fits, n, report_choice.options.width);
}

static int export_p2p(const struct fits *fits, size_t n)
{
	int rc = -EDOM;

	for (size_t i = 0; i < n; i++)
		if (fits[i].operation == FORMULA_P2P)
			rc = export_loggopsim(
				&fits[i], model_fit_choice.overhead, stdout);
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
	if (model_fit_choice.save)
		status = save(fits, n);
	if (status != 0 ||
	    (model_fit_choice.save && strcmp(model_fit_choice.save, "-") == 0))
		return status;
	if (model_fit_choice.export)
		return export_p2p(fits, n);
	if (model_fit_choice.svg)
		model_plot_svg(fits, n);
	else
		show(fits, n);
	return 0;
}

static int export_points(const struct points *points)
{
	if (model_fit_choice.export == EXPORT_JSON) {
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

	if (model_fit_choice.export == EXPORT_TEXT ||
	    model_fit_choice.export == EXPORT_JSON)
		return export_points(points);
	fits = mem_alloc(FORMULA_OPERATIONS, sizeof(*fits));
	n = fit_all(points, fits);
	status = show_fits(fits, n);
	for (size_t i = 0; i < n; i++)
		fits_clear(&fits[i]);
	free(fits);
	return status;
}

static int fit(int argc, char **argv)
{
	struct points points = { 0 };
	int status;

	if (argc == 0) {
		say_error("at least one FILE of measurements (see --help)");
		return 2;
	}
	if (!model_fit_choice_suits())
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
	.options = model_fit_choice_options,
	.run = fit,
};
