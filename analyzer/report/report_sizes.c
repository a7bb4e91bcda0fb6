/* SPDX-License-Identifier: BSD-3-Clause */

/* The sections on traffic by primitive and on the sizes of messages. */
#include <stdio.h>
#include <string.h>

#include "analyzer/report/report.h"
#include "analyzer/report/report_bar.h"

static const struct table_column traffic[] = {
	{ "primitive", "Primitive", TABLE_TEXT, 0, TABLE_BY_NAME },
	{ "count", "Count", TABLE_COUNT, 0, TABLE_BY_COUNT },
	{ "sent_bytes", "Sent", TABLE_BYTES, TABLE_UNIT_A, 0 },
	{ "received_bytes", "Received", TABLE_BYTES, TABLE_UNIT_A, 0 },
	{ "bytes", "", TABLE_BYTES, TABLE_MACHINE, TABLE_BY_BYTES },
	{ "min_bytes", "Min", TABLE_BYTES, TABLE_UNIT_B, 0 },
	{ "p50_bytes", "p50", TABLE_BYTES, TABLE_UNIT_B, 0 },
	{ "p90_bytes", "p90", TABLE_BYTES, TABLE_WIDE | TABLE_UNIT_B, 0 },
	{ "p99_bytes", "p99", TABLE_BYTES, TABLE_WIDE | TABLE_UNIT_B, 0 },
	{ "max_bytes", "Max", TABLE_BYTES, TABLE_UNIT_B, TABLE_BY_MAX },
	{ 0 },
};

static void add_primitive(struct table *table, const char *name,
			  const struct tally *t)
{
	table_row(table, 0);
	table_words(table, name);
	table_number(table, t->count);
	table_number(table, t->sent);
	table_number(table, t->received);
	table_number(table, sat_add(t->sent, t->received));
	table_number(table, t->min_bytes);
	report_percentiles(table, &t->sizes, t->min_bytes, t->max_bytes);
	table_number(table, t->max_bytes);
}

void report_traffic(struct report *report)
{
	const struct tallies *calls = &report->run->calls;
	struct table *table = report_table(
		report, "traffic", "Bytes by primitive; sizes of a call",
		traffic, 0);

	for (size_t i = 0; i < calls->keys.n; i++)
		if (calls->list[i].sent | calls->list[i].received)
			add_primitive(table, intern_key(&calls->keys, i),
				      &calls->list[i]);
	report_arrange_all(report, table, TABLE_BY_BYTES);
}

static const struct table_column sizes[] = {
	{ "from_bytes", "", TABLE_BYTES, TABLE_MACHINE, 0 },
	{ "to_bytes", "", TABLE_BYTES, TABLE_MACHINE, 0 },
	{ "size", "Size", TABLE_TEXT, TABLE_PEOPLE, 0 },
	{ "calls", "Calls", TABLE_COUNT, 0, TABLE_BY_COUNT },
	{ "share_percent", "Share", TABLE_SHARE, 0, 0 },
	{ "cumulative_percent", "Sum", TABLE_SHARE, 0, 0 },
	{ "bar", "", TABLE_TEXT, TABLE_PEOPLE | TABLE_RIGID, 0 },
	{ 0 },
};

#define POWERS 65 /* of two, and zero */

static unsigned power_of(uint64_t value)
{
	return value ? 64 - (unsigned)__builtin_clzll(value) : 0;
}

/* "8 KiB to < 16 KiB" */
static void power_text(char *text, size_t size, unsigned power)
{
	static const char *const units[] = { "B",   "KiB", "MiB", "GiB",
					     "TiB", "PiB", "EiB" };
	const unsigned k = power - 1;

	if (power == 0)
		snprintf(text, size, "   0 B");
	else if (power == 1)
		snprintf(text, size, "   1 B");
	else
		snprintf(text, size, "%4u %s to < %u %s", 1u << k % 10,
			 units[k / 10], 1u << power % 10, units[power / 10]);
}

static void add_power(struct table *table, unsigned power, uint64_t calls,
		      uint64_t sum, uint64_t all)
{
	char text[32];
	char bar[REPORT_BAR + 1];

	power_text(text, sizeof(text), power);
	report_bar(bar, calls, all);
	table_row(table, 0);
	table_number(table, power ? (uint64_t)1 << (power - 1) : 0);
	table_number(table,
		     power == 64 ? UINT64_MAX : ((uint64_t)1 << power) - 1);
	table_words(table, text);
	table_number(table, calls);
	table_share(table, calls, all);
	table_share(table, sum, all);
	table_words(table, bar);
}

static void add_count(uint64_t *sum, uint64_t count)
{
	*sum = sat_add(*sum, count);
}

void report_sizes(struct report *report)
{
	const struct tallies *calls = &report->run->calls;
	struct table *table = report_table(report, "sizes",
					   "Message sizes, over all primitives",
					   sizes, 0);
	uint64_t counts[POWERS] = { 0 };
	uint64_t all = 0;
	uint64_t sum = 0;

	for (size_t i = 0; i < calls->keys.n; i++) {
		const struct dist *dist = &calls->list[i].sizes;

		for (size_t b = 0; b < dist->n; b++)
			add_count(&counts[power_of(dist->buckets[b].low)],
				  dist->buckets[b].count);
		all = sat_add(all, dist->count);
	}
	for (unsigned power = 0; power < POWERS; power++) {
		sum = sat_add(sum, counts[power]);
		if (counts[power])
			add_power(table, power, counts[power], sum, all);
	}
}
