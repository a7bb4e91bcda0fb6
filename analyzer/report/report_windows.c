/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The section `windows`: efficiencies over time, from the trace.  The time from
 * the first end of MPI_Init to the last begin of MPI_Finalize is cut into parts
 * of the same length.  A rank is its first thread.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "analyzer/base/mem.h"
#include "analyzer/report/report_choice.h"
#include "analyzer/trace/timeline.h"

#define WINDOWS 10
#define EVENTS  8000000 /* some 100 bytes each */

struct window {
	uint64_t from;
	uint64_t to;
	uint64_t total;  /* computation of all ranks */
	uint64_t most;   /* of the rank that has most, */
	size_t lane;     /* which is this */
	uint64_t *calls; /* time in MPI by the name of the call */
};

struct windows {
	struct timeline timeline;
	struct window list[WINDOWS];
	size_t n_ranks;
};

static const struct table_column columns[] = {
	{ "from_ns", "From", TABLE_TIME, TABLE_UNIT_A, 0 },
	{ "to_ns", "To", TABLE_TIME, TABLE_UNIT_A, 0 },
	{ "parallel_percent", "Parallel", TABLE_SHARE, 0, 0 },
	{ "balance_percent", "Balance", TABLE_SHARE, 0, 0 },
	{ "communication_percent", "Commun.", TABLE_SHARE, 0, 0 },
	{ "computation_ns", "", TABLE_TIME, TABLE_MACHINE, 0 },
	{ "most_rank", "Most", TABLE_RANK, 0, 0 },
	{ "most_computation_ns", "", TABLE_TIME, TABLE_MACHINE, 0 },
	{ "call", "Longest in", TABLE_TEXT, 0, 0 },
	{ "call_percent", "Share", TABLE_SHARE, 0, 0 },
	{ 0 },
};

static bool is_rank(const struct timeline *t, size_t lane)
{
	return t->lanes[lane].n > 0 &&
	       (lane == 0 || t->lanes[lane].rank != t->lanes[lane - 1].rank ||
		t->lanes[lane].ranked != t->lanes[lane - 1].ranked);
}

/* How much of a stretch lies in the window. */
static uint64_t within(const struct window *window, uint64_t from, uint64_t to)
{
	if (from < window->from)
		from = window->from;
	if (to > window->to)
		to = window->to;
	return to > from ? to - from : 0;
}

/* The first event that ends after the window begins. */
static size_t first_event(const struct timeline_lane *lane, uint64_t from)
{
	size_t low = 0;
	size_t high = lane->n;

	while (low < high) {
		const size_t mid = (low + high) / 2;

		if (lane->events[mid].begin + lane->events[mid].time <= from)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/* The time of the rank in the window that is no computation. */
static uint64_t in_calls(const struct timeline *t, struct window *window,
			 const struct timeline_lane *lane)
{
	uint64_t sum = 0;

	for (size_t i = first_event(lane, window->from);
	     i < lane->n && lane->events[i].begin < window->to; i++) {
		const struct timeline_event *e = &lane->events[i];
		const struct timeline_shape *shape = timeline_shape(t,
								    e->shape);
		const uint64_t time = within(window, e->begin,
					     e->begin + e->time);

		sum += time;
		if (shape->state != TIMELINE_OFF)
			window->calls[shape->call] += time;
	}
	return sum;
}

static void add_rank(const struct timeline *t, struct window *window,
		     size_t number)
{
	const struct timeline_lane *lane = &t->lanes[number];
	const struct timeline_event *last = &lane->events[lane->n - 1];
	const uint64_t there = within(window, lane->events[0].begin,
				      last->begin + last->time);
	const uint64_t computed = there - in_calls(t, window, lane);

	window->total += computed;
	if (computed < window->most)
		return;
	window->most = computed;
	window->lane = number;
}

static void fill(struct windows *w, size_t number)
{
	const struct timeline *t = &w->timeline;
	const uint64_t span = t->main_to - t->main_from;
	struct window *window = &w->list[number];

	*window = (struct window){
		.from = t->main_from + span / WINDOWS * number,
		.to = number + 1 == WINDOWS
			      ? t->main_to
			      : t->main_from + span / WINDOWS * (number + 1),
		.calls = mem_alloc(t->texts.n, sizeof(*window->calls)),
	};
	for (size_t i = 0; i < t->n_lanes; i++)
		if (is_rank(t, i))
			add_rank(t, window, i);
}

static size_t longest_call(const struct windows *w, const struct window *window)
{
	size_t longest = 0;

	for (size_t i = 0; i < w->timeline.texts.n; i++)
		if (window->calls[i] > window->calls[longest])
			longest = i;
	return longest;
}

static void add_row(const struct windows *w, const struct window *window,
		    struct table *table)
{
	const double length = (double)(window->to - window->from);
	const double mean = (double)window->total / (double)w->n_ranks;
	const double most = (double)window->most;
	const size_t call = longest_call(w, window);

	table_row(table, 0);
	table_number(table, window->from);
	table_number(table, window->to);
	table_real(table, 100 * mean / length);
	table_real(table, window->most ? 100 * mean / most : 100);
	table_real(table, 100 * most / length);
	table_number(table, window->total);
	table_number(table, w->timeline.lanes[window->lane].rank);
	table_number(table, window->most);
	table_words(table, intern_key(&w->timeline.texts, call));
	table_real(table, 100 * (double)window->calls[call] / length /
				  (double)w->n_ranks);
}

static char *remark(const struct timeline *t)
{
	const char *hosts = "";

	for (size_t i = 1; i < t->n_lanes; i++)
		if (t->lanes[i].host != t->lanes[0].host)
			hosts = "  Clocks of different hosts are not "
				"compared: their windows may be apart.";
	return mem_print("Most: the rank that computes most.  Share: of the "
			 "ranks' time, in the call that took most of it.%s",
			 hosts);
}

static void show(struct report *report, struct windows *w)
{
	struct table *table;

	for (size_t i = 0; i < w->timeline.n_lanes; i++)
		w->n_ranks += is_rank(&w->timeline, i);
	if (w->timeline.main_to - w->timeline.main_from < WINDOWS)
		return;
	table = report_table(report, "windows", "Efficiencies over time",
			     columns, 0);
	table->remark = remark(&w->timeline);
	for (size_t i = 0; i < WINDOWS; i++) {
		fill(w, i);
		add_row(w, &w->list[i], table);
		free(w->list[i].calls);
	}
}

void report_windows(struct report *report)
{
	struct windows windows = { 0 };

	if (timeline_load(&windows.timeline, report->run->path,
			  &report_choice.filter, EVENTS) != 0) {
		report->failed = true;
		return;
	}
	show(report, &windows);
	timeline_clear(&windows.timeline);
}
