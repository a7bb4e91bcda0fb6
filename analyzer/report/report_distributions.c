/* SPDX-License-Identifier: BSD-3-Clause */

/* The section on distributions: a line with a bar for each range of values. */
#include <string.h>

#include "analyzer/base/mem.h"
#include "analyzer/base/units.h"
#include "analyzer/report/report.h"
#include "analyzer/report/report_bar.h"

static const struct table_column columns[] = {
	{ "of", "Of", TABLE_TEXT, 0, 0 },
	{ "metric", "", TABLE_TEXT, 0, 0 },
	{ "from", "From", TABLE_TEXT, TABLE_PEOPLE | TABLE_RIGHT, 0 },
	{ "to", "To", TABLE_TEXT, TABLE_PEOPLE | TABLE_RIGHT, 0 },
	{ "unit", "", TABLE_TEXT, TABLE_MACHINE, 0 },
	{ "low", "", TABLE_COUNT, TABLE_MACHINE, 0 },
	{ "high", "", TABLE_COUNT, TABLE_MACHINE, 0 },
	{ "count", "Count", TABLE_COUNT, 0, 0 },
	{ "share_percent", "Share", TABLE_SHARE, 0, 0 },
	{ "cumulative_percent", "Sum", TABLE_SHARE, 0, 0 },
	{ "bar", "", TABLE_TEXT, TABLE_PEOPLE | TABLE_RIGID, 0 },
	{ 0 },
};

struct what {
	const char *of;
	const char *metric;
	bool bytes;
};

static void add_bucket(struct table *table, const struct what *what,
		       const struct dist_bucket *b, uint64_t sum, uint64_t all)
{
	const char *(*text)(uint64_t) = what->bytes ? units_bytes_text
						    : units_time_text;
	char bar[REPORT_BAR + 1];

	report_bar(bar, b->count, all);
	table_row(table, 0);
	table_words(table, what->of);
	table_words(table, what->metric);
	table_words(table, text(b->low));
	table_words(table, text(b->high));
	table_words(table, what->bytes ? "bytes" : "ns");
	table_number(table, b->low);
	table_number(table, b->high);
	table_number(table, b->count);
	table_share(table, b->count, all);
	table_share(table, sum, all);
	table_words(table, bar);
}

static void add_dist(struct table *table, const struct what *what,
		     const struct dist *dist)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < dist->n; i++) {
		sum = sat_add(sum, dist->buckets[i].count);
		add_bucket(table, what, &dist->buckets[i], sum, dist->count);
	}
}

void report_distributions(struct report *report)
{
	const struct run *run = report->run;
	struct table *table = report_table(report, "distributions",
					   "Distributions", columns, 0);

	for (size_t i = 0; i < run->calls.keys.n; i++) {
		const char *name = intern_key(&run->calls.keys, i);
		const struct what time = { name, "time", false };
		const struct what size = { name, "size", true };

		add_dist(table, &time, &run->calls.list[i].times);
		add_dist(table, &size, &run->calls.list[i].sizes);
	}
	if (run->some_calls)
		return;
	add_dist(table, &(struct what){ "Comp Granularity", "time", false },
		 &run->computations);
	add_dist(table, &(struct what){ "Comm Overhead", "time", false },
		 &run->communications);
}
