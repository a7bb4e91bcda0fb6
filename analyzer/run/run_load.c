/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * A file is read, added up and forgotten: what is held in memory is a few files
 * and the sums.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "analyzer/base/mem.h"
#include "analyzer/base/say.h"
#include "analyzer/run/flight/run_flight.h"
#include "analyzer/run/read/run_read.h"
#include "analyzer/run/run_ahead.h"
#include "analyzer/run/run_choose.h"
#include "analyzer/run/run_end.h"
#include "analyzer/run/run_files.h"
#include "analyzer/run/run_senders.h"
#include "mds/settings/settings.h"

#define PROGRESS_S 1
#define HELD_MAX   10
#define WORDS_MAX  64 /* ranks that are looked at for why there is no record */

struct loading {
	const struct run_filter *filter;
	struct run_choose runs;
	/* Errors of files before the first that can be read. */
	char *held[HELD_MAX];
	size_t n_bad;
	size_t n_good;
	time_t begun;
	time_t told;
};

static uint64_t number_of(const struct run *run, const struct record *record)
{
	if (!record_value(record, "process", "rank"))
		return RUN_UNRANKED + run->n_ranks;
	return run_process_u64(record, "rank");
}

static bool is_possible(const struct run *run, uint64_t number)
{
	return number >= RUN_UNRANKED ? run->size == 0 : number < run->size;
}

static bool is_wanted(const struct loading *l, uint64_t number)
{
	if (!l->filter->ranks || number >= RUN_UNRANKED)
		return true;
	return settings_rank_in(l->filter->ranks, (long)number);
}

static void add_to_run(struct loading *l, struct run *run,
		       const struct record *record, const char *file)
{
	const uint64_t number = number_of(run, record);
	const size_t n = run->rank_numbers.n;

	if (!is_possible(run, number))
		say_warning("%s: rank %" PRIu64 " of %" PRIu64 " cannot be; "
			    "left out",
			    file, number, run->size);
	else if (!is_wanted(l, number))
		return;
	else if (intern_add(&run->rank_numbers, &number, sizeof(number)) < n)
		say_warning("%s: rank %" PRIu64 " is in another file too; "
			    "left out",
			    file, number);
	else {
		run_read(run, record, number, l->filter);
		run->ranks[run->n_ranks - 1].file = intern_text(&run->files,
								file);
	}
}

static void add_record(struct loading *l, const struct record *record,
		       const char *file)
{
	struct run *run = run_choose_for(&l->runs, record, file);

	if (run)
		add_to_run(l, run, record, file);
	else
		say_warning("%s: is of yet another run; left out", file);
}

/* If no file can be read at all, that is one error and not many warnings. */
static void say_bad(struct loading *l, const char *why)
{
	if (l->n_good > 0)
		say_fault(why, "left out");
	else if (l->n_bad < HELD_MAX)
		l->held[l->n_bad] = mem_text(why);
	l->n_bad++;
}

static void release_held(struct loading *l, bool say)
{
	for (size_t i = 0; i < HELD_MAX && l->held[i]; i++) {
		if (say)
			say_fault(l->held[i], "left out");
		free(l->held[i]);
		l->held[i] = NULL;
	}
}

/* A record that was cut off before its process is none. */
static void without_process(struct loading *l, const char *file,
			    const struct run_opened *opened)
{
	char *why = opened->why[0]
			    ? mem_text(opened->why)
			    : mem_print("%s: has no table of its process",
					file);

	say_bad(l, why);
	free(why);
	record_free(opened->record);
}

static void add_file(struct loading *l, const char *file,
		     const struct run_opened *opened)
{
	if (opened->rc != 0) {
		say_bad(l, opened->why);
		return;
	}
	if (!record_table(opened->record, "process")) {
		without_process(l, file, opened);
		return;
	}
	if (l->n_good++ == 0)
		release_held(l, true);
	if (opened->why[0])
		say_warning("%s", opened->why);
	add_record(l, opened->record, file);
	record_free(opened->record);
}

static void tell_progress(struct loading *l, size_t i, size_t n)
{
	const time_t now = time(NULL);
	char line[64];

	if (now - l->begun <= PROGRESS_S || now == l->told)
		return;
	l->told = now;
	snprintf(line, sizeof(line), "reading file %zu of %zu", i, n);
	say_progress(line);
}

static int by_rank(const void *a, const void *b)
{
	const uint64_t x = ((const struct run_rank *)a)->rank;
	const uint64_t y = ((const struct run_rank *)b)->rank;

	return (x > y) - (x < y);
}

static void finish(struct run *run, const char *path)
{
	run->path = mem_text(path);
	run_end_know(run);
	qsort(run->ranks, run->n_ranks, sizeof(*run->ranks), by_rank);
	run_cells_finish(run);
	for (size_t i = 0; i < run->phase_names.n; i++)
		tally_close(&run->phases[i].calls);
}

/* The first rank that left word about it. */
static char *why_unwritten(const char *path, const struct run_filter *filter)
{
	for (uint64_t rank = 0; rank < WORDS_MAX; rank++) {
		char *why = NULL;
		char *text;

		if (!filter->ranks ||
		    settings_rank_in(filter->ranks, (long)rank))
			why = run_end_why(path, rank);
		if (!why)
			continue;
		text = mem_print("rank %" PRIu64 " could not write it: %s",
				 rank, why);
		free(why);
		return text;
	}
	return NULL;
}

static void say_no_file(const struct loading *l, const char *path)
{
	char *why = why_unwritten(path, l->filter);

	say_error("%s: has no record file%s%s%s", path,
		  l->filter->ranks ? " of these ranks" : "", why ? "; " : "",
		  why ? why : "");
	free(why);
}

static void say_nothing_read(const struct loading *l, const char *path)
{
	if (l->n_bad > 1 && l->n_good == 0)
		say_error("%s (and none of the other %zu files in %s can be "
			  "read)",
			  l->held[0], l->n_bad - 1, path);
	else if (l->n_bad == 1 && l->n_good == 0)
		say_error("%s", l->held[0]);
	else
		say_no_file(l, path);
}

static void add_files(struct loading *l, const struct run_files *files)
{
	struct run_ahead *ahead = run_ahead_start(files);
	struct run_opened opened;

	for (size_t i = 0; i < files->n; i++) {
		tell_progress(l, i, files->n);
		run_ahead_take(ahead, &opened);
		add_file(l, files->paths[i], &opened);
	}
	say_progress(NULL);
	run_ahead_end(ahead);
}

/* The process's own record; NULL: it has none. */
static struct run_rank *find_rank(const struct run *run,
				  const struct record *record)
{
	const bool ranked = record_value(record, "process", "rank") != NULL;
	const uint64_t key = run_process_u64(record, ranked ? "rank" : "pid");

	for (size_t i = 0; i < run->n_ranks; i++)
		if (ranked ? run->ranks[i].rank == key
			   : run->ranks[i].rank >= RUN_UNRANKED &&
				     run->ranks[i].pid == key)
			return &run->ranks[i];
	return NULL;
}

/* Then its flight recorder is there because it could not be removed. */
static bool has_finalized(const struct run *run, const struct run_rank *rank)
{
	return strcmp(run_rank_fact(run, rank, RUN_REASON), "finalize") == 0;
}

/* Adds a process's flight recorder, beside its record if it has one. */
static void add_flight(struct loading *l, const struct record *record,
		       const char *file)
{
	struct run *run = run_choose_for(&l->runs, record, file);
	struct run_rank *rank;

	if (!run || !is_wanted(l, number_of(run, record)))
		return;
	rank = find_rank(run, record);
	if (!rank)
		add_to_run(l, run, record, file);
	else if (!has_finalized(run, rank))
		run_read_beside(run, record, rank);
}

/* A process that ended well has left none. */
static void add_flights(struct loading *l, const char *path, bool living)
{
	struct run_files files = { 0 };
	struct run_opened opened;

	if (run_files_list(&files, path, FLIGHT_SUFFIX, l->filter) != 0 ||
	    files.from != READING_RECORD)
		files.n = 0;
	for (size_t i = 0; i < files.n; i++) {
		run_flight_read(&opened, files.paths[i], files.from, living);
		if (opened.rc != 0) {
			say_bad(l, opened.why);
		} else if (opened.record) {
			if (l->n_good++ == 0)
				release_held(l, true);
			add_flight(l, opened.record, files.paths[i]);
			record_free(opened.record);
		}
	}
	run_files_clear(&files);
}

static struct run *load(const struct run_files *files, const char *path,
			const struct run_filter *filter)
{
	struct loading l = { .filter = filter, .begun = time(NULL) };
	struct run *run;

	add_files(&l, files);
	if (files->from == READING_RECORD)
		add_flights(&l, path, false);
	run = run_choose_end(&l.runs);
	if (run && run->n_ranks == 0) {
		run_free(run);
		run = NULL;
	}
	if (!run)
		say_nothing_read(&l, path);
	release_held(&l, false);
	return run;
}

int run_load_living(struct run **run_p, const char *path,
		    const struct run_filter *filter)
{
	struct loading l = { .filter = filter, .begun = time(NULL) };
	struct run *run;

	add_flights(&l, path, true);
	release_held(&l, true);
	run = run_choose_end(&l.runs);
	if (!run)
		return -ESRCH;
	finish(run, path);
	*run_p = run;
	return 0;
}

int run_load(struct run **run_p, const char *path,
	     const struct run_filter *filter)
{
	static const struct run_filter everything;
	struct run_files files = { 0 };
	struct run *run = NULL;
	enum reading_from from;
	int rc;

	filter = filter ? filter : &everything;
	rc = run_files_list(&files, path, ".gz", filter);
	if (rc == 0)
		run = load(&files, path, filter);
	else
		say_error("%s: %s", path, strerror(-rc));
	from = files.from;
	run_files_clear(&files);
	if (!run)
		return rc ? rc : -ENOENT;
	run->some_ranks = filter->ranks != NULL;
	run->some_calls = filter->calls != NULL;
	finish(run, path);
	run_senders_find(run, from);
	*run_p = run;
	return 0;
}
