/* SPDX-License-Identifier: BSD-3-Clause */

/* The table of the compared runs, by group. */
#include <stdio.h>
#include <stdlib.h>

#include "analyzer/base/mem.h"
#include "analyzer/diff/diff.h"

#define WORDS_MAX 4

static const struct table_column columns[] = {
	{ "group", "", TABLE_TEXT, 0, 0 },
	{ "record", "", TABLE_TEXT, 0, 0 },
	{ "program", "", TABLE_TEXT, 0, 0 },
	{ "mode", "", TABLE_TEXT, 0, 0 },
	{ "ranks", "", TABLE_COUNT, 0, 0 },
	{ "size", "", TABLE_COUNT, 0, 0 },
	{ "wall_ns", "", TABLE_TIME, 0, 0 },
	{ "computation_ns", "", TABLE_TIME, 0, 0 },
	{ "communication_ns", "", TABLE_TIME, 0, 0 },
	{ 0 },
};

static const struct table_column lines[] = {
	{ "group", "", TABLE_TEXT, 0, 0 },
	{ "what", "", TABLE_TEXT, 0, 0 },
	{ 0 },
};

static char *words_text(const struct intern *words)
{
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	for (size_t i = 0; to && i < words->n && i < WORDS_MAX; i++)
		fprintf(to, "%s%s", i ? ", " : "",
			(const char *)intern_key(words, i));
	if (to && words->n > WORDS_MAX)
		fprintf(to, " and %zu more", words->n - WORDS_MAX);
	if (to)
		fclose(to);
	return text ? text : mem_text("");
}

char *diff_modes(const struct diff *diff, enum diff_side side)
{
	struct intern words = { 0 };
	char *text;

	for (size_t i = diff_first(diff, side); i < diff_end(diff, side); i++)
		intern_text(&words, diff->runs[i].mode);
	text = words_text(&words);
	intern_clear(&words);
	return text;
}

char *diff_programs(const struct diff *diff, enum diff_side side)
{
	struct intern words = { 0 };
	char *text;

	for (size_t i = diff_first(diff, side); i < diff_end(diff, side); i++)
		intern_text(&words, diff->runs[i].program);
	text = words_text(&words);
	intern_clear(&words);
	return text;
}

static char *ranks_text(const struct diff *diff, enum diff_side side)
{
	const size_t first = diff_first(diff, side);
	size_t least = diff->runs[first].n_ranks;
	size_t most = least;

	for (size_t i = first; i < diff_end(diff, side); i++) {
		const size_t n = diff->runs[i].n_ranks;

		least = n < least ? n : least;
		most = n > most ? n : most;
	}
	if (least < most)
		return mem_print("%zu to %zu ranks", least, most);
	return mem_print("%zu rank%s", most, most == 1 ? "" : "s");
}

static char *records_text(const struct diff *diff, enum diff_side side)
{
	const char *path = diff->runs[diff_first(diff, side)].path;

	if (diff->n[side] == 1)
		return mem_text(path);
	return mem_print("%zu runs, %s and %zu more", diff->n[side], path,
			 diff->n[side] - 1);
}

static void add_line(const struct diff *diff, struct table *table,
		     enum diff_side side)
{
	char *records = records_text(diff, side);
	char *programs = diff_programs(diff, side);
	char *modes = diff_modes(diff, side);
	char *ranks = ranks_text(diff, side);
	char *text = mem_print("%s: %s, mode %s, %s", records, programs,
			       *modes ? modes : "unknown", ranks);

	table_row(table, 0);
	table_words(table, side == DIFF_A ? "A" : "B");
	table_words(table, text);
	free(text);
	free(ranks);
	free(modes);
	free(programs);
	free(records);
}

static void add_run(const struct diff *diff, struct table *table, size_t i)
{
	static const enum diff_part parts[] = { DIFF_WALL, DIFF_COMPUTATION,
						DIFF_COMMUNICATION };
	const struct diff_run *run = &diff->runs[i];

	table_row(table, 0);
	table_words(table, i < diff->n[DIFF_A] ? "A" : "B");
	table_words(table, run->path);
	table_words(table, run->program);
	table_words(table, run->mode);
	table_number(table, run->n_ranks);
	table_number_if(table, run->size > 0, run->size);
	for (size_t p = 0; p < sizeof(parts) / sizeof(parts[0]); p++)
		table_number(table, diff->parts.rows[parts[p]].times[i]);
}

struct table *diff_runs(const struct diff *diff,
			const struct report_options *options)
{
	struct table *table;

	if (options->machine) {
		table = table_new("runs", "", columns, TABLE_MACHINE);
		for (size_t i = 0; i < diff->n_runs; i++)
			add_run(diff, table, i);
		return table;
	}
	table = table_new("runs", "Runs", lines, TABLE_PLAIN);
	add_line(diff, table, DIFF_A);
	add_line(diff, table, DIFF_B);
	return table;
}
