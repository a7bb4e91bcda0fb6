/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Writes what was fitted in the form that was asked for: tables, a system file,
 * or an export.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analyzer/base/say.h"
#include "analyzer/model/model_fit_choice.h"
#include "analyzer/model/model_fit_show.h"
#include "analyzer/model/model_fit_table.h"
#include "analyzer/model/model_plot.h"
#include "analyzer/report/report_choice.h"
#include "model/export.h"
#include "model/system_file.h"

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

static bool end(FILE *to)
{
	bool whole;

	errno = EIO; /* unless somebody tells more */
	whole = fflush(to) == 0 && !ferror(to);
	if (fclose(to) == 0 && whole)
		return true;
	say_error("%s: %s", model_fit_choice.save, strerror(errno));
	return false;
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
	return end(to) ? status : 2;
}

typedef struct table *table_maker(const struct fits *fits, size_t n);

static table_maker *const tables[] = { model_fit_errors, model_fit_params,
				       model_fit_pieces };
#define N_TABLES (sizeof(tables) / sizeof(tables[0]))

static void show(const struct fits *fits, size_t n, const struct logp *logp)
{
	struct table *made[N_TABLES + 1];
	const size_t n_made = N_TABLES + (logp->n > 0);

	for (size_t i = 0; i < N_TABLES; i++)
		made[i] = tables[i](fits, n);
	if (n_made > N_TABLES)
		made[N_TABLES] = model_fit_logp(logp);
	report_choice_tables(made, n_made);
	for (size_t i = 0; i < n_made; i++)
		table_free(made[i]);
	if (model_fit_choice.plot)
		model_plot_text(fits, n, report_choice.options.width);
}

/*
 * The overhead and gap for LogGOPSim: what the user gives, else what was
 * measured.  A send and a receive that overlap on two cores may take more than
 * L + 2o, and then L is 0.
 */
static int export_messages(const struct fits *fits, const struct logp *logp)
{
	const struct fit *loggp = &fits->fits[FIT_LOGGP];
	const double measured = logp_overhead(logp);
	double overhead = model_fit_choice.overhead;
	double gap = logp_median(logp, LOGP_GAP, 0);

	if (!isnan(measured) && !options_given("overhead")) {
		overhead = measured;
		if (fits->has[FIT_LOGGP] &&
		    2 * measured > loggp->params[0].value) {
			overhead = loggp->params[0].value / 2;
			say_warning("o_s + o_r is more than L + 2o: L is 0, o "
				    "half of L + 2o");
		}
	}
	if (isnan(gap))
		gap = overhead;
	return export_loggopsim(fits, overhead, gap, stdout);
}

static int export_p2p(const struct fits *fits, size_t n,
		      const struct logp *logp)
{
	int rc = -EDOM;

	for (size_t i = 0; i < n; i++)
		if (fits[i].operation == FORMULA_P2P)
			rc = export_messages(&fits[i], logp);
	if (rc == 0)
		return 0;
	say_error("LogGOPSim wants a fit of p2p whose L + 2o is at least twice "
		  "--overhead");
	return 2;
}

int model_fit_show(const struct fits *fits, size_t n, const struct logp *logp)
{
	int status = 0;

	if (model_fit_choice.save)
		status = save(fits, n);
	if (status != 0 ||
	    (model_fit_choice.save && strcmp(model_fit_choice.save, "-") == 0))
		return status;
	if (model_fit_choice.export)
		return export_p2p(fits, n, logp);
	if (model_fit_choice.svg)
		model_plot_svg(fits, n);
	else
		show(fits, n, logp);
	return 0;
}

int model_fit_show_points(const struct points *points)
{
	const bool json = model_fit_choice.export == EXPORT_JSON;
	const int rc = json ? export_extrap_json(points, stdout)
			    : export_extrap_text(points, stdout);

	if (rc == 0)
		return 0;
	say_error("Extra-P takes one operation at a time: --operation says "
		  "which");
	return 2;
}
