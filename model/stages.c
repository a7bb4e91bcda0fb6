/* SPDX-License-Identifier: BSD-3-Clause */

/* Fits a dependence on threads in up to three stages. */
#include <errno.h>
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <string.h>

#include "model/stages.h"

#define TINY 1e-12

struct search {
	const bool *is_line;
	enum linear_by by;
	const double *p;
	const double *y;
	size_t n;
};

/* One past the last point of each stage. */
struct cut {
	size_t end[STAGES];
};

static double weight(const struct search *search, size_t i)
{
	return search->by == LINEAR_SQUARES ? 1
					    : 1 / (search->y[i] * search->y[i]);
}

/* Fits a constant.  Its interval is Student's, for a mean. */
static void constant(const struct search *search, size_t from, size_t to,
		     struct linear *line)
{
	const double n = (double)(to - from);
	double squares = 0;
	double all = 0;
	double sum = 0;
	double half = INFINITY;

	for (size_t i = from; i < to; i++) {
		all += weight(search, i);
		sum += weight(search, i) * search->y[i];
	}
	*line = (struct linear){ .t = sum / all };
	for (size_t i = from; i < to; i++)
		squares += pow(search->y[i] - line->t, 2);
	if (n > 1)
		half = gsl_cdf_tdist_Qinv((1 - LINEAR_LEVEL) / 2, n - 1) *
		       sqrt(squares / (n - 1) / n);
	line->t_low = line->t - half;
	line->t_high = line->t + half;
}

static size_t different(const double *p, size_t from, size_t to)
{
	size_t n = to > from;

	for (size_t i = from + 1; i < to; i++)
		n += p[i] > p[i - 1];
	return n;
}

static int stage_fit(const struct search *search, int stage, enum linear_by by,
		     size_t from, size_t to, struct linear *line)
{
	if (!search->is_line[stage]) {
		constant(search, from, to, line);
		return 0;
	}
	if (different(search->p, from, to) < 3)
		return -EDOM;
	return linear_fit(by, search->p + from, search->y + from, to - from,
			  line);
}

/* BIC of a cut; infinite if a stage has too few points. */
static double judge(const struct search *search, const struct cut *cut)
{
	const enum linear_by by = search->by == LINEAR_SQUARES
					  ? LINEAR_SQUARES
					  : LINEAR_RELATIVE;
	const double n = (double)search->n;
	double coefficients = -1;
	struct linear line;
	double sum = 0;
	size_t from = 0;

	for (int s = 0; s < STAGES; from = cut->end[s++]) {
		if (from == cut->end[s])
			continue;
		if (stage_fit(search, s, by, from, cut->end[s], &line) != 0)
			return INFINITY;
		coefficients += search->is_line[s] ? 3 : 2;
		for (size_t i = from; i < cut->end[s]; i++)
			sum += weight(search, i) *
			       pow(search->y[i] - line.t -
					   line.k * search->p[i],
				   2);
	}
	return n * log(fmax(sum / n, TINY)) + coefficients * log(n);
}

/* Whether a stage can end before point i. */
static bool is_end(const struct search *search, size_t i)
{
	return i == search->n || search->p[i] > search->p[i - 1];
}

static double best_cut(const struct search *search, struct cut *best)
{
	double least = INFINITY;
	struct cut cut = { { 0, 0, search->n } };
	double bic;

	for (cut.end[0] = 1; cut.end[0] <= search->n; cut.end[0]++)
		for (cut.end[1] = cut.end[0]; cut.end[1] <= search->n;
		     cut.end[1]++) {
			if (!is_end(search, cut.end[0]) ||
			    !is_end(search, cut.end[1]))
				continue;
			bic = judge(search, &cut);
			if (bic < least) {
				least = bic;
				*best = cut;
			}
		}
	return least;
}

int stages_fit(const bool is_line[STAGES], enum linear_by by, const double *p,
	       const double *y, size_t n, struct stages *stages)
{
	const struct search search = { is_line, by, p, y, n };
	struct cut cut;
	size_t from = 0;
	int rc = n && best_cut(&search, &cut) < INFINITY ? 0 : -EDOM;

	memset(stages, 0, sizeof(*stages));
	for (int s = 0; rc == 0 && s < STAGES; from = cut.end[s++]) {
		stages->has[s] = from < cut.end[s];
		if (!stages->has[s])
			continue;
		rc = stage_fit(&search, s, by, from, cut.end[s],
			       &stages->of[s]);
		if (rc == 0 && is_line[s])
			rc = linear_interval(by, p + from, y + from,
					     cut.end[s] - from, &stages->of[s]);
	}
	if (rc != 0)
		return rc;
	stages->p_low = p[cut.end[0] - 1];
	stages->p_hi = stages->has[1] ? p[cut.end[1] - 1] : NAN;
	return 0;
}
