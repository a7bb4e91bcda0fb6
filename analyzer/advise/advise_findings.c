/* SPDX-License-Identifier: BSD-3-Clause */

/* What else is to be seen in a run, beside single calls. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/advise/advise.h"
#include "analyzer/base/mem.h"
#include "analyzer/base/units.h"

#define IMBALANCE 5 /* percent that a rank computes longer than the mean */
#define LOST      5 /* percent of the ranks' time, at least */

static void find_imbalance(const struct advise *advise, struct table *table)
{
	const struct waits *waits = &advise->waits;
	const struct waits_of_thread *most = NULL;
	uint64_t sum = 0;
	uint64_t mean;

	for (size_t i = 0; i < waits->n_threads; i++) {
		sum += waits->threads[i].computed;
		if (!most || waits->threads[i].computed > most->computed)
			most = &waits->threads[i];
	}
	mean = waits->n_threads ? sum / waits->n_threads : 0;
	if (!most || 100 * (most->computed - mean) < IMBALANCE * mean)
		return;
	table_line(table, "imbalance",
		   mem_print("rank %" PRIu64 " computes %s longer than the "
			     "mean, %.2g %% of the run: no other call cures "
			     "that.",
			     most->rank, units_time_text(most->computed - mean),
			     advise_percent(advise, most->computed - mean)));
}

static void find_crowd(const struct advise *advise, struct table *table)
{
	const struct run *run = advise->run;

	for (size_t i = 0; i < run->n_ranks; i++) {
		const struct run_rank *rank = &run->ranks[i];

		if (!rank->cores || rank->local_ranks * 1000 <= rank->cores)
			continue;
		table_line(table, "oversubscribed",
			   mem_print("%" PRIu64 " ranks share %.4g cores of a "
				     "node: waiting ranks are in the way of "
				     "others, and gains are less than "
				     "predicted.",
				     rank->local_ranks,
				     (double)rank->cores / 1000));
		return;
	}
}

static bool is_send(const char *call)
{
	return strcmp(call, "MPI_Send") == 0 || strcmp(call, "MPI_Isend") == 0;
}

static bool is_sum_or_so(const char *call)
{
	return strcmp(call, "MPI_Allreduce") == 0 ||
	       strcmp(call, "MPI_Reduce") == 0 ||
	       strcmp(call, "MPI_Bcast") == 0;
}

/* Small calls that follow each other at once. */
static const struct row_rule {
	const char *what;
	bool (*is)(const char *call);
	uint64_t bytes; /* at most */
	uint64_t count; /* of a place, at least */
	double in_a_row;
	const char *advice;
} row_rules[] = {
	{ "tiny messages", is_send, 256, 1000, 4,
	  "those to the same rank could be one" },
	{ "serial calls", is_sum_or_so, 4096, 100, 2,
	  "one call could have the values of all" },
};

static void find_row(const struct advise *advise, struct table *table,
		     const struct row_rule *rule, uint32_t place)
{
	const struct waits *waits = &advise->waits;
	const struct waits_calls *calls = &waits->calls[place];
	const double row = advise_in_a_row(waits, place);
	char *text;

	if (!rule->is(waits_call_text(waits, place)) ||
	    calls->count < rule->count || calls->bytes > rule->bytes ||
	    row < rule->in_a_row)
		return;
	text = waits_place_text(waits, place);
	table_line(table, rule->what,
		   mem_print("%s comes %.3g times in a row, with at most %s: "
			     "%s.",
			     text, row, units_bytes_text(calls->bytes),
			     rule->advice));
	free(text);
}

static void find_rows(const struct advise *advise, struct table *table)
{
	for (size_t i = 0; i < sizeof(row_rules) / sizeof(row_rules[0]); i++)
		for (uint32_t place = 0; place < advise->waits.places.n;
		     place++)
			find_row(advise, table, &row_rules[i], place);
}

/* The time that all calls were in a state. */
static uint64_t time_in(const struct waits *waits, enum waits_state state)
{
	return waits->states[state].time;
}

/* Percent of the time that all threads had. */
static double percent_of_all(const struct advise *advise, uint64_t time)
{
	return 100.0 * (double)time / (double)advise_all_time(&advise->waits);
}

static void find_no_core(const struct advise *advise, struct table *table)
{
	const struct waits *waits = &advise->waits;
	const uint64_t calls = time_in(waits, WAITS_CORE);
	uint64_t computing = 0;
	double percent;

	for (size_t i = 0; i < waits->n_threads; i++)
		computing += waits->threads[i].no_core;
	percent = percent_of_all(advise, calls + computing);
	if (percent < LOST)
		return;
	table_line(
		table, "no core",
		mem_print("for %.3g %% of their time ranks waited for nothing "
			  "but a core: %s in calls, and %s while they "
			  "computed. Other ranks or programs ran.",
			  percent, units_time_text(calls),
			  units_time_text(computing)));
}

static void find_slices(const struct advise *advise, struct table *table)
{
	const struct waits *waits = &advise->waits;
	const uint64_t before = time_in(waits, WAITS_SLICE);
	const uint64_t within = time_in(waits, WAITS_IN_SLICES);
	const double percent = percent_of_all(advise, before + within);

	if (percent < LOST)
		return;
	table_line(
		table, "slices",
		mem_print("calls waited for slices for %.3g %% of the ranks' "
			  "time: %s until one began, and %s until it was "
			  "over. Shorter slices (BCS_SLICE) or "
			  "BCS_MODE=demand wait less.",
			  percent, units_time_text(before),
			  units_time_text(within)));
}

void advise_findings(const struct advise *advise, struct table *table)
{
	find_imbalance(advise, table);
	find_crowd(advise, table);
	find_no_core(advise, table);
	find_slices(advise, table);
	find_rows(advise, table);
}
