/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Reads the runs of both groups, one at a time, and keeps the times to compare.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/mem.h"
#include "analyzer/diff/diff.h"

struct diff *diff_new(size_t n_a, size_t n_b)
{
	struct diff *diff = mem_alloc(1, sizeof(*diff));

	diff->n[DIFF_A] = n_a;
	diff->n[DIFF_B] = n_b;
	diff->runs = mem_alloc(n_a + n_b, sizeof(*diff->runs));
	return diff;
}

static void set_clear(struct diff_set *set)
{
	for (size_t i = 0; i < set->keys.n; i++)
		free(set->rows[i].times);
	intern_clear(&set->keys);
	free(set->rows);
}

void diff_free(struct diff *diff)
{
	if (!diff)
		return;
	for (size_t i = 0; i < diff->n_runs; i++) {
		free(diff->runs[i].path);
		free(diff->runs[i].program);
		free(diff->runs[i].reasons);
		free(diff->runs[i].statuses);
		free(diff->runs[i].mode);
	}
	free(diff->runs);
	set_clear(&diff->parts);
	set_clear(&diff->calls);
	set_clear(&diff->sites);
	set_clear(&diff->computing);
	set_clear(&diff->in_mpi);
	intern_clear(&diff->nameless);
	free(diff);
}

struct diff_row diff_row_new(const struct diff *diff)
{
	const size_t n = diff->n[DIFF_A] + diff->n[DIFF_B];
	struct diff_row row = { .times = mem_alloc(2 * n, sizeof(uint64_t)) };

	row.calls = row.times + n;
	return row;
}

void diff_set_add(struct diff *diff, struct diff_set *set, const void *key,
		  size_t size, uint64_t time, uint64_t calls)
{
	const size_t n = set->keys.n;
	const size_t number = intern_add(&set->keys, key, size);
	const size_t run = diff->n_runs;
	struct diff_row *row;

	if (number == n) {
		set->rows = mem_grow(set->rows, &set->room, n,
				     sizeof(*set->rows));
		set->rows[n] = diff_row_new(diff);
	}
	row = &set->rows[number];
	row->times[run] = sat_add(row->times[run], time);
	row->calls[run] = sat_add(row->calls[run], calls);
	row->n_added++;
}

static void add_part(struct diff *diff, enum diff_part part, uint64_t time,
		     uint64_t calls)
{
	diff_set_add(diff, &diff->parts, &part, sizeof(part), time, calls);
}

static void add_ranks(struct diff *diff, const struct run *run)
{
	struct run_rank sum = { 0 };

	for (size_t i = 0; i < run->n_ranks; i++) {
		const struct run_rank *r = &run->ranks[i];

		diff_set_add(diff, &diff->computing, &r->rank, sizeof(r->rank),
			     r->computation, 0);
		diff_set_add(diff, &diff->in_mpi, &r->rank, sizeof(r->rank),
			     r->communication, r->calls);
		sum.computation = sat_add(sum.computation, r->computation);
		sum.communication = sat_add(sum.communication,
					    r->communication);
		sum.waiting = sat_add(sum.waiting, r->waiting);
		sum.off = sat_add(sum.off, r->off);
		sum.calls = sat_add(sum.calls, r->calls);
	}
	add_part(diff, DIFF_COMPUTATION, sum.computation, 0);
	add_part(diff, DIFF_COMMUNICATION, sum.communication, sum.calls);
	add_part(diff, DIFF_WAITING, sum.waiting, 0);
	add_part(diff, DIFF_OFF, sum.off, 0);
	add_part(diff, DIFF_WALL, run_wall(run), 0);
}

static void add_calls(struct diff *diff, const struct run *run)
{
	for (size_t i = 0; i < run->calls.keys.n; i++) {
		const struct tally *t = &run->calls.list[i];

		diff_set_add(
			diff, &diff->calls, intern_key(&run->calls.keys, i),
			intern_size(&run->calls.keys, i), t->time, t->count);
	}
}

/* The module of a place without a line: such places are equal only within one
 * file.  Empty for a place with a line. */
static const char *module_of(const struct run *run, struct symbols *symbols,
			     uint64_t frame)
{
	const struct code_frame *f;
	const struct symbol *list;
	size_t n;

	if (frame == UINT64_MAX)
		return "";
	f = code_frame_get(&run->code, frame);
	list = symbols_get(symbols, frame, &n);
	if (f->module == CODE_UNKNOWN ||
	    (n && list[0].function && list[0].file))
		return "";
	return intern_key(&run->code.modules_by_key, f->module);
}

/* Adds a call site.  Its key is three texts, each with its zero byte. */
static void add_site(struct diff *diff, const struct run *run,
		     struct symbols *symbols, size_t i)
{
	const struct run_site_key *site = intern_key(&run->sites.keys, i);
	const char *call = intern_key(&run->calls.keys, site->call);
	const struct tally *t = &run->sites.list[i];
	char *place = site->place == UINT64_MAX
			      ? mem_text("(unknown)")
			      : symbols_text(symbols, site->place);
	char *key = mem_print("%s%c%s%c%s", place, 0, call, 0,
			      module_of(run, symbols, site->place));
	size_t size = strlen(place) + strlen(call) + 2;

	size += strlen(key + size) + 1;
	diff_set_add(diff, &diff->sites, key, size, t->time, t->count);
	if (site->place != UINT64_MAX)
		diff->places = true;
	free(key);
	free(place);
}

static void add_sites(struct diff *diff, const struct run *run)
{
	struct symbols *symbols = symbols_new(&run->code);
	char *note;

	for (size_t i = 0; i < run->sites.keys.n; i++)
		add_site(diff, run, symbols, i);
	for (size_t i = 0; i < run->code.modules_by_key.n; i++) {
		note = report_nameless(run, symbols, i);
		if (note)
			intern_text(&diff->nameless, note);
		free(note);
	}
	symbols_free(symbols);
}

void diff_add(struct diff *diff, const struct run *run)
{
	uint64_t others;
	struct diff_run *to = &diff->runs[diff->n_runs];

	*to = (struct diff_run){
		.path = mem_text(run->path),
		.program = mem_text(run_fact(run, RUN_PROGRAM, &others)),
		.mode = mem_text(run_fact(run, RUN_MODE, &others)),
		.size = run->size,
		.n_ranks = run->n_ranks,
		.n_missing = run_missing(run, NULL, 0),
		.reasons = report_fact_ranks(run, RUN_REASON, "finalize"),
		.statuses = report_fact_ranks(run, RUN_STATUS, "0"),
	};
	run_efficiency(run, RUN_WHOLE, &to->efficiency);
	for (size_t i = 0; i < run->n_ranks; i++)
		to->n_cut += !run->ranks[i].whole;
	add_ranks(diff, run);
	add_calls(diff, run);
	add_sites(diff, run);
	diff->n_runs++;
}

bool diff_same_ranks(const struct diff *diff)
{
	for (size_t i = 0; i < diff->n_runs; i++)
		if (diff->runs[i].size == 0 ||
		    diff->runs[i].size != diff->runs[0].size)
			return false;
	return true;
}
