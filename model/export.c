/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <math.h>
#include <stdint.h>

#include "model/export.h"

#define PER_US     1e6 /* picoseconds */
#define LONGEST_US 2e3 /* of what an int holds of them */

/* The greatest step up where two pieces meet: from there on there is a
 * rendezvous. */
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

int export_loggopsim(const struct fits *p2p, double overhead, FILE *to)
{
	const struct fit *loggp = &p2p->fits[FIT_LOGGP];
	const struct curve *pieces = p2p->fits[FIT_PIECES]
					     .system.curves[FORMULA_P2P];
	double latency;
	double unit;

	if (p2p->operation != FORMULA_P2P || !p2p->has[FIT_LOGGP])
		return -EDOM;
	latency = loggp->params[0].value - 2 * overhead;
	if (!(latency >= 0))
		return -EDOM;
	unit = latency < LONGEST_US ? PER_US : PER_US / 1e3;
	fprintf(to,
		"# unit of time: 1 %s; L + 2o of the round trips is %.9g us\n"
		"-L %.0f -o %.0f -g %.0f -G %.0f -O 0 -S %.0f\n",
		unit < PER_US ? "ns" : "ps", loggp->params[0].value,
		latency * unit, overhead * unit, overhead * unit,
		fmax(0, loggp->params[1].value * unit),
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

int export_extrap_text(const struct points *points, FILE *to)
{
	const struct point *p = points->points;
	const struct formula *formula = &formulas[p->operation];

	for (size_t i = 0; i < points->n; i++)
		if (p[i].operation != p->operation)
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

void export_extrap_json(const struct points *points, FILE *to)
{
	double inputs[N_GIVEN];
	const struct point *point;
	const char *before;

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
}
