/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Fits every form to the points of an operation.  Judges each form by points
 * that it was not fitted to.
 */
#include <errno.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/fit.h"
#include "model/linear.h"

#define FOLDS_MAX   200
#define FOLDS_LEAST 20
/* From this many points on, fewer fits are made, as they take long. */
#define POINTS_MANY 1000
/* Share of its error at which a form beats a simpler one. */
#define CLEARLY 0.95
/* Errors in percent below this are those of floating-point numbers. */
#define ROUNDING 1e-9

const char *const fit_names[FIT_FORMS] = {
	[FIT_SQUARES] = "squares", [FIT_PERCENT] = "percent",
	[FIT_HOCKNEY] = "hockney", [FIT_LOGGP] = "loggp",
	[FIT_LOGGPS] = "loggps",   [FIT_PIECES] = "pieces",
	[FIT_PLOGP] = "plogp",
};

/* Measured values and their predictions. */
struct outcome {
	double *measured;
	double *predicted;
	size_t n;
};

static int outcome_new(struct outcome *outcome, size_t n)
{
	outcome->measured = malloc((n + 1) * sizeof(double));
	outcome->predicted = malloc((n + 1) * sizeof(double));
	outcome->n = 0;
	return outcome->measured && outcome->predicted ? 0 : -ENOMEM;
}

static void outcome_clear(struct outcome *outcome)
{
	free(outcome->measured);
	free(outcome->predicted);
}

static int predict(const struct fit *fit, const struct point *point,
		   struct outcome *outcome)
{
	struct formula_value value;
	const int rc = formula_eval(&fit->system, point->operation,
				    &point->input, &value, NULL);

	if (rc == -ENODATA)
		return 0; /* more threads than were measured */
	outcome->measured[outcome->n] = point->value;
	outcome->predicted[outcome->n++] = value.value;
	return rc;
}

static double determination(const struct outcome *o)
{
	const double mean = gsl_stats_mean(o->measured, 1, o->n);
	double around = 0;
	double left = 0;

	for (size_t i = 0; i < o->n; i++) {
		around += pow(o->measured[i] - mean, 2);
		left += pow(o->measured[i] - o->predicted[i], 2);
	}
	return around > 0 ? 1 - left / around : NAN;
}

static void judge(const struct outcome *o, struct fit_errors *errors)
{
	double error;

	*errors = (struct fit_errors){ o->n, NAN, NAN, NAN, NAN, 0 };
	if (o->n == 0)
		return;
	errors->mean = errors->max = 0;
	for (size_t i = 0; i < o->n; i++) {
		error = 100 * fabs(o->predicted[i] - o->measured[i]) /
			o->measured[i];
		if (error < ROUNDING)
			error = 0;
		errors->mean += error / (double)o->n;
		errors->max = fmax(errors->max, error);
	}
	errors->determination = determination(o);
	if (o->n > 2)
		errors->r2 = pow(gsl_stats_correlation(o->measured, 1,
						       o->predicted, 1, o->n),
				 2);
}

static int rising(const void *one, const void *other)
{
	const double a = *(const double *)one;
	const double b = *(const double *)other;

	return (a > b) - (a < b);
}

/*
 * The spread by conformal prediction: a new error is at most the k-th of n
 * with probability k / (n + 1), whatever their distribution.  Overwrites the
 * predicted values.
 */
static double spread_of(struct outcome *o)
{
	const size_t k = (size_t)ceil(LINEAR_LEVEL * (double)(o->n + 1));
	double spread;

	for (size_t i = 0; i < o->n; i++)
		o->predicted[i] = o->predicted[i] > 0
					  ? fabs(log(o->measured[i] /
						     o->predicted[i]))
					  : INFINITY;
	if (k > o->n)
		return 0;
	qsort(o->predicted, o->n, sizeof(*o->predicted), rising);
	spread = exp(o->predicted[k - 1]);
	return isfinite(spread) ? spread : 0;
}

/* Divides the points into parts for cross-validation. */
struct parts {
	unsigned *of; /* the part of each point */
	unsigned n;
};

static unsigned folds_of(size_t n)
{
	if (n <= POINTS_MANY)
		return FOLDS_MAX;
	n = FOLDS_MAX * (size_t)POINTS_MANY / n;
	return n < FOLDS_LEAST ? FOLDS_LEAST : (unsigned)n;
}

static unsigned each_input(const struct point *points, size_t n, unsigned *of)
{
	const unsigned most = folds_of(n);
	unsigned inputs = 0;

	for (size_t i = 0; i < n; i++)
		of[i] = i && points_repeat(&points[i], &points[i - 1])
				? inputs - 1
				: inputs++;
	for (size_t i = 0; i < n; i++)
		of[i] %= most;
	return inputs < most ? inputs : most;
}

/* Part 1 is every second size, except the largest; part 0 is the rest. */
static int each_second(const struct point *points, size_t n, unsigned *of)
{
	double *sizes = malloc((n + 1) * sizeof(*sizes));
	size_t different = 0;
	size_t at;

	if (!sizes)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		sizes[i] = points_size(&points[i]);
	qsort(sizes, n, sizeof(*sizes), rising);
	for (size_t i = 0; i < n; i++)
		if (i == 0 || sizes[i] > sizes[different - 1])
			sizes[different++] = sizes[i];
	for (size_t i = 0; i < n; i++) {
		at = 0;
		while (sizes[at] < points_size(&points[i]))
			at++;
		of[i] = at % 2 == 1 && at + 1 < different;
	}
	free(sizes);
	return 0;
}

/* Fits all other parts and predicts this one. */
static int leave_out(const struct fits *fits, const struct fit_rules *rules,
		     enum fit_form form, const struct parts *parts,
		     unsigned part, struct outcome *outcome)
{
	struct point *others = malloc((fits->n + 1) * sizeof(*others));
	struct fit fit = { .form = form };
	size_t n = 0;
	int rc = others ? 0 : -ENOMEM;

	for (size_t i = 0; rc == 0 && i < fits->n; i++)
		if (parts->of[i] != part)
			others[n++] = fits->points[i];
	if (rc == 0)
		rc = fit_train(&fit, others, n, rules, false);
	free(others);
	if (rc != 0)
		return rc;
	for (size_t i = 0; rc == 0 && i < fits->n; i++)
		if (parts->of[i] == part)
			rc = predict(&fit, &fits->points[i], outcome);
	formula_system_clear(&fit.system);
	return rc;
}

static void tell(const struct fits *fits, const struct fit_rules *rules,
		 enum fit_form form, unsigned part, unsigned parts)
{
	if (rules->tell)
		rules->tell(fits->operation, form, part, parts);
}

static int cross(const struct fits *fits, const struct fit_rules *rules,
		 enum fit_form form, const struct parts *parts, unsigned first,
		 struct fit_errors *errors)
{
	struct outcome outcome;
	int rc = outcome_new(&outcome, fits->n);

	for (unsigned i = first; rc == 0 && i < parts->n; i++) {
		tell(fits, rules, form, i, parts->n);
		rc = leave_out(fits, rules, form, parts, i, &outcome);
	}
	if (rc == -EDOM) { /* too few points are left for a fit */
		outcome.n = 0;
		rc = 0;
	}
	if (rc == 0) {
		judge(&outcome, errors);
		errors->spread = spread_of(&outcome);
	}
	outcome_clear(&outcome);
	return rc;
}

static int judge_all(struct fits *fits, struct fit *fit)
{
	struct outcome outcome;
	int rc = outcome_new(&outcome, fits->n);

	for (size_t i = 0; rc == 0 && i < fits->n; i++)
		rc = predict(fit, &fits->points[i], &outcome);
	if (rc == 0)
		judge(&outcome, &fit->all);
	outcome_clear(&outcome);
	return rc;
}

static int judge_others(struct fits *fits, struct fit *fit,
			const struct fit_rules *rules)
{
	struct parts parts = { malloc((fits->n + 1) * sizeof(*parts.of)), 0 };
	int rc = parts.of ? 0 : -ENOMEM;

	if (rc == 0) {
		parts.n = each_input(fits->points, fits->n, parts.of);
		rc = cross(fits, rules, fit->form, &parts, 0, &fit->left_out);
	}
	if (rc == 0)
		rc = each_second(fits->points, fits->n, parts.of);
	if (rc == 0) {
		parts.n = 2;
		rc = cross(fits, rules, fit->form, &parts, 1, &fit->held_out);
	}
	free(parts.of);
	return rc;
}

static int make_one(struct fits *fits, enum fit_form form,
		    const struct fit_rules *rules)
{
	struct fit *fit = &fits->fits[form];
	int rc;

	fit->form = form;
	tell(fits, rules, form, 0, 0);
	rc = fit_train(fit, fits->points, fits->n, rules, true);
	if (rc != 0)
		return rc == -EDOM ? 0 : rc;
	fits->has[form] = true;
	rc = judge_all(fits, fit);
	return rc ? rc : judge_others(fits, fit, rules);
}

static double badness(const struct fit *fit)
{
	return isnan(fit->left_out.mean) ? 1e9 + fit->all.mean
					 : fit->left_out.mean;
}

static int choose(struct fits *fits)
{
	double least = INFINITY;

	fits->best = FIT_FORMS;
	for (int i = 0; i < FIT_FORMS; i++) {
		if (!fits->has[i] ||
		    (fits->best != FIT_FORMS &&
		     badness(&fits->fits[i]) >= CLEARLY * least))
			continue;
		least = badness(&fits->fits[i]);
		fits->best = (enum fit_form)i;
	}
	return fits->best == FIT_FORMS ? -EDOM : 0;
}

int fits_make(struct fits *fits, const struct point *points, size_t n,
	      const struct fit_rules *rules)
{
	int rc = n ? 0 : -EDOM;

	*fits = (struct fits){ .points = points, .n = n };
	if (n)
		fits->operation = points->operation;
	for (int i = 0; rc == 0 && i < FIT_FORMS; i++)
		if (fit_form_suits((enum fit_form)i, fits->operation))
			rc = make_one(fits, (enum fit_form)i, rules);
	if (rc == 0)
		rc = choose(fits);
	if (rc != 0)
		fits_clear(fits);
	return rc;
}

void fits_clear(struct fits *fits)
{
	for (int i = 0; i < FIT_FORMS; i++)
		if (fits->has[i])
			formula_system_clear(&fits->fits[i].system);
	memset(fits->has, 0, sizeof(fits->has));
}

/* Writes the fitted line as a curve, for a file whose unit of transfer differs
 * from the fit's. */
static void line_as_curve(const struct fits *fits, const struct fit *fit,
			  struct curve *curve)
{
	const struct formula *formula = &formulas[fits->operation];
	struct formula_input one = { .bytes = 1 };
	struct curve_row *row;

	for (size_t i = 0; i < fits->n && curve->n_rows < CURVE_ROWS_MAX; i++) {
		one.processes = fits->points[i].input.processes;
		if (!formula_by_processes(fits->operation))
			one.processes = 0;
		if (curve->n_rows &&
		    one.processes <= curve->rows[curve->n_rows - 1].processes)
			continue;
		row = &curve->rows[curve->n_rows++];
		row->processes = one.processes;
		row->n = 1;
		row->pieces[0].t = fit->system.params[formula->t];
		row->pieces[0].k = fit->system.params[formula->k] *
				   formula_x(fits->operation, &one, 1,
					     fit->system.log_base);
	}
}

int fit_save(const struct fits *fits, enum fit_form form,
	     const struct fit_rules *rules, struct formula_system *system)
{
	const struct fit *fit = &fits->fits[form];
	const struct fit *paper = &fits->fits[FIT_SQUARES];
	struct curve *curve;

	if (form == FIT_PERCENT ||
	    (fits->has[FIT_PERCENT] &&
	     badness(&fits->fits[FIT_PERCENT]) < badness(paper)))
		paper = &fits->fits[FIT_PERCENT];
	if (form == FIT_SQUARES)
		paper = fit;
	for (int i = 0; i < FORMULA_PARAMS; i++)
		if (!isnan(paper->system.params[i]) && paper->n_params)
			system->params[i] = paper->system.params[i];
	system->params[FORMULA_D_TU] = rules->unit;
	system->spreads[fits->operation] = fit->left_out.spread;
	if (form == FIT_SQUARES || form == FIT_PERCENT)
		return 0;
	curve = calloc(1, sizeof(*curve));
	if (!curve)
		return -ENOMEM;
	if (fit->system.curves[fits->operation])
		*curve = *fit->system.curves[fits->operation];
	else
		line_as_curve(fits, fit, curve);
	free(system->curves[fits->operation]);
	system->curves[fits->operation] = curve;
	return 0;
}
