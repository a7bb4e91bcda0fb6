/* SPDX-License-Identifier: BSD-3-Clause */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/mem.h"
#include "analyzer/report/report.h"
#include "analyzer/run/run_mpi.h"

/*
 * MPICH does not give up a core while it waits: ranks that share one wait for
 * the scheduler most of the time.  The notes tell what BCS_POLITE did about
 * that, or would do.  Open MPI gives up the core by itself.
 */
static bool is_crowded(const struct run_rank *rank)
{
	return rank->cores > 0 && rank->local_ranks > rank->cores / 1000 &&
	       (double)rank->local_ranks * 1000 > (double)rank->cores;
}

static const char *polite_of(const struct run *run, const struct run_rank *rank)
{
	return run_rank_fact(run, rank, RUN_POLITE);
}

static void note_crowded(const struct run *run, const struct run_rank *rank,
			 struct table *table)
{
	char *who = mem_print("%" PRIu64 " ranks shared %.4g core%s on %s",
			      rank->local_ranks, (double)rank->cores / 1000,
			      rank->cores == 1000 ? "" : "s",
			      run_rank_fact(run, rank, RUN_HOST));

	if (strcmp(polite_of(run, rank), "unavailable") == 0)
		report_note(table,
			    mem_print("%s, and this MPI cannot be made to "
				      "give up the core while it waits: run "
				      "fewer ranks.",
				      who));
	else
		report_note(table,
			    mem_print("%s, and MPICH does not give up a core "
				      "while it waits: BCS_POLITE=on (bcs run "
				      "--polite=on) is likely to make this "
				      "run much faster.",
				      who));
	free(who);
}

struct effect {
	uint64_t yields;
	uint64_t sleeps;
	uint64_t yielded;
	uint64_t waiting;
	size_t ranks;
};

static struct effect effect_of(const struct run *run)
{
	struct effect e = { 0 };

	for (size_t i = 0; i < run->n_ranks; i++) {
		const struct run_rank *r = &run->ranks[i];

		if (strcmp(polite_of(run, r), "on") != 0)
			continue;
		e.ranks++;
		e.yields = sat_add(e.yields, r->yields);
		e.sleeps = sat_add(e.sleeps, r->sleeps);
		e.yielded = sat_add(e.yielded, r->yielded);
		e.waiting = sat_add(e.waiting, r->waiting);
	}
	return e;
}

static void note_effect(const struct effect *e, struct table *table)
{
	const double percent = e->waiting ? 100.0 * (double)e->yielded /
						    (double)e->waiting
					  : 0;
	char *share = percent >= 0.05 ? mem_print(", for %.1f %% of their "
						  "waiting",
						  percent)
				      : mem_text("");

	report_note(table,
		    mem_print("BCS_POLITE was on: while they waited, ranks "
			      "gave up the core %" PRIu64 " times and slept "
			      "%" PRIu64 " times%s.",
			      e->yields, e->sleeps, share));
	free(share);
}

void report_polite(const struct report *report, struct table *table)
{
	const struct run *run = report->run;
	const struct effect effect = effect_of(run);

	if (effect.ranks)
		note_effect(&effect, table);
	for (size_t i = 0; i < run->n_ranks && !run_is_open_mpi(run); i++) {
		const struct run_rank *r = &run->ranks[i];

		if (!is_crowded(r) || strcmp(polite_of(run, r), "on") == 0)
			continue;
		note_crowded(run, r, table);
		return;
	}
}
