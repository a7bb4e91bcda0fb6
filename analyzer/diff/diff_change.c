/* SPDX-License-Identifier: BSD-3-Clause */

/* Decides for each row whether the two groups differ, and by how much. */
#include <errno.h>
#include <stdlib.h>

#include "analyzer/base/mem.h"
#include "analyzer/base/units.h"
#include "analyzer/diff/diff.h"
#include "analyzer/diff/stats.h"

#define P_LEAST 0.001 /* smaller values are not shown */

size_t diff_first(const struct diff *diff, enum diff_side side)
{
	return side == DIFF_A ? 0 : diff->n[DIFF_A];
}

size_t diff_end(const struct diff *diff, enum diff_side side)
{
	return diff_first(diff, side) + diff->n[side];
}

static double *reals_of(const struct diff *diff, const uint64_t *values)
{
	double *reals = mem_alloc(diff->n_runs, sizeof(*reals));

	for (size_t i = 0; i < diff->n_runs; i++)
		reals[i] = (double)values[i];
	return reals;
}

double diff_median(const struct diff *diff, const uint64_t *values,
		   enum diff_side side)
{
	double *reals = reals_of(diff, values);
	const double median = stats_median(reals + diff_first(diff, side),
					   diff->n[side]);

	free(reals);
	return median;
}

bool diff_can_tell(const struct diff *diff)
{
	return stats_least_p(diff->n[DIFF_A], diff->n[DIFF_B]) < STATS_LEVEL;
}

static enum diff_verdict verdict_of(const struct diff *diff,
				    const struct diff_change *change)
{
	const double *median = change->median;

	if (diff->n_runs == DIFF_SIDES)
		return DIFF_ONE_EACH;
	if (!change->tested)
		return DIFF_TOO_FEW;
	if (change->p >= STATS_LEVEL)
		return DIFF_NOISE;
	if (median[DIFF_B] > median[DIFF_A])
		return DIFF_SLOWER;
	return median[DIFF_B] < median[DIFF_A] ? DIFF_FASTER : DIFF_NOISE;
}

static void set_spread(struct diff_change *change, enum diff_side side,
		       const double *values, size_t n)
{
	change->median[side] = stats_median(values, n);
	change->min[side] = values[0];
	change->max[side] = values[0];
	for (size_t i = 1; i < n; i++) {
		if (values[i] < change->min[side])
			change->min[side] = values[i];
		if (values[i] > change->max[side])
			change->max[side] = values[i];
	}
}

struct diff_change diff_change_of(const struct diff *diff,
				  const uint64_t *values)
{
	const size_t n_a = diff->n[DIFF_A];
	const size_t n_b = diff->n[DIFF_B];
	double *reals = reals_of(diff, values);
	struct diff_change change = { .tested = diff_can_tell(diff) };

	set_spread(&change, DIFF_A, reals, n_a);
	set_spread(&change, DIFF_B, reals + n_a, n_b);
	change.p = stats_mann_whitney(reals, n_a, reals + n_a, n_b);
	change.verdict = verdict_of(diff, &change);
	free(reals);
	return change;
}

static bool has_calls(const struct diff *diff, const struct diff_row *row,
		      enum diff_side side)
{
	for (size_t i = diff_first(diff, side); i < diff_end(diff, side); i++)
		if (row->calls[i])
			return true;
	return false;
}

struct diff_change diff_change_of_row(const struct diff *diff,
				      const struct diff_row *row)
{
	struct diff_change change = diff_change_of(diff, row->times);
	const bool in_a = has_calls(diff, row, DIFF_A);

	if (in_a == has_calls(diff, row, DIFF_B))
		return change;
	change.verdict = in_a ? DIFF_ONLY_A : DIFF_ONLY_B;
	change.tested = false;
	return change;
}

int diff_wall_ratio(const struct diff *diff, double *low, double *high)
{
	double *reals = reals_of(diff, diff->parts.rows[DIFF_WALL].times);
	int rc = -EDOM;

	if (diff_can_tell(diff))
		rc = stats_ratio(reals, diff->n[DIFF_A],
				 reals + diff->n[DIFF_A], diff->n[DIFF_B], low,
				 high);
	free(reals);
	return rc;
}

const char *diff_verdict_text(enum diff_verdict verdict)
{
	static const char *const texts[] = {
		[DIFF_SLOWER] = "slower",
		[DIFF_FASTER] = "faster",
		[DIFF_NOISE] = "in the noise",
		[DIFF_ONE_EACH] = "one run each",
		[DIFF_TOO_FEW] = "too few runs",
		[DIFF_ONLY_A] = "only in A",
		[DIFF_ONLY_B] = "only in B",
	};

	return texts[verdict];
}

char *diff_p_text(double p)
{
	return p < P_LEAST ? mem_print("<%.3f", P_LEAST) : mem_print("%.3f", p);
}

static char *tested_text(const struct diff_change *change)
{
	char *p = diff_p_text(change->p);
	char *text = mem_print("%s, p %s%s", diff_verdict_text(change->verdict),
			       *p == '<' ? "" : "= ", p);

	free(p);
	return text;
}

char *diff_change_text(const struct diff_change *change)
{
	const double a = change->median[DIFF_A];
	const double b = change->median[DIFF_B];
	char *verdict = change->tested
				? tested_text(change)
				: mem_text(diff_verdict_text(change->verdict));
	char *text = a > 0 ? mem_print("%+.1f %%, %s", 100 * (b - a) / a,
				       verdict)
			   : mem_print("%s", verdict);

	free(verdict);
	return text;
}

uint64_t diff_u64(double number)
{
	return number < (double)UINT64_MAX ? (uint64_t)(number + 0.5)
					   : UINT64_MAX;
}

const char *diff_time_text(double ns)
{
	return units_time_text(diff_u64(ns));
}
