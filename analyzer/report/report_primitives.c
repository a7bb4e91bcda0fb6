/* SPDX-License-Identifier: BSD-3-Clause */

/* The section on primitives: time, calls and bytes of each MPI call. */
#include <string.h>

#include "analyzer/base/mem.h"
#include "analyzer/report/report.h"

/* Table 5.3 of the BCS-MPI paper, its columns in the same order. */
#define PERCENTILES_FIT 110 /* columns of a line that has room for them */

enum { P50 = 8, P90, P99 };

static struct table_column columns[] = {
	{ "primitive", "Primitive", TABLE_TEXT, 0, TABLE_BY_NAME },
	{ "min_ns", "Min", TABLE_TIME, TABLE_UNIT_A, 0 },
	{ "max_ns", "Max", TABLE_TIME, TABLE_UNIT_A, TABLE_BY_MAX },
	{ "total_ns", "Total", TABLE_TIME, TABLE_OF_BASE | TABLE_UNIT_B,
	  TABLE_BY_TIME },
	{ "count", "Count", TABLE_COUNT, 0, TABLE_BY_COUNT },
	{ "average_ns", "Average", TABLE_TIME, TABLE_UNIT_A, 0 },
	{ "share_percent", "Share", TABLE_SHARE, 0, 0 },
	{ "waiting_ns", "", TABLE_TIME, TABLE_MACHINE, 0 },
	[P50] = { "p50_ns", "p50", TABLE_TIME, TABLE_UNIT_A, 0 },
	[P90] = { "p90_ns", "p90", TABLE_TIME, TABLE_UNIT_A, 0 },
	[P99] = { "p99_ns", "p99", TABLE_TIME, TABLE_UNIT_A, 0 },
	{ "sent_bytes", "", TABLE_BYTES, TABLE_MACHINE, TABLE_BY_BYTES },
	{ "received_bytes", "", TABLE_BYTES, TABLE_MACHINE, 0 },
	{ "ranks", "", TABLE_COUNT, TABLE_MACHINE, 0 },
	{ "least_rank", "", TABLE_RANK, TABLE_MACHINE, 0 },
	{ "least_rank_ns", "", TABLE_TIME, TABLE_MACHINE, 0 },
	{ "most_rank", "", TABLE_RANK, TABLE_MACHINE, 0 },
	{ "most_rank_ns", "", TABLE_TIME, TABLE_MACHINE, 0 },
	{ 0 },
};

static const struct table_column percentiles[] = {
	{ "primitive", "Primitive", TABLE_TEXT, 0, TABLE_BY_NAME },
	{ "total_ns", "Total", TABLE_TIME, TABLE_OF_BASE | TABLE_UNIT_B,
	  TABLE_BY_TIME },
	{ "waiting_ns", "Waiting", TABLE_TIME, TABLE_OF_BASE | TABLE_UNIT_B,
	  0 },
	{ "p50_ns", "p50", TABLE_TIME, TABLE_UNIT_A, 0 },
	{ "p90_ns", "p90", TABLE_TIME, TABLE_UNIT_A, 0 },
	{ "p99_ns", "p99", TABLE_TIME, TABLE_UNIT_A, 0 },
	{ "max_ns", "Max", TABLE_TIME, TABLE_UNIT_A, TABLE_BY_MAX },
	{ "count", "", TABLE_COUNT, TABLE_MACHINE, TABLE_BY_COUNT },
	{ "sent_bytes", "", TABLE_BYTES, TABLE_MACHINE, TABLE_BY_BYTES },
	{ 0 },
};

static void put_ranks(struct table *table, const struct tally *t)
{
	const bool known = t->ranks > 0;

	table_number(table, t->ranks);
	table_number_if(table, known, t->least_rank);
	table_number_if(table, known, t->least_time);
	table_number_if(table, known, t->most_rank);
	table_number_if(table, known, t->most_time);
}

static struct table_row *add_row(const struct report *report,
				 struct table *table, const char *name,
				 const struct tally *t)
{
	struct table_row *row = table_row(table, report->total);
	const bool any = t->count > 0;

	table_words(table, name);
	table_number_if(table, any, t->min);
	table_number_if(table, any, t->max);
	table_number(table, t->time);
	table_number(table, t->count);
	table_number_if(table, any, any ? t->time / t->count : 0);
	table_share(table, t->time, run_is_outside(name) ? 0 : report->total);
	table_number(table, t->waiting);
	report_percentiles(table, &t->times, t->min, t->max);
	table_number(table, t->sent);
	table_number(table, t->received);
	put_ranks(table, t);
	return row;
}

/*
 * The record has only the distribution of stretches: the least and the greatest
 * are the ends of its buckets.
 */
static void add_stretches(struct report *report, struct table *table,
			  const char *name, const struct dist *dist,
			  uint64_t time)
{
	struct tally t = { .time = time, .times = *dist };

	if (dist->n == 0)
		return;
	t.count = dist->count;
	t.min = dist->buckets[0].low;
	t.max = dist->buckets[dist->n - 1].high;
	add_row(report, table, name, &t)->last = true;
}

static void add_account_rows(struct report *report, struct table *table)
{
	const struct run *run = report->run;
	uint64_t computation = 0;
	uint64_t communication = 0;

	for (size_t i = 0; i < run->n_ranks; i++) {
		const struct run_rank *r = &run->ranks[i];

		computation = sat_add(computation, r->computation);
		communication = sat_add(communication, r->communication);
	}
	add_stretches(report, table, "Comp Granularity", &run->computations,
		      computation);
	add_stretches(report, table, "Comm Overhead", &run->communications,
		      communication);
}

static void add_percentiles(struct report *report)
{
	const struct tallies *calls = &report->run->calls;
	struct table *table = report_table(report, "percentiles", "Percentiles",
					   percentiles, TABLE_PEOPLE);

	for (size_t i = 0; i < calls->keys.n; i++) {
		const struct tally *t = &calls->list[i];
		const char *name = intern_key(&calls->keys, i);

		if (t->times.n == 0 || run_is_outside(name))
			continue;
		table_row(table, report->total);
		table_words(table, name);
		table_number(table, t->time);
		table_number(table, t->waiting);
		report_percentiles(table, &t->times, t->min, t->max);
		table_number(table, t->max);
		table_number(table, t->count);
		table_number(table, sat_add(t->sent, t->received));
	}
	table->remark = mem_print("Of a hundred calls 50, 90 and 99 took no "
				  "longer; within %.2g %%.",
				  report_error(report->run));
	report_arrange_all(report, table, TABLE_BY_TIME);
}

void report_primitives(struct report *report)
{
	const struct tallies *calls = &report->run->calls;
	const bool wide = report->options->width >= PERCENTILES_FIT ||
			  report->options->machine;
	struct table *table;

	for (int i = P50; i <= P99; i++)
		columns[i].flags = wide ? TABLE_UNIT_A : TABLE_MACHINE;
	table = report_table(report, "primitives", "Primitives, over all ranks",
			     columns, 0);
	for (size_t i = 0; i < calls->keys.n; i++)
		add_row(report, table, intern_key(&calls->keys, i),
			&calls->list[i]);
	if (!report->run->some_calls)
		add_account_rows(report, table);
	report_arrange_all(report, table, TABLE_BY_TIME);
	if (!wide)
		add_percentiles(report);
}
