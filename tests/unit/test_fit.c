/* SPDX-License-Identifier: BSD-3-Clause */

/* Tests of model/fit.h: parameters are found again in made-up measurements. */
#include <check.h>
#include <errno.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/fit.h"
#include "model/linear.h"
#include "model/loggps.h"
#include "model/plogp.h"
#include "model/preset.h"
#include "model/system_file.h"

#define NOISE 0.03

static const struct fit_rules rules = { .unit = 2048,
					.log_base = FORMULA_LOG_BASE };
static gsl_rng *rng;

/* The preset's own value, with noise that grows with it. */
static void measure(struct points *points, const struct preset *preset,
		    struct point point, double share)
{
	struct formula_value value;

	ck_assert_int_eq(formula_eval(&preset->system, point.operation,
				      &point.input, &value, NULL),
			 0);
	if (value.clamped || !(value.value > 0))
		return;
	point.value = value.value * exp(gsl_ran_gaussian(rng, share));
	ck_assert_int_eq(points_add(points, &point), 0);
}

static void measure_sizes(struct points *points, const struct preset *preset,
			  enum formula_operation operation, double share)
{
	struct point point = { .operation = operation };

	for (double p = 2; p <= 64; p *= 2)
		for (double d = 1; d <= 1 << 22; d *= 2.5) {
			point.input.processes = p;
			point.input.bytes = floor(d);
			measure(points, preset, point, share);
			if (!formula_by_processes(operation))
				measure(points, preset, point, share);
		}
	points_sort(points);
}

static void measure_threads(struct points *points, const struct preset *preset,
			    enum formula_operation operation, double share)
{
	struct point point = { .operation = operation,
			       .input = { .instructions = 11e6 } };

	for (int p = 1; p <= 40; p++)
		for (int i = 0; i < 3; i++) {
			point.input.threads = p;
			measure(points, preset, point, share);
		}
	points_sort(points);
}

static const struct fit_param *param_of(const struct fit *fit, const char *name)
{
	for (unsigned i = 0; i < fit->n_params; i++)
		if (strcmp(fit->params[i].name, name) == 0)
			return &fit->params[i];
	ck_abort_msg("no %s", name);
}

struct count {
	unsigned within;
	unsigned of;
};

/*
 * Whether a preset's parameter lies in the interval of the fit, and how far the
 * fitted one is off.  The interval is of 95 %, so that a few may not.
 */
static void check_param(const struct fit *fit, const struct preset *preset,
			enum formula_param param, struct count *count)
{
	const struct fit_param *is = param_of(fit, formula_param_name(param));
	const double wanted = preset->system.params[param];

	count->of++;
	count->within += is->low <= wanted && wanted <= is->high;
	ck_assert_double_le(is->low, is->value);
	ck_assert_double_le(is->value, is->high);
	ck_assert_double_ge(is->high - is->low, 0);
}

static void recover_lines(const struct preset *preset, enum fit_form form,
			  struct count *count)
{
	struct points points = { 0 };
	struct fit fit = { .form = form };

	for (int i = 0; i < FORMULA_OPERATIONS; i++) {
		const enum formula_operation operation =
			(enum formula_operation)i;

		if (formulas[i].t == FORMULA_PARAMS)
			continue;
		points.n = 0;
		measure_sizes(&points, preset, operation, NOISE);
		ck_assert_int_eq(
			fit_train(&fit, points.points, points.n, &rules, true),
			0);
		check_param(&fit, preset, formulas[i].t, count);
		check_param(&fit, preset, formulas[i].k, count);
		formula_system_clear(&fit.system);
	}
	points_clear(&points);
}

static void check_count(const char *what, const struct count *count)
{
	printf("%s: %u of %u within their intervals\n", what, count->within,
	       count->of);
	/* Nine in ten and more, of intervals that are to hold 19 of 20. */
	ck_assert_uint_ge(10 * count->within, 9 * count->of);
}

START_TEST(parameters_of_presets_are_recovered)
{
	for (enum fit_form form = FIT_SQUARES; form <= FIT_PERCENT; form++) {
		struct count count = { 0, 0 };

		gsl_rng_set(rng, 2015);
		for (size_t i = 0; i < PRESETS; i++)
			recover_lines(&presets[i], form, &count);
		check_count(fit_names[form], &count);
	}
}
END_TEST

/* The noise of a parameter's mean is small against the parameter. */
static void check_close(const struct fit *fit, const struct preset *preset,
			enum formula_param param, double share)
{
	const double wanted = preset->system.params[param];

	ck_assert_double_eq_tol(param_of(fit, formula_param_name(param))->value,
				wanted, share * fabs(wanted));
}

/* By squares the noise of many threads hides that KASK's T_low is 3 % more than
 * its T_min. */
START_TEST(stages_of_presets_are_recovered)
{
	for (size_t i = 0; i < PRESETS; i++)
		for (enum fit_form form = FIT_SQUARES; form <= FIT_PERCENT;
		     form++) {
			const struct preset *preset = &presets[i];
			struct points points = { 0 };
			struct fit fit = { .form = form };

			if (form == FIT_SQUARES &&
			    preset == preset_find("kask"))
				continue;
			gsl_rng_set(rng, 9 + i);
			measure_threads(&points, preset, FORMULA_COMPUTE,
					NOISE / 3);
			ck_assert_int_eq(fit_train(&fit, points.points,
						   points.n, &rules, true),
					 0);
			check_close(&fit, preset, FORMULA_P_LOW, .001);
			check_close(&fit, preset, FORMULA_T_MIN, .01);
			check_close(&fit, preset, FORMULA_K_HI, .05);
			if (!isnan(preset->system.params[FORMULA_P_HI])) {
				check_close(&fit, preset, FORMULA_P_HI, .001);
				check_close(&fit, preset, FORMULA_T_LOW, .01);
			}
			formula_system_clear(&fit.system);
			points_clear(&points);
		}
}
END_TEST

START_TEST(power_of_a_preset_is_recovered)
{
	const struct preset *preset = preset_find("galera+");
	struct points points = { 0 };
	struct fit fit = { .form = FIT_SQUARES };

	gsl_rng_set(rng, 3);
	measure_threads(&points, preset, FORMULA_POWER, NOISE / 30);
	ck_assert_int_eq(fit_train(&fit, points.points, points.n, &rules, true),
			 0);
	check_close(&fit, preset, FORMULA_P_LOW, .001);
	check_close(&fit, preset, FORMULA_P_HI, .001);
	check_close(&fit, preset, FORMULA_PW_LOW, .01);
	check_close(&fit, preset, FORMULA_KW_LOW, .02);
	check_close(&fit, preset, FORMULA_PW_HI, .01);
	check_close(&fit, preset, FORMULA_KW_HI, .05);
	check_close(&fit, preset, FORMULA_PW_MAX, .01);
	formula_system_clear(&fit.system);
	points_clear(&points);
}
END_TEST

START_TEST(failures_of_a_preset_are_recovered)
{
	const struct preset *preset = preset_find("galera+");
	struct points points = { 0 };
	struct fit fit = { .form = FIT_SQUARES };
	struct count count = { 0, 0 };

	gsl_rng_set(rng, 4);
	for (int days = 1; days <= 20; days++)
		measure(&points, preset,
			(struct point){ .operation = FORMULA_SUCCESS,
					.input = { .processes = 192,
						   .seconds = 86400. * days } },
			1e-4);
	ck_assert_int_eq(fit_train(&fit, points.points, points.n, &rules, true),
			 0);
	check_param(&fit, preset, FORMULA_LAMBDA, &count);
	ck_assert_uint_eq(count.within, 1);
	formula_system_clear(&fit.system);
	points_clear(&points);
}
END_TEST

/* Five lines of known answer: (1,1) (2,2) (3,3) (4,40) has |error| / y least
 * for the line through the first three. */
START_TEST(percent_is_not_led_astray)
{
	const double x[] = { 1, 2, 3, 4, 5 };
	const double y[] = { 1, 2, 3, 40, 5 };
	struct linear line;

	ck_assert_int_eq(linear_fit(LINEAR_PERCENT, x, y, 5, &line), 0);
	ck_assert_double_eq_tol(line.t, 0, 1e-6);
	ck_assert_double_eq_tol(line.k, 1, 1e-6);
	/* By hand: means 3 and 10.2; 48 / 10. */
	ck_assert_int_eq(linear_fit(LINEAR_SQUARES, x, y, 5, &line), 0);
	ck_assert_double_eq_tol(line.k, 4.6, 1e-9);
	ck_assert_double_eq_tol(line.t, -3.6, 1e-9);
	ck_assert_int_eq(linear_fit(LINEAR_SQUARES, x, y, 1, &line), -EDOM);
}
END_TEST

/* No line through two of the points is better. */
START_TEST(percent_is_the_least)
{
	double x[12];
	double y[12];
	struct linear line;

	for (unsigned long seed = 1; seed <= 30; seed++) {
		double found = 0;
		double least = INFINITY;

		gsl_rng_set(rng, seed);
		for (int i = 0; i < 12; i++) {
			x[i] = gsl_rng_uniform(rng) * 100;
			y[i] = (5 + x[i]) * exp(gsl_ran_gaussian(rng, 1));
		}
		ck_assert_int_eq(linear_fit(LINEAR_PERCENT, x, y, 12, &line),
				 0);
		for (int i = 0; i < 12; i++)
			found += fabs(line.t + line.k * x[i] - y[i]) / y[i];
		for (int a = 0; a < 12; a++)
			for (int b = 0; b < a; b++) {
				const double k = (y[a] - y[b]) / (x[a] - x[b]);
				double sum = 0;

				for (int i = 0; i < 12; i++)
					sum += fabs(y[a] + k * (x[i] - x[a]) -
						    y[i]) /
					       y[i];
				least = fmin(least, sum);
			}
		ck_assert_double_eq_tol(found, least, 1e-6 * least);
	}
}
END_TEST

/* A curve with a step is fitted by pieces; the paper's curve is not. */
START_TEST(the_best_is_what_predicts_best)
{
	const struct preset *preset = preset_find("galera+");
	struct points points = { 0 };
	struct fits fits;

	gsl_rng_set(rng, 5);
	measure_sizes(&points, preset, FORMULA_P2P, NOISE);
	ck_assert_int_eq(fits_make(&fits, points.points, points.n, &rules), 0);
	ck_assert_int_le(fits.best, FIT_PERCENT);
	ck_assert_double_ge(fits.fits[FIT_SQUARES].held_out.r2, .99);
	ck_assert_double_le(fits.fits[fits.best].left_out.mean, 4);
	fits_clear(&fits);
	for (size_t i = 0; i < points.n; i++) {
		points.points[i].value = 1 + points.points[i].input.bytes / 1e3;
		if (points.points[i].input.bytes > 8192)
			points.points[i].value = 100 +
						 points.points[i].input.bytes /
							 2e3;
	}
	ck_assert_int_eq(fits_make(&fits, points.points, points.n, &rules), 0);
	ck_assert_int_eq(fits.best, FIT_PIECES);
	fits_clear(&fits);
	points_clear(&points);
}
END_TEST

/* Exact times have no error, whatever is left out. */
START_TEST(errors_are_those_of_what_is_left_out)
{
	struct points points = { 0 };
	struct point point = { .operation = FORMULA_READ };
	struct fits fits;

	for (int i = 1; i <= 6; i++) {
		point.input.bytes = 2048. * i;
		point.value = 10 + i;
		ck_assert_int_eq(points_add(&points, &point), 0);
	}
	points.points[5].value = 32; /* not 16 */
	ck_assert_int_eq(fits_make(&fits, points.points, points.n, &rules), 0);
	/* The others make it 16, which is half of its value. */
	ck_assert_double_eq_tol(fits.fits[FIT_PERCENT].left_out.max, 50, 1e-3);
	ck_assert_uint_eq(fits.fits[FIT_PERCENT].left_out.n, 6);
	ck_assert_double_eq_tol(fits.fits[FIT_PERCENT].left_out.mean, 50. / 6,
				1e-2);
	/* By squares it leads the others astray, 11 the most: 4.6 without it.
	 */
	ck_assert_double_eq_tol(fits.fits[FIT_SQUARES].left_out.max,
				100 * 6.4 / 11, 1e-6);
	/* Held out are the second and the fourth: never the largest. */
	ck_assert_uint_eq(fits.fits[FIT_PERCENT].held_out.n, 2);
	ck_assert_double_eq_tol(fits.fits[FIT_PERCENT].all.max, 50, 1e-3);
	fits_clear(&fits);
	ck_assert_int_eq(fits_make(&fits, points.points, 1, &rules), 0);
	ck_assert_int_eq(fits.best, FIT_PIECES);
	ck_assert(!fits.has[FIT_SQUARES]);
	fits_clear(&fits);
	points_clear(&points);
}
END_TEST

/* The share of new measurements that lies in the intervals of the best fit. */
static double covered(const struct points *points, const struct points *others)
{
	const struct point *first = points->points;
	struct formula_value value;
	struct formula_system saved;
	struct fits fits;
	double within = 0;

	formula_system_init(&saved, "here");
	ck_assert_int_eq(fits_make(&fits, first, points->n, &rules), 0);
	ck_assert_int_eq(fit_save(&fits, fits.best, &rules, &saved), 0);
	for (size_t i = 0; i < others->n; i++) {
		const struct point *point = &others->points[i];

		ck_assert_int_eq(formula_eval(&saved, point->operation,
					      &point->input, &value, NULL),
				 0);
		within += value.low <= point->value &&
			  point->value <= value.high;
	}
	formula_system_clear(&saved);
	fits_clear(&fits);
	return within / (double)others->n;
}

/* The noise is not normal: one measurement in ten is disturbed. */
START_TEST(intervals_hold_new_measurements)
{
	const struct preset *preset = preset_find("galera+");
	struct points points = { 0 };
	struct points others = { 0 };
	double share;

	gsl_rng_set(rng, 7);
	for (int i = 0; i < 4; i++)
		measure_sizes(&points, preset, FORMULA_P2P, NOISE);
	for (int i = 0; i < 20; i++)
		measure_sizes(&others, preset, FORMULA_P2P, NOISE);
	for (size_t i = 0; i < points.n; i += 10)
		points.points[i].value *= 1.3;
	for (size_t i = 0; i < others.n; i += 10)
		others.points[i].value *= 1.3;
	share = covered(&points, &others);
	printf("%.3f of %zu are in their intervals\n", share, others.n);
	ck_assert_double_ge(share, .93);
	ck_assert_double_le(share, .97);
	points_clear(&points);
	points_clear(&others);
}
END_TEST

/*
 * All values but one are 10, so the fit by percent is 10 whatever is left out.
 * With 19 points the spread is the greatest error.
 */
START_TEST(intervals_want_nineteen_points)
{
	struct points points = { 0 };
	struct point point = { .operation = FORMULA_READ };
	struct fits fits;

	for (int i = 0; i < 19; i++) {
		point.input.bytes = 2048. * i;
		point.value = i == 9 ? 40 : 10;
		ck_assert_int_eq(points_add(&points, &point), 0);
	}
	ck_assert_int_eq(fits_make(&fits, points.points, 18, &rules), 0);
	ck_assert_double_eq(fits.fits[FIT_PERCENT].left_out.spread, 0);
	fits_clear(&fits);
	ck_assert_int_eq(fits_make(&fits, points.points, 19, &rules), 0);
	ck_assert_double_eq_tol(fits.fits[FIT_PERCENT].left_out.spread, 4,
				1e-6);
	fits_clear(&fits);
	points_clear(&points);
}
END_TEST

#define SIZES 24
#define EACH  3

/* Times of messages that wait for their receiver above 8 KiB. */
static void measure_loggps(double *x, double *y, double handshake)
{
	for (int i = 0; i < SIZES * EACH; i++) {
		x[i] = i < EACH ? 0 : floor(pow(1.8, i / EACH));
		y[i] = 1 + fmax(x[i] - 1, 0) / 3000 +
		       (x[i] > 8192 ? handshake : 0);
		y[i] *= exp(gsl_ran_gaussian(rng, NOISE));
	}
}

/* Solves a[r][0..2] z = a[r][3] by elimination. */
static void solve(double a[3][4], double z[3])
{
	for (int c = 0; c < 3; c++)
		for (int r = 0; r < 3; r++) {
			const double share = a[r][c] / a[c][c];

			if (r == c)
				continue;
			for (int k = 0; k < 4; k++)
				a[r][k] -= share * a[c][k];
		}
	for (int c = 0; c < 3; c++)
		z[c] = a[c][3] / a[c][c];
}

/* The normal equations of base, gap and handshake for one S; returns the sum of
 * squared relative errors. */
static double solve_loggps(const double *x, const double *y, int n, double most,
			   double z[3])
{
	double a[3][4] = { { 0 } };
	double sum = 0;

	for (int i = 0; i < n; i++) {
		const double v[4] = { 1 / y[i], fmax(x[i] - 1, 0) / y[i],
				      (x[i] > most) / y[i], 1 };

		for (int r = 0; r < 3; r++)
			for (int c = 0; c < 4; c++)
				a[r][c] += v[r] * v[c];
	}
	solve(a, z);
	for (int i = 0; i < n; i++)
		sum += pow((z[0] + z[1] * fmax(x[i] - 1, 0) +
			    z[2] * (x[i] > most)) /
					   y[i] -
				   1,
			   2);
	return sum;
}

/* A second implementation tries each S and solves for the rest. */
START_TEST(loggps_is_the_least)
{
	double x[SIZES * EACH];
	double y[SIZES * EACH];
	struct loggps is;
	const int n = SIZES * EACH;

	for (unsigned long seed = 1; seed <= 20; seed++) {
		double wanted[4] = { 0 };
		double least = INFINITY;
		double z[3];
		double sum;

		gsl_rng_set(rng, seed);
		measure_loggps(x, y, (double)seed / 4);
		ck_assert_int_eq(loggps_fit(x, y, (size_t)n, &is), 0);
		for (int s = 2 * EACH; s < n - 2 * EACH; s += EACH) {
			sum = solve_loggps(x, y, n, x[s], z);
			if (sum >= least || z[1] < 0 || z[2] <= 0)
				continue;
			least = sum;
			memcpy(wanted, z, sizeof(z));
			wanted[3] = x[s + EACH] - 1;
		}
		ck_assert_double_eq_tol(is.most, wanted[3], .1);
		ck_assert_double_eq_tol(is.base, wanted[0], 1e-6);
		ck_assert_double_eq_tol(is.gap, wanted[1], 1e-9);
		ck_assert_double_eq_tol(is.handshake, wanted[2], 1e-6);
		if (seed >= 8)
			ck_assert_double_eq_tol(is.most, 12142, 1);
	}
	/* No handshake: no size from which on messages take less. */
	for (int i = 0; i < n; i++)
		y[i] = 1 + x[i] / 1000 - (x[i] > 8192);
	ck_assert_int_eq(loggps_fit(x, y, 2 * EACH, &is), -EDOM);
}
END_TEST

/* A second implementation: the median of each size, and lines between. */
static double interpolated(const double *x, const double *y, int n, double at)
{
	int i = 0;

	while (i + 2 * EACH < n && x[i + EACH] <= at)
		i += EACH;
	return y[i + 1] + (y[i + EACH + 1] - y[i + 1]) * (at - x[i]) /
				  (x[i + EACH] - x[i]);
}

START_TEST(plogp_interpolates)
{
	double x[300 * EACH];
	double y[300 * EACH];
	struct curve_row row;

	for (int i = 0; i < SIZES * EACH; i++) {
		x[i] = i / EACH * 100;
		y[i] = 2 + sin(i / EACH) + i % EACH;
	}
	ck_assert_int_eq(plogp_fit(x, y, SIZES * EACH, &row), 0);
	for (double at = 0; at < 3000; at += 7)
		ck_assert_double_eq_tol(curve_row_value(&row, at),
					interpolated(x, y, SIZES * EACH, at),
					1e-9);
	ck_assert_int_eq(plogp_fit(x, y, EACH, &row), -EDOM);
	/* More sizes than there is room for: the first and last are there. */
	for (int i = 0; i < 300 * EACH; i++) {
		x[i] = i / EACH;
		y[i] = 5 + x[i];
	}
	ck_assert_int_eq(plogp_fit(x, y, 300 * EACH, &row), 0);
	ck_assert_uint_eq(row.n, CURVE_PIECES_MAX);
	ck_assert_double_eq_tol(row.pieces[row.n - 1].from, 299, 1e-9);
	ck_assert_double_eq_tol(curve_row_value(&row, 123), 128, 1e-9);
}
END_TEST

/* Each form of messages is the best where its assumption holds. */
START_TEST(forms_of_messages_are_chosen)
{
	double x[SIZES * EACH];
	double y[SIZES * EACH];
	struct points points = { 0 };
	struct fits fits;

	for (enum fit_form form = FIT_LOGGPS; form <= FIT_PLOGP; form++) {
		if (form == FIT_PIECES)
			continue;
		points.n = 0;
		gsl_rng_set(rng, 8);
		measure_loggps(x, y, 4);
		for (int i = 0; i < SIZES * EACH; i++) {
			struct point point = { .operation = FORMULA_P2P };

			point.input.bytes = form == FIT_PLOGP ? i / EACH * 50
							      : x[i];
			/* No line holds for more than two sizes. */
			point.value = form == FIT_PLOGP ? 100 + pow(i / EACH, 3)
							: y[i];
			ck_assert_int_eq(points_add(&points, &point), 0);
		}
		points_sort(&points);
		ck_assert_int_eq(
			fits_make(&fits, points.points, points.n, &rules), 0);
		ck_assert_msg(fits.best == form, "%s, not %s",
			      fit_names[fits.best], fit_names[form]);
		fits_clear(&fits);
	}
	points_clear(&points);
}
END_TEST

/* A saved system is read again as it was, and answers alike. */
START_TEST(systems_are_saved)
{
	const struct preset *preset = preset_find("kask");
	struct tree_fault fault = { "" };
	struct points points = { 0 };
	struct formula_system saved;
	struct formula_system again;
	struct formula_value a;
	struct formula_value b;
	struct fits fits;
	size_t size;
	char *text;
	FILE *to = open_memstream(&text, &size);

	gsl_rng_set(rng, 6);
	measure_sizes(&points, preset, FORMULA_BCAST, NOISE);
	ck_assert_int_eq(fits_make(&fits, points.points, points.n, &rules), 0);
	for (enum fit_form form = FIT_SQUARES; form < FIT_FORMS; form++) {
		if (!fits.has[form])
			continue;
		formula_system_init(&saved, "here");
		ck_assert_int_eq(fit_save(&fits, form, &rules, &saved), 0);
		rewind(to);
		system_file_write(&saved, to);
		fflush(to);
		ck_assert_msg(system_file_read(&again, text, size, &fault) == 0,
			      "%s", fault.text);
		for (size_t i = 0; i < points.n; i++) {
			const struct formula_input *input = &points.points[i]
								     .input;

			ck_assert_int_eq(formula_eval(&fits.fits[form].system,
						      FORMULA_BCAST, input, &a,
						      NULL),
					 0);
			ck_assert_int_eq(formula_eval(&again, FORMULA_BCAST,
						      input, &b, NULL),
					 0);
			ck_assert_double_eq_tol(a.value, b.value,
						1e-6 * a.value + 1e-6);
			ck_assert_double_eq_tol(b.high / b.value,
						fits.fits[form].left_out.spread,
						1e-6);
			ck_assert_double_eq_tol(b.value / b.low,
						b.high / b.value, 1e-6);
		}
		formula_system_clear(&saved);
		formula_system_clear(&again);
	}
	fclose(to);
	free(text);
	fits_clear(&fits);
	points_clear(&points);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("fit");
	TCase *tcase = tcase_create("fit");
	SRunner *runner;
	int failed;

	rng = gsl_rng_alloc(gsl_rng_mt19937);
	tcase_set_timeout(tcase, 110);
	tcase_add_test(tcase, parameters_of_presets_are_recovered);
	tcase_add_test(tcase, stages_of_presets_are_recovered);
	tcase_add_test(tcase, power_of_a_preset_is_recovered);
	tcase_add_test(tcase, failures_of_a_preset_are_recovered);
	tcase_add_test(tcase, percent_is_not_led_astray);
	tcase_add_test(tcase, percent_is_the_least);
	tcase_add_test(tcase, the_best_is_what_predicts_best);
	tcase_add_test(tcase, errors_are_those_of_what_is_left_out);
	tcase_add_test(tcase, intervals_hold_new_measurements);
	tcase_add_test(tcase, intervals_want_nineteen_points);
	tcase_add_test(tcase, loggps_is_the_least);
	tcase_add_test(tcase, plogp_interpolates);
	tcase_add_test(tcase, forms_of_messages_are_chosen);
	tcase_add_test(tcase, systems_are_saved);
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	gsl_rng_free(rng);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
