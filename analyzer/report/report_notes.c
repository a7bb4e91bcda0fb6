/* SPDX-License-Identifier: BSD-3-Clause */

/* The notes of the report: what is unusual about the run, in sentences. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/mem.h"
#include "analyzer/base/units.h"
#include "analyzer/report/report.h"
#include "analyzer/run/run_end.h"

static const struct table_column columns[] = {
	{ "text", "", TABLE_TEXT, 0, 0 },
	{ 0 },
};

#define ROWS_OF_MISSING 64

/* "ranks 0-2" of those ranks for which `is` holds; NULL if for none. */
static char *ranks_that(const struct run *run,
			bool (*is)(const struct run *, const struct run_rank *),
			size_t *n)
{
	uint64_t *ranks = mem_alloc(run->n_ranks, sizeof(*ranks));
	char *text;

	*n = 0;
	for (size_t i = 0; i < run->n_ranks; i++)
		if (is(run, &run->ranks[i]))
			ranks[(*n)++] = run->ranks[i].rank;
	text = *n ? report_ranks(ranks, *n) : NULL;
	free(ranks);
	return text;
}

static bool is_partial(const struct run *run, const struct run_rank *rank)
{
	(void)run;
	return !rank->whole;
}

static void note_partial(const struct run *run, struct table *table)
{
	size_t n;
	char *ranks = ranks_that(run, is_partial, &n);

	if (ranks)
		report_note(table,
			    mem_print("The record of %s is cut off or damaged: "
				      "some numbers are too small.",
				      ranks));
	free(ranks);
}

static void note_status(const struct run *run, struct table *table)
{
	char *status = report_fact_ranks(run, RUN_STATUS, "0");

	if (status)
		report_note(table, mem_print("The exit status was %s: the "
					     "program may have failed.",
					     status));
	free(status);
}

static void note_missing(const struct run *run, struct table *table)
{
	uint64_t missing[ROWS_OF_MISSING];
	uint64_t n = run_missing(run, missing, ROWS_OF_MISSING);
	const bool more = n > ROWS_OF_MISSING;
	char *ranks;

	if (n == 0 || run->some_ranks)
		return;
	ranks = report_ranks(missing, more ? ROWS_OF_MISSING : (size_t)n);
	report_note(table,
		    mem_print("%s of %" PRIu64 " left no record%s.", ranks,
			      run->size, more ? ", and more" : ""));
	free(ranks);
}

static bool is_unwritten(const char *reason)
{
	return strcmp(reason, "unwritten") == 0 || strcmp(reason, "lost") == 0;
}

static void count_unwritten(const struct run *run, uint64_t rank, uint64_t *n,
			    char **first)
{
	char *why = run_end_why(run->path, rank);

	if (why && (*n)++ == 0)
		*first = mem_print("rank %" PRIu64 ": %s", rank, why);
	free(why);
}

/* What is there may be older: saved before, or a flight recorder. */
static void note_unwritten(const struct run *run, struct table *table)
{
	uint64_t missing[ROWS_OF_MISSING];
	const uint64_t n_missing = run_missing(run, missing, ROWS_OF_MISSING);
	char *first = NULL;
	uint64_t n = 0;

	for (size_t i = 0; i < run->n_ranks; i++)
		if (is_unwritten(
			    run_rank_fact(run, &run->ranks[i], RUN_REASON)))
			count_unwritten(run, run->ranks[i].rank, &n, &first);
	for (size_t i = 0; i < n_missing && i < ROWS_OF_MISSING; i++)
		count_unwritten(run, missing[i], &n, &first);
	if (n > 1)
		report_note(table,
			    mem_print("%" PRIu64 " ranks could not write their "
				      "record, as %s.",
				      n, first));
	else if (n == 1)
		report_note(table, mem_print("The record could not be written "
					     "by %s.",
					     first));
	free(first);
}

/* Some were asked for their record, and others saved it at another time. */
static void note_moments(const struct run *run, struct table *table)
{
	size_t n_asked = 0;
	size_t n_saved = 0;

	for (size_t i = 0; i < run->n_ranks; i++) {
		const struct run_rank *rank = &run->ranks[i];

		n_asked += strcmp(run_rank_fact(run, rank, RUN_REASON),
				  "request") == 0;
		n_saved += run_rank_is_saved(run, rank);
	}
	if (n_asked && n_saved)
		report_note(table,
			    mem_print("%zu ranks were asked for their record, "
				      "%zu saved it earlier: what they did is "
				      "of different moments.  SIGUSR2 to bcs "
				      "run asks all.",
				      n_asked, n_saved));
}

/* Tables of calls have those that ended. */
static void note_under_way(const struct run *run, struct table *table)
{
	uint64_t time = 0;

	for (size_t i = 0; i < run->n_now; i++)
		time = sat_add(time, run->now[i].since);
	if (run->n_now)
		report_note(table,
			    mem_print("The calls under way took %s so far, "
				      "which Communication has.  Waiting and "
				      "the tables of calls have calls that "
				      "ended.",
				      units_time_text(time)));
}

static void note_dropped(const struct run *run, struct table *table)
{
	uint64_t calls = 0;

	for (size_t i = 0; i < run->n_ranks; i++)
		calls = sat_add(calls, run->ranks[i].dropped_calls);
	if (calls)
		report_note(table,
			    mem_print("%" PRIu64 " calls found no room for a "
				      "row of their own: they are counted, "
				      "but not at their call sites. "
				      "BCS_MEMORY gives more room.",
				      calls));
}

static void note_programs(const struct run *run, struct table *table)
{
	size_t n;
	char *programs = report_fact_list(run, RUN_PROGRAM, &n);

	if (n > 1)
		report_note(table,
			    mem_print("The ranks ran different programs: %s.",
				      programs));
	free(programs);
}

static void note_pairs(const struct run *run, struct table *table)
{
	if (run->peers_dropped)
		report_note(table,
			    mem_print("%" PRIu64 " pairs of ranks with the "
				      "least traffic are left out of the "
				      "peers.",
				      run->peers_dropped));
}

/* The preload's own messages, once for all ranks. */
static void note_recorded(const struct run *run, struct table *table)
{
	for (size_t i = 0; i < run->note_texts.n; i++) {
		const char *text = intern_key(&run->note_texts, i);

		if (run->notes[i].ranks == run->n_ranks)
			report_note(table, mem_print("%s.", text));
		else
			report_note(table,
				    mem_print("%s (on %" PRIu64 " of %zu "
					      "ranks).",
					      text, run->notes[i].ranks,
					      run->n_ranks));
	}
}

static const char *name_of(const struct run *run, size_t module)
{
	const char *file = run->code.modules[module].file;
	const char *slash = strrchr(file, '/');

	return slash ? slash + 1 : file;
}

/* Whether calls were made from the module, so that its names are missed. */
static bool has_sites(const struct run *run, size_t module)
{
	for (size_t i = 0; i < run->sites.keys.n; i++) {
		const struct run_site_key *key = intern_key(&run->sites.keys,
							    i);

		if (key->place != UINT64_MAX &&
		    code_frame_get(&run->code, key->place)->module == module)
			return true;
	}
	return false;
}

static const char *why_nameless(enum symbols_state state)
{
	switch (state) {
	case SYMBOLS_CHANGED:
		return "was built anew since the run: its call sites cannot "
		       "be named";
	case SYMBOLS_MISSING:
		return "is not here: its call sites cannot be named";
	case SYMBOLS_NO_LINES:
		return "has no debug data: built with -g its call sites would "
		       "have lines";
	default:
		return NULL;
	}
}

char *report_nameless(const struct run *run, struct symbols *symbols,
		      size_t module)
{
	const char *why = NULL;

	if (has_sites(run, module))
		why = why_nameless(symbols_state(symbols, module));
	return why ? mem_print("%s %s.", name_of(run, module), why) : NULL;
}

static void note_modules(const struct report *report, struct table *table)
{
	const struct run *run = report->run;
	char *text;

	for (size_t i = 0; i < run->code.modules_by_key.n; i++) {
		text = report_nameless(run, report->symbols, i);
		if (text)
			report_note(table, text);
	}
}

void report_notes(struct report *report)
{
	const struct run *run = report->run;
	struct table *table = report_table(report, "notes", "Notes", columns,
					   TABLE_PLAIN);

	note_missing(run, table);
	note_unwritten(run, table);
	note_moments(run, table);
	note_under_way(run, table);
	note_partial(run, table);
	note_status(run, table);
	note_programs(run, table);
	note_recorded(run, table);
	report_polite(report, table);
	note_dropped(run, table);
	report_doubts(run, table);
	note_pairs(run, table);
	note_modules(report, table);
}
