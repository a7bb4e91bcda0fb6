/* SPDX-License-Identifier: BSD-3-Clause */

/* The tables of `bcs slices`: the summary, and a row for each slice or bin. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/mem.h"
#include "analyzer/base/units.h"
#include "analyzer/slices/slices_summary.h"

static const struct table_column head_columns[] = {
	{ "mode", "", TABLE_TEXT, 0, 0 },
	{ "slice_ns", "", TABLE_TIME, 0, 0 },
	{ "budget_bytes", "", TABLE_BYTES, 0, 0 },
	{ "processes", "", TABLE_COUNT, 0, 0 },
	{ "slices", "", TABLE_COUNT, 0, 0 },
	{ "run", "", TABLE_COUNT, 0, 0 },
	{ "first", "", TABLE_COUNT, 0, 0 },
	{ "last", "", TABLE_COUNT, 0, 0 },
	{ "elided", "", TABLE_COUNT, 0, 0 },
	{ "dropped", "", TABLE_COUNT, 0, 0 },
	{ "begin_ns", "", TABLE_TIME, 0, 0 },
	{ "end_ns", "", TABLE_TIME, 0, 0 },
	{ "resolution", "", TABLE_COUNT, 0, 0 },
	{ 0 },
};

static const struct emds_head *head_of(const struct slices_summary *s)
{
	return s->slices->lanes.list[0].head;
}

/* By time, those in between in which nothing was to be done. */
static uint64_t elided(const struct slices_summary *s)
{
	if (!s->slices->lanes.by_time || s->n == 0 ||
	    head_of(s)->resolution > 1)
		return 0;
	return s->last - s->first + 1 - s->n;
}

static struct table *head_table(const struct slices_summary *s)
{
	struct table *table = table_new("run", "", head_columns,
					TABLE_MACHINE | TABLE_ONE);
	const struct emds_head *head = head_of(s);

	table_row(table, 0);
	table_words(table, head->mode);
	table_number(table, head->slice_ns);
	table_number(table, head->budget);
	table_number(table, s->slices->lanes.n);
	table_number(table, s->n);
	table_number(table, s->n_run);
	table_number(table, s->first);
	table_number(table, s->last);
	table_number(table, elided(s));
	table_number(table, lanes_dropped(&s->slices->lanes));
	table_number(table, s->begin);
	table_number(table, s->end);
	table_number(table, head->resolution);
	return table;
}

/* Why there are none in between; it is not known where a row has several. */
static char *elided_text(const struct slices_summary *s)
{
	if (elided(s) == 0)
		return mem_text("");
	return mem_print(" (%" PRIu64 " %s)", elided(s),
			 head_of(s)->every ? "missed: nobody ran in time"
					   : "elided: nothing to do");
}

/* Those that ran slices: older records have empty files, too. */
static size_t n_files(const struct slices_summary *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->slices->lanes.n; i++)
		n += s->slices->lanes.list[i].n_rows > 0;
	return n;
}

static void line_of_slices(struct table *table, const struct slices_summary *s)
{
	const size_t n = n_files(s);
	char *missing = elided_text(s);

	table_line(table, "slices",
		   mem_print("%" PRIu64 " to %" PRIu64 "%s, run on %zu %s "
			     "%" PRIu64 " times",
			     s->first, s->last, missing, n,
			     n == 1 ? "node" : "nodes", s->n_run));
	free(missing);
}

static void line_of_turns(struct table *table, const struct slices_summary *s)
{
	const double seconds = (double)(s->end - s->begin) / 1e9;
	const size_t n = s->slices->lanes.n;
	const char *processes = n == 1 ? "process" : "processes";

	if (seconds > 0 && head_of(s)->resolution == 1)
		table_line(table, "turns",
			   mem_print("%" PRIu64 " of %zu %s, %.0f a second",
				     s->n_run, n, processes,
				     (double)s->n_run / seconds));
	else
		table_line(table, "turns",
			   mem_print("%" PRIu64 " of %zu %s", s->n_run, n,
				     processes));
}

/* On demand a row is no slice. */
static const char *title(const struct slices_summary *s, const char *of_slices,
			 const char *of_turns)
{
	return s->slices->lanes.by_time ? of_slices : of_turns;
}

/* Each node has one of its own. */
static char *budget_text(const struct slices_summary *s)
{
	const struct lanes *lanes = &s->slices->lanes;
	uint64_t least = head_of(s)->budget;
	uint64_t most = least;

	for (size_t i = 0; i < lanes->n; i++) {
		if (lanes->list[i].head->budget < least)
			least = lanes->list[i].head->budget;
		if (lanes->list[i].head->budget > most)
			most = lanes->list[i].head->budget;
	}
	if (least == most)
		return mem_print("%s a slice on each node",
				 units_bytes_text(least));
	return mem_print("%s to %s a slice on each node",
			 units_bytes_text(least), units_bytes_text(most));
}

static struct table *lines_table(const struct slices_summary *s)
{
	struct table *table = table_new("lines", title(s, "Slices", "Turns"),
					table_line_columns,
					TABLE_PEOPLE | TABLE_PLAIN);
	const struct emds_head *head = head_of(s);
	const uint64_t dropped = lanes_dropped(&s->slices->lanes);

	table_line(table, "mode",
		   head->slice_ns
			   ? mem_print("%s, a slice every %s", head->mode,
				       units_time_text(head->slice_ns))
			   : mem_text(head->mode));
	if (head->budget)
		table_line(table, "budget", budget_text(s));
	if (s->slices->lanes.by_time)
		line_of_slices(table, s);
	else
		line_of_turns(table, s);
	table_line(table, "time",
		   mem_print("%s to %s after the start",
			     units_time_text(s->begin),
			     units_time_text(s->end)));
	if (head->resolution > 1)
		table_line(table, "resolution",
			   mem_print("a row is the sum of %" PRIu64
				     " %s: so is what is below",
				     head->resolution,
				     title(s, "slices", "turns")));
	if (dropped)
		table_line(table, "dropped",
			   mem_print("%" PRIu64 " %s came faster than they "
				     "could be written, and are not on record",
				     dropped, title(s, "slices", "turns")));
	table->alarm = dropped != 0;
	return table;
}

static const struct table_column metric_columns[] = {
	{ "metric", "Metric", TABLE_TEXT, 0, 0 },
	{ "what", "", TABLE_TEXT, TABLE_WIDE, 0 },
	{ "min_ns", "Min", TABLE_TIME, 0, 0 },
	{ "median_ns", "Median", TABLE_TIME, 0, 0 },
	{ "mean_ns", "Mean", TABLE_TIME, 0, 0 },
	{ "p99_ns", "99 %", TABLE_TIME, 0, 0 },
	{ "max_ns", "Max", TABLE_TIME, 0, 0 },
	{ "total_ns", "Total", TABLE_TIME, 0, 0 },
	{ "share_percent", "Share", TABLE_SHARE, 0, 0 },
	{ 0 },
};

static const struct table_column count_columns[] = {
	{ "metric", "Metric", TABLE_TEXT, 0, 0 },
	{ "what", "", TABLE_TEXT, 0, 0 },
	{ "median", "Median", TABLE_COUNT, 0, 0 },
	{ "mean", "Mean", TABLE_COUNT, 0, 0 },
	{ "p99", "99 %", TABLE_COUNT, 0, 0 },
	{ "max", "Max", TABLE_COUNT, 0, 0 },
	{ "total", "Total", TABLE_COUNT, 0, 0 },
	{ 0 },
};

static uint64_t percentile(const struct slices_sum *sum, double percent)
{
	return dist_percentile(&sum->dist, percent, sum->min, sum->max);
}

/* Parts of a slice have a share of all of them. */
static bool is_part(const struct slices_metric *m)
{
	return m->column >= EMDS_SR && m->column <= EMDS_RM;
}

static void words(struct table *table, const struct slices_metric *m,
		  const struct slices_summary *s)
{
	table_row(table, 0);
	table_words(table, m->name);
	table_words(table, slices_metric_what(m, s->slices->lanes.by_time));
}

static void time_row(struct table *table, const struct slices_metric *m,
		     const struct slices_sum *sum, uint64_t all)
{
	table_number(table, sum->min);
	table_number(table, percentile(sum, 50));
	table_number(table, sum->n ? sum->total / sum->n : 0);
	table_number(table, percentile(sum, 99));
	table_number(table, sum->max);
	table_number(table, sum->total);
	if (is_part(m))
		table_share(table, sum->total, all);
	else
		table_none(table);
}

static void count_row(struct table *table, const struct slices_sum *sum)
{
	table_number(table, percentile(sum, 50));
	table_real(table, sum->n ? (double)sum->total / (double)sum->n : 0);
	table_number(table, percentile(sum, 99));
	table_number(table, sum->max);
	table_number(table, sum->total);
}

static bool is_of_interest(const struct slices_summary *s,
			   const struct slices_metric *m)
{
	return slices_metric_is_there(m, lanes_columns(&s->slices->lanes)) &&
	       slices_metric_exists(m, s->slices->lanes.by_time);
}

static struct table *times_table(const struct slices_summary *s)
{
	struct table *table = table_new(
		"times", title(s, "Time of slices", "Time of turns"),
		metric_columns, 0);
	const struct slices_metric *m = slices_metrics;
	uint64_t all = 0;

	for (size_t i = 0; m[i].name; i++)
		if (is_part(&m[i]))
			all = sat_add(all, s->sums[i].total);
	for (size_t i = 0; m[i].name; i++)
		if (m[i].kind == TABLE_TIME && is_of_interest(s, &m[i])) {
			words(table, &m[i], s);
			time_row(table, &m[i], &s->sums[i], all);
		}
	return table;
}

static struct table *counts_table(const struct slices_summary *s)
{
	struct table *table = table_new(
		"counts", title(s, "What slices did", "What turns did"),
		count_columns, 0);
	const struct slices_metric *m = slices_metrics;

	for (size_t i = 0; m[i].name; i++)
		if (m[i].kind != TABLE_TIME && is_of_interest(s, &m[i])) {
			words(table, &m[i], s);
			count_row(table, &s->sums[i]);
		}
	return table;
}

/* clang-format off */
#define SLICE_COLUMNS(word)                                       \
	{ "slice", word, TABLE_COUNT, 0, 0 },                     \
	{ "begin_ns", "Began", TABLE_TIME, 0, 0 },                \
	{ "rank", "Rank", TABLE_RANK, 0, 0 },                     \
	{ "ltts_ns", "Length", TABLE_TIME, 0, 0 },                \
	{ "most", "Most of it", TABLE_TEXT, 0, 0 },               \
	{ "most_ns", "", TABLE_TIME, TABLE_UNIT_A, 0 },           \
	{ "late_ns", "Late", TABLE_TIME, 0, 0 },                  \
	{ "bytes", "Bytes", TABLE_BYTES, 0, 0 },                  \
	{ "messages", "Messages", TABLE_COUNT, TABLE_WIDE, 0 },   \
	{ "collectives", "Collectives", TABLE_COUNT, TABLE_WIDE, 0 }, \
	{ "blocked", "Blocked", TABLE_COUNT, TABLE_WIDE, 0 },     \
	{ "by", "Run by", TABLE_TEXT, TABLE_WIDE, 0 },            \
	{ 0 }
/* clang-format on */

static const struct table_column slice_columns[] = { SLICE_COLUMNS("Slice") };
static const struct table_column turn_columns[] = { SLICE_COLUMNS("Turn") };

/* The microphase that took most of a slice. */
static int longest_part(const struct slice *slice)
{
	int most = EMDS_SR;

	for (int i = EMDS_SR; i <= EMDS_RM; i++)
		if (slice->max.value[i] > slice->max.value[most])
			most = i;
	return most;
}

static const char *part_name(int column)
{
	static const char *const names[] = {
		"begin and end",  "exchange",       "scheduling",
		"to other nodes", "point-to-point", "broadcast, barrier",
		"reduce"
	};

	return names[column - EMDS_SR];
}

static void slice_row(struct table *table, const struct slice *slice,
		      uint64_t rank, bool by_time)
{
	const int most = longest_part(slice);

	table_row(table, 0);
	table_number(table, slice->number);
	table_number(table, slice->begin);
	table_number(table, rank);
	table_number(table, slice->max.value[EMDS_TIME]);
	table_words(table, slice->max.value[most] ? part_name(most) : "");
	table_number(table, slice->max.value[most]);
	if (by_time)
		table_number(table, slice->max.value[EMDS_LATE]);
	else
		table_none(table);
	table_number(table, slice->sum.value[EMDS_BYTES]);
	table_number(table, slice->sum.value[EMDS_P2P_MSM]);
	table_number(table, slice->sum.value[EMDS_COLL_MSM]);
	table_number(table, slice->max.value[EMDS_BLOCKED]);
	table_words(table, slice->sum.value[EMDS_HELPER] == 0 ? "program"
			   : slice->sum.value[EMDS_HELPER] ==
					   slice->sum.value[EMDS_SLICES]
				   ? "helper"
				   : "both");
}

static struct table *longest_table(const struct slices_summary *s)
{
	struct table *table = table_new(
		"longest", title(s, "The longest slices", "The longest turns"),
		s->slices->lanes.by_time ? slice_columns : turn_columns, 0);

	for (size_t i = 0; i < s->n_longest; i++)
		slice_row(table, &s->longest[i], s->longest[i].slowest,
			  s->slices->lanes.by_time);
	return table;
}

static struct table *latest_table(const struct slices_summary *s)
{
	struct table *table = table_new("latest",
					"The latest slices, and who was late",
					slice_columns, 0);

	for (size_t i = 0; s->slices->lanes.by_time && i < s->n_latest; i++)
		slice_row(table, &s->latest[i], s->latest[i].latest, true);
	return table;
}

size_t slices_summary_tables(const struct slices_summary *summary,
			     struct table *tables[SLICES_TABLES_MAX])
{
	size_t n = 0;

	tables[n++] = head_table(summary);
	tables[n++] = lines_table(summary);
	tables[n++] = times_table(summary);
	tables[n++] = counts_table(summary);
	tables[n++] = longest_table(summary);
	tables[n++] = latest_table(summary);
	return n;
}
