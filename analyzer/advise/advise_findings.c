/* SPDX-License-Identifier: BSD-3-Clause */

/* What else is to be seen in a run, beside single calls. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/advise/advise.h"
#include "analyzer/base/mem.h"
#include "analyzer/base/units.h"

#define IMBALANCE 5    /* percent that a rank computes longer than the mean */
#define TINY      256  /* bytes */
#define MANY      1000 /* messages of a place */
#define IN_A_ROW  4

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

static void find_tiny(const struct advise *advise, struct table *table)
{
	const struct waits *waits = &advise->waits;

	for (uint32_t place = 0; place < waits->places.n; place++) {
		const struct waits_calls *calls = &waits->calls[place];
		const double row = advise_in_a_row(waits, place);
		char *text;

		if (!is_send(waits_call_text(waits, place)) ||
		    calls->count < MANY || calls->bytes > TINY ||
		    row < IN_A_ROW)
			continue;
		text = waits_place_text(waits, place);
		table_line(table, "tiny messages",
			   mem_print("%s sends %.3g in a row, of at most %s: "
				     "those to the same rank could be one.",
				     text, row,
				     units_bytes_text(calls->bytes)));
		free(text);
	}
}

void advise_findings(const struct advise *advise, struct table *table)
{
	find_imbalance(advise, table);
	find_crowd(advise, table);
	find_tiny(advise, table);
}
