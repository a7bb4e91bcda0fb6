/* SPDX-License-Identifier: BSD-3-Clause */

/* Writes fits for LogGOPSim and measurements for Extra-P. */
#include <errno.h>
#include <math.h>
#include <stdint.h>

#include "model/export.h"

/* Units of time, the finest first. */
static const struct unit {
	const char *name;
	double per_us;
} units[] = { { "fs", 1e9 }, { "ps", 1e6 }, { "ns", 1e3 } };
#define N_UNITS (sizeof(units) / sizeof(units[0]))

/* The finest unit in which the time fits into an int. */
static struct unit unit_of(double us)
{
	size_t i = 0;

	while (i < N_UNITS - 1 && us * units[i].per_us > INT32_MAX)
		i++;
	return units[i];
}

/* The largest eager message: the rendezvous begins where the time has its
 * greatest step up between two pieces. */
static double eager_most(const struct curve_row *row)
{
	double most = INT32_MAX;
	double greatest = 0;
	double step;

	for (unsigned i = 1; i < row->n; i++) {
		const struct curve_piece *piece = &row->pieces[i];

		step = piece->t - piece[-1].t +
		       (piece->k - piece[-1].k) * piece->from;
		if (step <= greatest)
			continue;
		greatest = step;
		most = ceil(piece->from) - 1;
	}
	return fmin(most, INT32_MAX);
}

int export_loggopsim(const struct fits *p2p, double overhead, double gap,
		     FILE *to)
{
	const struct fit *loggp = &p2p->fits[FIT_LOGGP];
	const struct curve *pieces = p2p->fits[FIT_PIECES]
					     .system.curves[FORMULA_P2P];
	struct unit unit;
	double latency;

	if (p2p->operation != FORMULA_P2P || !p2p->has[FIT_LOGGP])
		return -EDOM;
	latency = loggp->params[0].value - 2 * overhead;
	if (!(latency >= 0))
		return -EDOM;
	unit = unit_of(fmax(fmax(loggp->params[0].value, gap),
			    loggp->params[1].value));
	fprintf(to,
		"# unit of time: 1 %s; L + 2o of the round trips is %.9g us\n"
		"-L %.0f -o %.0f -g %.0f -G %.0f -O 0 -S %.0f\n",
		unit.name, loggp->params[0].value, latency * unit.per_us,
		overhead * unit.per_us, gap * unit.per_us,
		fmax(0, loggp->params[1].value * unit.per_us),
		p2p->has[FIT_PIECES] ? eager_most(&pieces->rows[0])
				     : (double)INT32_MAX);
	return 0;
}

#define N_GIVEN 5

static const char *const names[N_GIVEN] = { "instructions", "threads", "bytes",
					    "processes", "seconds" };

static void inputs_of(const struct point *point, double inputs[N_GIVEN])
{
	inputs[0] = point->input.instructions;
	inputs[1] = point->input.threads;
	inputs[2] = point->input.bytes;
	inputs[3] = point->input.processes;
	inputs[4] = point->input.seconds;
}

static void put_point(const struct point *point, FILE *to)
{
	double inputs[N_GIVEN];
	const char *before = " ( ";

	inputs_of(point, inputs);
	for (int i = 0; i < N_GIVEN; i++)
		if (formulas[point->operation].given & 1u << i) {
			fprintf(to, "%s%.15g", before, inputs[i]);
			before = " ";
		}
	fputs(" )", to);
}

static const char *metric_of(const struct point *point)
{
	const char *unit = formulas[point->operation].unit;

	return *unit == 'u' ? "time" : *unit == 'W' ? "power" : "probability";
}

/* Extra-P has one list of points for all regions. */
static bool one_operation(const struct points *points)
{
	const struct point *p = points->points;

	for (size_t i = 1; i < points->n; i++)
		if (p[i].operation != p[0].operation)
			return false;
	return true;
}

int export_extrap_text(const struct points *points, FILE *to)
{
	const struct point *p = points->points;
	const struct formula *formula = &formulas[p->operation];

	if (!one_operation(points))
		return -EINVAL;
	fputs("PARAMETER", to);
	for (int i = 0; i < N_GIVEN; i++)
		if (formula->given & 1u << i)
			fprintf(to, " %s", names[i]);
	fputs("\nPOINTS", to);
	for (size_t i = 0; i < points->n; i++)
		if (i == 0 || !points_repeat(&p[i], &p[i - 1]))
			put_point(&p[i], to);
	fprintf(to, "\nREGION %s\nMETRIC %s", formula->name, metric_of(p));
	for (size_t i = 0; i < points->n; i++)
		fprintf(to, "%s %.15g",
			i == 0 || !points_repeat(&p[i], &p[i - 1]) ? "\nDATA"
								   : "",
			p[i].value);
	fputc('\n', to);
	return 0;
}

int export_extrap_json(const struct points *points, FILE *to)
{
	double inputs[N_GIVEN];
	const struct point *point;
	const char *before;

	if (!one_operation(points))
		return -EINVAL;
	for (size_t p = 0; p < points->n; p++) {
		point = &points->points[p];
		inputs_of(point, inputs);
		fputs("{\"params\": {", to);
		before = "";
		for (int i = 0; i < N_GIVEN; i++)
			if (formulas[point->operation].given & 1u << i) {
				fprintf(to, "%s\"%s\": %.15g", before, names[i],
					inputs[i]);
				before = ", ";
			}
		fprintf(to,
			"}, \"callpath\": \"%s\", \"metric\": \"%s\", "
			"\"value\": %.15g}\n",
			formulas[point->operation].name, metric_of(point),
			point->value);
	}
	return 0;
}
