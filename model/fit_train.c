/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Fits one form to the points of an operation: a line, LogGP, pieces or stages.
 */
#include <errno.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_fit.h>
#include <math.h>
#include <stdlib.h>

#include "model/fit.h"
#include "model/linear.h"
#include "model/loggps.h"
#include "model/pieces.h"
#include "model/plogp.h"
#include "model/stages.h"

/* The points of an operation as x and y. */
struct plane {
	double *x;
	double *y;
	size_t n;
};

static int plane_new(struct plane *plane, size_t n)
{
	plane->x = malloc((n + 1) * sizeof(*plane->x));
	plane->y = malloc((n + 1) * sizeof(*plane->y));
	plane->n = 0;
	return plane->x && plane->y ? 0 : -ENOMEM;
}

static void plane_clear(struct plane *plane)
{
	free(plane->x);
	free(plane->y);
}

static void plane_add(struct plane *plane, double x, double y)
{
	plane->x[plane->n] = x;
	plane->y[plane->n++] = y;
}

static void put(struct fit *fit, const char *name, const char *unit,
		double value, double low, double high)
{
	fit->params[fit->n_params++] = (struct fit_param){ name, unit, value,
							   low, high };
}

static void put_param(struct fit *fit, enum formula_param param, double value,
		      double low, double high)
{
	fit->system.params[param] = value;
	put(fit, formula_param_name(param), formula_param_unit(param), value,
	    low, high);
}

static void put_line(struct fit *fit, enum formula_operation operation,
		     double unit, const struct linear *line)
{
	const struct formula *formula = &formulas[operation];

	put_param(fit, formula->t, line->t, line->t_low, line->t_high);
	put_param(fit, formula->k, line->k, line->k_low, line->k_high);
	if (formula->given & FORMULA_BYTES)
		fit->system.params[FORMULA_D_TU] = unit;
}

static enum linear_by by_of(enum fit_form form)
{
	return form == FIT_SQUARES ? LINEAR_SQUARES : LINEAR_PERCENT;
}

static int train_line(struct fit *fit, const struct point *points, size_t n,
		      double unit, bool whole)
{
	const enum formula_operation operation = points->operation;
	const enum linear_by by = by_of(fit->form);
	struct linear line = { 0 };
	struct plane plane;
	int rc = plane_new(&plane, n);

	for (size_t i = 0; rc == 0 && i < n; i++)
		plane_add(&plane,
			  formula_x(operation, &points[i].input, unit,
				    fit->system.log_base),
			  points[i].value);
	if (rc == 0)
		rc = linear_fit(by, plane.x, plane.y, n, &line);
	if (rc == 0 && whole)
		rc = linear_interval(by, plane.x, plane.y, n, &line);
	if (rc == 0)
		put_line(fit, operation, unit, &line);
	plane_clear(&plane);
	return rc;
}

/* A message of no bytes counts as one of one byte. */
static int loggp_curve(struct fit *fit, const struct linear *line)
{
	struct curve *curve = calloc(1, sizeof(*curve));

	if (!curve)
		return -ENOMEM;
	curve->n_rows = 1;
	curve->rows[0].n = 2;
	curve->rows[0].pieces[0] = (struct curve_piece){ 0, line->t, 0 };
	curve->rows[0].pieces[1] = (struct curve_piece){ 1, line->t - line->k,
							 line->k };
	fit->system.curves[FORMULA_P2P] = curve;
	put(fit, "L+2o", "us", line->t, line->t_low, line->t_high);
	put(fit, "G", "us/B", line->k, line->k_low, line->k_high);
	return 0;
}

static int train_loggp(struct fit *fit, const struct point *points, size_t n,
		       bool whole)
{
	struct linear line = { 0 };
	struct plane plane;
	int rc = plane_new(&plane, n);

	for (size_t i = 0; rc == 0 && i < n; i++)
		plane_add(&plane, fmax(points[i].input.bytes, 1) - 1,
			  points[i].value);
	if (rc == 0)
		rc = linear_fit(LINEAR_PERCENT, plane.x, plane.y, n, &line);
	if (rc == 0 && whole)
		rc = linear_interval(LINEAR_PERCENT, plane.x, plane.y, n,
				     &line);
	if (rc == 0)
		rc = loggp_curve(fit, &line);
	plane_clear(&plane);
	return rc;
}

static int loggps_curve(struct fit *fit, const struct loggps *of)
{
	struct curve *curve = calloc(1, sizeof(*curve));
	const double none = NAN;

	if (!curve)
		return -ENOMEM;
	curve->n_rows = 1;
	curve->rows[0].n = 3;
	curve->rows[0].pieces[0] = (struct curve_piece){ 0, of->base, 0 };
	curve->rows[0].pieces[1] = (struct curve_piece){ 1, of->base - of->gap,
							 of->gap };
	curve->rows[0].pieces[2] = (struct curve_piece){
		of->most + 1, of->base + of->handshake - of->gap, of->gap
	};
	fit->system.curves[FORMULA_P2P] = curve;
	put(fit, "L+2o", "us", of->base, none, none);
	put(fit, "G", "us/B", of->gap, none, none);
	put(fit, "H", "us", of->handshake, none, none);
	put(fit, "S", "B", of->most, none, none);
	return 0;
}

/* Sizes and times as they are; points of messages ascend by both. */
static int sizes_of(struct plane *plane, const struct point *points, size_t n)
{
	const int rc = plane_new(plane, n);

	for (size_t i = 0; rc == 0 && i < n; i++)
		plane_add(plane, points[i].input.bytes, points[i].value);
	return rc;
}

static int train_loggps(struct fit *fit, const struct point *points, size_t n)
{
	struct loggps loggps;
	struct plane plane;
	int rc = sizes_of(&plane, points, n);

	if (rc == 0)
		rc = loggps_fit(plane.x, plane.y, n, &loggps);
	if (rc == 0)
		rc = loggps_curve(fit, &loggps);
	plane_clear(&plane);
	return rc;
}

static int train_plogp(struct fit *fit, const struct point *points, size_t n)
{
	struct curve *curve = calloc(1, sizeof(*curve));
	struct plane plane;
	int rc = sizes_of(&plane, points, n);

	fit->system.curves[FORMULA_P2P] = curve;
	if (!curve)
		rc = -ENOMEM;
	if (rc == 0) {
		curve->n_rows = 1;
		rc = plogp_fit(plane.x, plane.y, n, &curve->rows[0]);
	}
	plane_clear(&plane);
	return rc;
}

/* Takes the row of points that begins at `first`; returns its end. */
static size_t take_row(struct plane *plane, const struct fit *fit,
		       const struct point *points, size_t n, size_t first)
{
	const enum formula_operation operation = points->operation;
	const bool by = formula_by_processes(operation);
	const double processes = points[first].input.processes;
	size_t i;

	plane->n = 0;
	for (i = first; i < n; i++) {
		if (by && points[i].input.processes > processes)
			break;
		plane_add(plane,
			  by ? points[i].input.bytes
			     : formula_x(operation, &points[i].input, 1,
					 fit->system.log_base),
			  points[i].value);
	}
	return i;
}

static int compare(const void *one, const void *other)
{
	const double a = *(const double *)one;
	const double b = *(const double *)other;

	return (a > b) - (a < b);
}

/* Sorts by x.  Rows that do not depend on processes hold the points of all
 * numbers of processes, one number after another. */
static int sort_plane(struct plane *plane)
{
	double(*both)[2] = malloc((plane->n + 1) * sizeof(*both));

	if (!both)
		return -ENOMEM;
	for (size_t i = 0; i < plane->n; i++) {
		both[i][0] = plane->x[i];
		both[i][1] = plane->y[i];
	}
	qsort(both, plane->n, sizeof(*both), compare);
	for (size_t i = 0; i < plane->n; i++) {
		plane->x[i] = both[i][0];
		plane->y[i] = both[i][1];
	}
	free(both);
	return 0;
}

static int train_pieces(struct fit *fit, const struct point *points, size_t n)
{
	const enum formula_operation operation = points->operation;
	struct curve *curve = calloc(1, sizeof(*curve));
	struct curve_row *row;
	struct plane plane;
	size_t at = 0;
	int rc = plane_new(&plane, n);

	if (!curve)
		rc = -ENOMEM;
	while (rc == 0 && at < n) {
		if (curve->n_rows == CURVE_ROWS_MAX) {
			rc = -EDOM;
			break;
		}
		row = &curve->rows[curve->n_rows++];
		if (formula_by_processes(operation))
			row->processes = points[at].input.processes;
		at = take_row(&plane, fit, points, n, at);
		rc = sort_plane(&plane);
		if (rc == 0)
			rc = pieces_fit(plane.x, plane.y, plane.n, 0, row);
	}
	plane_clear(&plane);
	fit->system.curves[operation] = curve;
	return rc;
}

/* The parameters of the stages: of compute, then of power. */
static const struct {
	bool is_line[STAGES];
	enum formula_param t[STAGES];
	enum formula_param k[STAGES];
} stage_names[] = {
	{ { false, false, true },
	  { FORMULA_T_MIN, FORMULA_T_LOW, FORMULA_T_HI },
	  { FORMULA_PARAMS, FORMULA_PARAMS, FORMULA_K_HI } },
	{ { true, true, false },
	  { FORMULA_PW_LOW, FORMULA_PW_HI, FORMULA_PW_MAX },
	  { FORMULA_KW_LOW, FORMULA_KW_HI, FORMULA_PARAMS } },
};

static void put_stages(struct fit *fit, bool power, const struct stages *stages)
{
	const struct linear *of = stages->of;
	enum formula_param k;

	put_param(fit, FORMULA_P_LOW, stages->p_low, NAN, NAN);
	if (stages->has[1])
		put_param(fit, FORMULA_P_HI, stages->p_hi, NAN, NAN);
	for (int s = 0; s < STAGES; s++) {
		if (!stages->has[s])
			continue;
		k = stage_names[power].k[s];
		put_param(fit, stage_names[power].t[s], of[s].t, of[s].t_low,
			  of[s].t_high);
		if (k != FORMULA_PARAMS)
			put_param(fit, k, of[s].k, of[s].k_low, of[s].k_high);
	}
}

/* Fits the time of one instruction, or the power. */
static int train_stages(struct fit *fit, const struct point *points, size_t n)
{
	const bool power = points->operation == FORMULA_POWER;
	struct stages stages;
	struct plane plane;
	int rc = plane_new(&plane, n);

	for (size_t i = 0; rc == 0 && i < n; i++)
		plane_add(&plane, points[i].input.threads,
			  power ? points[i].value
				: points[i].value /
					  points[i].input.instructions);
	if (rc == 0)
		rc = sort_plane(&plane);
	if (rc == 0)
		rc = stages_fit(stage_names[power].is_line, by_of(fit->form),
				plane.x, plane.y, n, &stages);
	if (rc == 0)
		put_stages(fit, power, &stages);
	plane_clear(&plane);
	return rc;
}

/* Fits lambda: -log of the probability is lambda t P. */
static int train_success(struct fit *fit, const struct point *points, size_t n)
{
	struct plane plane;
	double lambda;
	double deviation;
	double sum;
	double half = INFINITY;
	int rc = plane_new(&plane, n);

	for (size_t i = 0; rc == 0 && i < n; i++)
		plane_add(&plane,
			  points[i].input.seconds * points[i].input.processes,
			  -log(points[i].value));
	if (rc == 0) {
		gsl_fit_mul(plane.x, 1, plane.y, 1, n, &lambda, &deviation,
			    &sum);
		rc = isfinite(lambda) && lambda >= 0 ? 0 : -EDOM;
	}
	if (rc == 0 && n > 1)
		half = sqrt(deviation) *
		       gsl_cdf_tdist_Qinv((1 - LINEAR_LEVEL) / 2,
					  (double)n - 1);
	if (rc == 0)
		put_param(fit, FORMULA_LAMBDA, lambda, lambda - half,
			  lambda + half);
	plane_clear(&plane);
	return rc;
}

bool fit_form_suits(enum fit_form form, enum formula_operation operation)
{
	const bool line = formulas[operation].t != FORMULA_PARAMS;

	switch (form) {
	case FIT_SQUARES:
		return true;
	case FIT_PERCENT:
		return operation != FORMULA_SUCCESS;
	case FIT_HOCKNEY:
		return line && formulas[operation].given & FORMULA_BYTES;
	case FIT_LOGGP:
	case FIT_LOGGPS:
	case FIT_PLOGP:
		return operation == FORMULA_P2P;
	default:
		return line;
	}
}

static int train(struct fit *fit, const struct point *points, size_t n,
		 const struct fit_rules *rules, bool whole)
{
	switch (points->operation) {
	case FORMULA_COMPUTE:
	case FORMULA_POWER:
		return train_stages(fit, points, n);
	case FORMULA_SUCCESS:
		return train_success(fit, points, n);
	default:
		break;
	}
	switch (fit->form) {
	case FIT_LOGGP:
		return train_loggp(fit, points, n, whole);
	case FIT_LOGGPS:
		return train_loggps(fit, points, n);
	case FIT_PLOGP:
		return train_plogp(fit, points, n);
	case FIT_PIECES:
		return train_pieces(fit, points, n);
	case FIT_HOCKNEY:
		return train_line(fit, points, n, 1, whole);
	default:
		return train_line(fit, points, n, rules->unit, whole);
	}
}

int fit_train(struct fit *fit, const struct point *points, size_t n,
	      const struct fit_rules *rules, bool whole)
{
	int rc;

	formula_system_init(&fit->system, "fit");
	fit->system.log_base = rules->log_base;
	fit->n_params = 0;
	rc = n ? train(fit, points, n, rules, whole) : -EDOM;
	if (rc != 0)
		formula_system_clear(&fit->system);
	return rc;
}
