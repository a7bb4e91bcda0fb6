/* SPDX-License-Identifier: BSD-3-Clause */

/* The table of wall times, in one form for people and one for programs. */
#include <stdlib.h>

#include "analyzer/base/mem.h"
#include "analyzer/diff/diff.h"

static const struct table_column columns[] = {
	{ "a_runs", "", TABLE_COUNT, 0, 0 },
	{ "a_ns", "", TABLE_TIME, 0, 0 },
	{ "a_min_ns", "", TABLE_TIME, 0, 0 },
	{ "a_max_ns", "", TABLE_TIME, 0, 0 },
	{ "b_runs", "", TABLE_COUNT, 0, 0 },
	{ "b_ns", "", TABLE_TIME, 0, 0 },
	{ "b_min_ns", "", TABLE_TIME, 0, 0 },
	{ "b_max_ns", "", TABLE_TIME, 0, 0 },
	{ "ratio_low", "", TABLE_SHARE, 0, 0 },
	{ "ratio_high", "", TABLE_SHARE, 0, 0 },
	{ "p", "", TABLE_SHARE, 0, 0 },
	{ "verdict", "", TABLE_TEXT, 0, 0 },
	{ 0 },
};

static char *side_text(const struct diff *diff,
		       const struct diff_change *change, enum diff_side side)
{
	const char *median = diff_time_text(change->median[side]);

	if (diff->n[side] == 1)
		return mem_text(median);
	return mem_print("%s (%s to %s)", median,
			 diff_time_text(change->min[side]),
			 diff_time_text(change->max[side]));
}

static struct table *for_people(const struct diff *diff,
				const struct diff_change *change)
{
	struct table *table = table_new("wall", "Wall time, medians",
					table_line_columns, TABLE_PLAIN);
	double low;
	double high;

	table_line(table, "A", side_text(diff, change, DIFF_A));
	table_line(table, "B", side_text(diff, change, DIFF_B));
	table_line(table, "Change", diff_change_text(change));
	if (diff_wall_ratio(diff, &low, &high) == 0)
		table_line(
			table, "B / A",
			mem_print("%.3f to %.3f in 95 %% of resampled groups",
				  low, high));
	return table;
}

static void put_side(const struct diff *diff, struct table *table,
		     const struct diff_change *change, enum diff_side side)
{
	table_number(table, diff->n[side]);
	table_number(table, diff_u64(change->median[side]));
	table_number(table, diff_u64(change->min[side]));
	table_number(table, diff_u64(change->max[side]));
}

static void real_if(struct table *table, bool is, double real)
{
	if (is)
		table_real(table, real);
	else
		table_none(table);
}

static struct table *for_programs(const struct diff *diff,
				  const struct diff_change *change)
{
	struct table *table = table_new("wall", "", columns,
					TABLE_MACHINE | TABLE_ONE);
	double low = 0;
	double high = 0;
	const bool known = diff_wall_ratio(diff, &low, &high) == 0;

	table_row(table, 0);
	put_side(diff, table, change, DIFF_A);
	put_side(diff, table, change, DIFF_B);
	real_if(table, known, low);
	real_if(table, known, high);
	real_if(table, change->tested, change->p);
	table_words(table, diff_verdict_text(change->verdict));
	return table;
}

struct table *diff_wall(const struct diff *diff,
			const struct report_options *options)
{
	const struct diff_change change = diff_change_of(
		diff, diff->parts.rows[DIFF_WALL].times);

	return options->machine ? for_programs(diff, &change)
				: for_people(diff, &change);
}
