/* SPDX-License-Identifier: BSD-3-Clause */

/* The section on call sites: where in the program the time goes. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "analyzer/base/mem.h"
#include "analyzer/report/report.h"

static const struct table_column columns[] = {
	{ "site", "Site", TABLE_TEXT, TABLE_TAIL, TABLE_BY_NAME },
	{ "call", "Call", TABLE_TEXT, 0, 0 },
	{ "count", "Count", TABLE_COUNT, 0, TABLE_BY_COUNT },
	{ "total_ns", "Total", TABLE_TIME, TABLE_OF_BASE | TABLE_UNIT_B,
	  TABLE_BY_TIME },
	{ "share_percent", "Share", TABLE_SHARE, 0, 0 },
	{ "max_ns", "Max", TABLE_TIME, TABLE_UNIT_A, TABLE_BY_MAX },
	{ "ranks", "Ranks", TABLE_COUNT, 0, 0 },
	{ "most_rank", "Most on", TABLE_RANK, TABLE_WIDE, 0 },
	{ "most_rank_ns", "Most", TABLE_TIME, TABLE_WIDE | TABLE_UNIT_B, 0 },
	{ "least_rank", "Least on", TABLE_RANK, TABLE_WIDE, 0 },
	{ "least_rank_ns", "Least", TABLE_TIME, TABLE_WIDE | TABLE_UNIT_B, 0 },
	{ "waiting_ns", "Waiting", TABLE_TIME,
	  TABLE_WIDE | TABLE_OF_BASE | TABLE_UNIT_B, 0 },
	{ "min_ns", "", TABLE_TIME, TABLE_MACHINE, 0 },
	{ "p50_ns", "p50", TABLE_TIME, TABLE_WIDE | TABLE_UNIT_A, 0 },
	{ "p90_ns", "p90", TABLE_TIME, TABLE_WIDE | TABLE_UNIT_A, 0 },
	{ "p99_ns", "p99", TABLE_TIME, TABLE_WIDE | TABLE_UNIT_A, 0 },
	{ "sent_bytes", "", TABLE_BYTES, TABLE_MACHINE, TABLE_BY_BYTES },
	{ "received_bytes", "", TABLE_BYTES, TABLE_MACHINE, 0 },
	{ "function", "", TABLE_TEXT, TABLE_MACHINE, 0 },
	{ "file", "", TABLE_TEXT, TABLE_MACHINE, 0 },
	{ "line", "", TABLE_COUNT, TABLE_MACHINE, 0 },
	{ "module", "", TABLE_TEXT, TABLE_MACHINE, 0 },
	{ "build_id", "", TABLE_TEXT, TABLE_MACHINE, 0 },
	{ "offset", "", TABLE_COUNT, TABLE_MACHINE, 0 },
	{ "path", "", TABLE_TEXT, TABLE_MACHINE, 0 },
	{ 0 },
};

static void put_source(const struct report *report, struct table *table,
		       uint64_t frame)
{
	const struct symbol *list = NULL;
	size_t n = 0;

	if (frame != UINT64_MAX)
		list = symbols_get(report->symbols, frame, &n);
	if (n && list[0].function)
		table_words(table, list[0].function);
	else
		table_none(table);
	if (n && list[0].file)
		table_words(table, list[0].file);
	else
		table_none(table);
	table_number_if(table, n && list[0].file, n ? list[0].line : 0);
}

static void put_address(const struct report *report, struct table *table,
			uint64_t frame)
{
	const struct code *code = &report->run->code;
	const struct code_frame *f = NULL;

	if (frame != UINT64_MAX)
		f = code_frame_get(code, frame);
	if (!f || f->module == CODE_UNKNOWN) {
		table_none(table);
		table_none(table);
		table_none(table);
		return;
	}
	table_words(table, code->modules[f->module].file);
	table_words(table, code->modules[f->module].build_id);
	table_number(table, f->offset);
}

/* The functions of a frame, inlined ones each by itself. */
static void put_frame(const struct report *report, size_t frame,
		      const char *before, const char *after, FILE *to)
{
	size_t n;
	const struct symbol *list = symbols_get(report->symbols, frame, &n);
	char *text;
	char *name;

	for (size_t i = 0; i < n || i == 0; i++) {
		name = n > 1 ? symbols_one_text(&list[i])
			     : symbols_text(report->symbols, frame);
		/* Lines go to the terminal as they are. */
		text = *after == '\n' ? mem_shown(name) : mem_text(name);
		fprintf(to, "%s%s%s%s", before, text,
			n && list[i].inlined ? " (inlined)" : "", after);
		free(text);
		free(name);
	}
}

static char *path_text(const struct report *report, uint64_t path,
		       const char *before, const char *after)
{
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);
	const size_t *frames;
	size_t n;

	if (to && path != UINT64_MAX) {
		frames = code_path_frames(&report->run->code, path, &n);
		for (size_t i = 0; i < n; i++)
			put_frame(report, frames[i], before, after, to);
	}
	if (to)
		fclose(to);
	return text ? text : mem_text("");
}

static void put_path(const struct report *report, struct table *table,
		     struct table_row *row, uint64_t path)
{
	char *text;

	if (!report->options->paths) {
		table_none(table);
		return;
	}
	text = path_text(report, path, "", ";");
	table_words(table, text);
	free(text);
	row->below = path_text(report, path, "      < ", "\n");
}

static void put_numbers(const struct report *report, struct table *table,
			const struct tally *t)
{
	table_number(table, t->count);
	table_number(table, t->time);
	table_share(table, t->time, report->total);
	table_number(table, t->max);
	table_number(table, t->ranks);
	table_number(table, t->most_rank);
	table_number(table, t->most_time);
	table_number(table, t->least_rank);
	table_number(table, t->least_time);
	table_number(table, t->waiting);
	table_number(table, t->min);
	report_percentiles(table, &t->times, t->min, t->max);
	table_number(table, t->sent);
	table_number(table, t->received);
}

static void add_site(const struct report *report, struct table *table,
		     const struct run_site_key *key, const struct tally *t)
{
	const bool paths = report->options->paths;
	uint64_t frame = key->place;
	struct table_row *row;
	char *site;

	if (paths && frame != UINT64_MAX)
		frame = code_site(&report->run->code, key->place);
	site = report_place(report, frame);
	row = table_row(table, report->total);
	table_words(table, site);
	free(site);
	table_words(table, intern_key(&report->run->calls.keys, key->call));
	put_numbers(report, table, t);
	put_source(report, table, frame);
	put_address(report, table, frame);
	put_path(report, table, row, key->place);
}

/* Without call paths all places are unknown: there is nothing to show. */
static bool has_places(const struct tallies *sites)
{
	for (size_t i = 0; i < sites->keys.n; i++) {
		const struct run_site_key *key = intern_key(&sites->keys, i);

		if (key->place != UINT64_MAX)
			return true;
	}
	return false;
}

/* MPI_Init and MPI_Finalize have no share, and mostly no place. */
static bool is_shown(const struct run *run, const struct run_site_key *key)
{
	return !run_is_outside(intern_key(&run->calls.keys, key->call));
}

void report_sites(struct report *report)
{
	const struct run *run = report->run;
	const bool paths = report->options->paths;
	const struct tallies *sites = paths ? &run->paths : &run->sites;
	struct table *table = report_table(report, "sites",
					   paths ? "Call paths" : "Call sites",
					   columns, 0);

	if (!has_places(sites))
		return;
	for (size_t i = 0; i < sites->keys.n; i++) {
		const struct run_site_key *key = intern_key(&sites->keys, i);

		if (is_shown(run, key))
			add_site(report, table, key, &sites->list[i]);
	}
	report_arrange(report, table, TABLE_BY_TIME);
}
