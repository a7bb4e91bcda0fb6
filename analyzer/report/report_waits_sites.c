/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Of the section `waits`: who waited where and for whom, and what the other one
 * did meanwhile.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "analyzer/base/mem.h"
#include "analyzer/report/report_waits.h"

#define CAUSES 2 /* that a row shows, for people */

static const struct table_column site_columns[] = {
	{ "state", "State", TABLE_TEXT, TABLE_RIGID, 0 },
	{ "site", "Site", TABLE_TEXT, TABLE_TAIL, TABLE_BY_NAME },
	{ "call", "Call", TABLE_TEXT, 0, 0 },
	SUM_COLUMNS,
	{ "other_site", "", TABLE_TEXT, TABLE_MACHINE, 0 },
	{ "other_call", "", TABLE_TEXT, TABLE_MACHINE, 0 },
	{ "direct_ns", "", TABLE_TIME, TABLE_MACHINE, 0 },
	{ "propagated_ns", "", TABLE_TIME, TABLE_MACHINE, 0 },
	{ "unknown_ns", "", TABLE_TIME, TABLE_MACHINE, 0 },
	{ 0 },
};

static const struct table_column cause_columns[] = {
	{ "state", "", TABLE_TEXT, 0, 0 },
	{ "site", "", TABLE_TEXT, 0, 0 },
	{ "call", "", TABLE_TEXT, 0, 0 },
	{ "other_site", "", TABLE_TEXT, 0, 0 },
	{ "other_call", "", TABLE_TEXT, 0, 0 },
	{ "meanwhile", "", TABLE_TEXT, 0, 0 },
	{ "time_ns", "", TABLE_TIME, 0, TABLE_BY_TIME },
	{ 0 },
};

static const struct table_column instance_columns[] = {
	{ "since_ns", "At", TABLE_TIME, 0, 0 },
	{ "rank", "Rank", TABLE_RANK, 0, 0 },
	{ "state", "State", TABLE_TEXT, TABLE_RIGID, 0 },
	{ "time_ns", "Time", TABLE_TIME, 0, TABLE_BY_TIME },
	{ "site", "Site", TABLE_TEXT, TABLE_TAIL, 0 },
	{ "call", "Call", TABLE_TEXT, 0, 0 },
	{ "other_rank", "For", TABLE_RANK, 0, 0 },
	{ "other_site", "", TABLE_TEXT, TABLE_MACHINE, 0 },
	{ "other_call", "", TABLE_TEXT, TABLE_MACHINE, 0 },
	{ "meanwhile", "", TABLE_TEXT, TABLE_MACHINE, 0 },
	{ 0 },
};

void report_waits_sum(const struct report_waits_showing *showing,
		      struct table *table, const struct waits_sum *sum)
{
	static const double percents[] = { 50, 99 };

	table_number(table, sum->count);
	table_number(table, sum->time);
	table_share(table, sum->time, showing->total);
	table_number_if(table, sum->count,
			sum->count ? sum->time / sum->count : 0);
	for (int i = 0; i < 2; i++)
		table_number_if(
			table, sum->times.n > 0,
			dist_percentile(&sum->times, percents[i], 0, sum->max));
	table_number_if(table, sum->times.n > 0, sum->max);
}

void report_waits_place(const struct waits *waits, struct table *table,
			uint32_t place)
{
	const char *site = waits_site_text(waits, place);

	if (place == WAITS_NOWHERE) {
		table_none(table);
		table_none(table);
		return;
	}
	table_words(table, *site ? site : "(unknown)");
	table_words(table, waits_call_text(waits, place));
}

static const struct waits_row_key *row_key(const struct waits *waits,
					   uint32_t row)
{
	return intern_key(&waits->row_keys, row);
}

static const struct waits_cause_key *cause_key(const struct waits *waits,
					       size_t cause)
{
	return intern_key(&waits->cause_keys, cause);
}

/* Causes by row, the longest first. */
struct cause {
	const struct waits_cause_key *key;
	uint64_t time;
};

static int by_row(const void *a_p, const void *b_p)
{
	const struct cause *a = a_p;
	const struct cause *b = b_p;

	if (a->key->row != b->key->row)
		return a->key->row < b->key->row ? -1 : 1;
	return a->time > b->time ? -1 : a->time < b->time;
}

static struct cause *causes_sorted(const struct waits *waits)
{
	const size_t n = waits->cause_keys.n;
	struct cause *causes = mem_alloc(n + 1, sizeof(*causes));

	for (size_t i = 0; i < n; i++)
		causes[i] = (struct cause){ cause_key(waits, i),
					    waits->causes[i] };
	qsort(causes, n, sizeof(*causes), by_row);
	return causes;
}

static void put_cause(const struct waits *waits, FILE *to,
		      const struct cause *cause, uint64_t whole)
{
	char *text = waits_cause_text(waits, cause->key);
	char *shown = mem_shown(text);

	fprintf(to, "      %3.0f %% %s\n",
		100.0 * (double)cause->time / (double)whole, shown);
	free(text);
	free(shown);
}

/* For people: for whom it waited, and what that one did meanwhile. */
static char *row_below(const struct waits *waits, uint32_t row,
		       const struct cause *causes, size_t n)
{
	const struct waits_row_key *key = row_key(waits, row);
	char *place;
	char *shown;
	char *text;
	size_t size;
	FILE *to;

	if (key->other == WAITS_NOWHERE)
		return NULL;
	to = mem_stream(&text, &size);
	place = waits_place_text(waits, key->other);
	shown = mem_shown(place);
	fprintf(to, "      for %s, whose rank meanwhile\n", shown);
	free(place);
	free(shown);
	for (size_t i = 0; i < n && i < CAUSES; i++)
		put_cause(waits, to, &causes[i], waits->rows[row].sum.time);
	fclose(to);
	return text;
}

static void add_site(const struct report_waits_showing *showing,
		     struct table *table, uint32_t row,
		     const struct cause *causes, size_t n)
{
	const struct waits *waits = showing->waits;
	const struct waits_row_key *key = row_key(waits, row);
	const struct waits_row *r = &waits->rows[row];
	struct table_row *added = table_row(table, showing->total);

	added->below = row_below(waits, row, causes, n);
	table_words(table, waits_state_names[key->state]);
	report_waits_place(waits, table, key->place);
	report_waits_sum(showing, table, &r->sum);
	report_waits_place(waits, table, key->other);
	table_number(table, r->direct);
	table_number(table, r->propagated);
	table_number(table, r->unknown);
}

static void add_cause(const struct waits *waits, struct table *table,
		      const struct cause *cause)
{
	const struct waits_row_key *key = row_key(waits, cause->key->row);
	char *text = waits_cause_text(waits, cause->key);

	table_row(table, 0);
	table_words(table, waits_state_names[key->state]);
	report_waits_place(waits, table, key->place);
	report_waits_place(waits, table, key->other);
	table_words(table, text);
	table_number(table, cause->time);
	free(text);
}

void report_waits_sites(const struct report_waits_showing *showing)
{
	const struct waits *waits = showing->waits;
	struct cause *causes = causes_sorted(waits);
	struct table *table = report_table(showing->report, "wait_sites",
					   "Waits by call site", site_columns,
					   0);
	struct table *meanwhile = report_table(showing->report, "wait_causes",
					       "", cause_columns,
					       TABLE_MACHINE);
	size_t at = 0;
	size_t n;

	for (uint32_t row = 0; row < waits->row_keys.n; row++, at += n) {
		for (n = 0; at + n < waits->cause_keys.n; n++)
			if (causes[at + n].key->row != row)
				break;
			else
				add_cause(waits, meanwhile, &causes[at + n]);
		add_site(showing, table, row, &causes[at], n);
	}
	free(causes);
	report_arrange(showing->report, table, TABLE_BY_TIME);
	report_arrange(showing->report, meanwhile, TABLE_BY_TIME);
}

static char *instance_below(const struct waits *waits,
			    const struct waits_instance *instance)
{
	const struct waits_row_key *key = row_key(waits, instance->row);
	char *other = waits_place_text(waits, key->other);
	char *cause = waits_cause_text(waits, &instance->cause);
	char *text = mem_print("for %s; mostly: %s", other, cause);
	char *shown = mem_shown(text);

	free(other);
	free(cause);
	free(text);
	text = mem_print("      %s\n", shown);
	free(shown);
	return text;
}

static void add_instance(const struct waits *waits, struct table *table,
			 const struct waits_instance *instance)
{
	const struct waits_row_key *key = row_key(waits, instance->row);
	char *cause = waits_cause_text(waits, &instance->cause);
	struct table_row *row = table_row(table, 0);

	if (key->other != WAITS_NOWHERE)
		row->below = instance_below(waits, instance);
	table_number(table, instance->since);
	table_number(table, instance->rank);
	table_words(table, waits_state_names[key->state]);
	table_number(table, instance->time);
	report_waits_place(waits, table, key->place);
	table_number_if(table, instance->has_other, instance->other_rank);
	report_waits_place(waits, table, key->other);
	table_words(table, cause);
	free(cause);
}

void report_waits_instances(const struct report_waits_showing *showing)
{
	struct table *table = report_table(showing->report, "wait_instances",
					   "Severest waits", instance_columns,
					   0);

	for (size_t i = 0; i < showing->waits->n_severest; i++)
		add_instance(showing->waits, table,
			     &showing->waits->severest[i]);
	table_cut(table, showing->report->options->top);
}
