/* SPDX-License-Identifier: BSD-3-Clause */

/* Notes on calls whose call path is not sure, and on how much they matter. */
#include <inttypes.h>
#include <stdlib.h>

#include "analyzer/base/mem.h"
#include "analyzer/base/units.h"
#include "analyzer/report/report.h"

#define MATTERS 100 /* guesses are told of from one part in so many on */

struct sums {
	uint64_t calls;
	uint64_t communication;
	uint64_t cut_calls;
	uint64_t cut;
	uint64_t guessed_calls;
	uint64_t guessed;
	const char *guessed_in;
};

static struct sums sum_up(const struct run *run)
{
	struct sums sums = { 0 };
	uint64_t most = 0;

	for (size_t i = 0; i < run->n_ranks; i++) {
		const struct run_rank *rank = &run->ranks[i];

		sums.calls = sat_add(sums.calls, rank->calls);
		sums.communication = sat_add(sums.communication,
					     rank->communication);
		sums.cut_calls = sat_add(sums.cut_calls, rank->cut_calls);
		sums.cut = sat_add(sums.cut, rank->cut);
		sums.guessed_calls = sat_add(sums.guessed_calls,
					     rank->guessed_calls);
		sums.guessed = sat_add(sums.guessed, rank->guessed);
		if (!rank->guessed_calls || rank->guessed < most)
			continue;
		most = rank->guessed;
		sums.guessed_in = run_rank_fact(run, rank, RUN_GUESSED_IN);
	}
	return sums;
}

/*
 * "3 of 50 calls, which took 3 ms (4 % of Communication),"; older records do
 * not have the time.
 */
static char *part_text(const struct sums *sums, uint64_t calls, uint64_t time)
{
	const double all = (double)sums->communication;

	if (!time)
		return mem_print("%" PRIu64 " of %" PRIu64 " calls", calls,
				 sums->calls);
	return mem_print("%" PRIu64 " of %" PRIu64 " calls, which took %s "
			 "(%.3g %% of Communication),",
			 calls, sums->calls, units_time_text(time),
			 all > 0 ? 100.0 * (double)time / all : 0);
}

static void note_cut(const struct sums *sums, struct table *table)
{
	char *part = part_text(sums, sums->cut_calls, sums->cut);

	report_note(table, mem_print("%s found no room for their whole path: "
				     "their call sites end early or are "
				     "unknown. BCS_MEMORY gives more room.",
				     part));
	free(part);
}

static bool guesses_matter(const struct sums *sums)
{
	return sums->guessed_calls &&
	       (sums->guessed_calls >= sums->calls / MATTERS ||
		sums->guessed >= sums->communication / MATTERS);
}

static void note_guessed(const struct sums *sums, struct table *table)
{
	const char *file = sums->guessed_in;
	char *part = part_text(sums, sums->guessed_calls, sums->guessed);

	report_note(table,
		    mem_print("%s came through code without unwind tables (%s)"
			      ": its callers are guessed, or missing.",
			      part, *file ? file : "made at run time"));
	free(part);
}

void report_doubts(const struct run *run, struct table *table)
{
	const struct sums sums = sum_up(run);

	if (sums.cut_calls)
		note_cut(&sums, table);
	if (guesses_matter(&sums))
		note_guessed(&sums, table);
}
