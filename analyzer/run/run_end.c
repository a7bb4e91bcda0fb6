/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * What became of ranks whose last record was saved while they ran: each may
 * still run, may have been killed, or could not write its end.
 */
#include "analyzer/run/run_end.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyzer/base/mem.h"
#include "analyzer/run/run_alive.h"
#include "mds/record/record_file.h"

/* A rank that could not write its end has left an empty file that says so. */
static bool has_failed(const struct run *run, const struct run_rank *rank)
{
	char *path = mem_print("%s/rank-%06" PRIu64 RECORD_FILE_FAILED,
			       run->path, rank->rank);
	const bool failed = access(path, F_OK) == 0;

	free(path);
	return failed;
}

static const char *end_of(const struct run *run, const struct run_rank *rank)
{
	switch (run_alive(run_rank_fact(run, rank, RUN_HOST), rank->pid,
			  rank->started)) {
	case RUN_ALIVE:
	case RUN_STOPPED:
		return "running";
	case RUN_ENDED:
		return has_failed(run, rank) ? "unwritten" : "gone";
	default:
		return has_failed(run, rank) ? "unwritten" : "saved";
	}
}

static bool is_reason(const struct run *run, size_t rank, const char *reason)
{
	return strcmp(run_rank_fact(run, &run->ranks[rank], RUN_REASON),
		      reason) == 0;
}

/* The rank that ended the job asked the others for their records. */
static void deadlock_know(struct run *run)
{
	bool ended = false;

	for (size_t i = 0; i < run->n_ranks; i++)
		ended |= is_reason(run, i, "deadlock");
	for (size_t i = 0; ended && i < run->n_ranks; i++)
		if (is_reason(run, i, "request"))
			run->ranks[i].facts[RUN_REASON] = intern_text(
				&run->words, "deadlock");
}

void run_end_know(struct run *run)
{
	deadlock_know(run);
	for (size_t i = 0; i < run->n_ranks; i++) {
		struct run_rank *rank = &run->ranks[i];

		if (is_reason(run, i, "saved"))
			rank->facts[RUN_REASON] = intern_text(
				&run->words, end_of(run, rank));
	}
}

bool run_rank_was_asked(const struct run *run, const struct run_rank *rank)
{
	const char *reason = run_rank_fact(run, rank, RUN_REASON);

	return strcmp(reason, "request") == 0 ||
	       strcmp(reason, "deadlock") == 0;
}

bool run_rank_is_saved(const struct run *run, const struct run_rank *rank)
{
	static const char *const reasons[] = { "saved", "running", "gone",
					       "unwritten" };
	const char *reason = run_rank_fact(run, rank, RUN_REASON);

	for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++)
		if (strcmp(reason, reasons[i]) == 0)
			return true;
	return false;
}
