/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * What became of ranks whose last record was saved while they ran: each may
 * still run, may have been killed, or could not write its end.
 */
#include "analyzer/run/run_end.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyzer/base/mem.h"
#include "analyzer/run/run_alive.h"
#include "mds/record/record_failed.h"

/* Whether there is the empty file that tells so, with that reason. */
static bool has_word(const char *folder, uint64_t rank, const char *word)
{
	char *path = mem_print("%s/rank-%06" PRIu64 RECORD_FILE_FAILED "%s%s",
			       folder, rank, word ? "-" : "", word ? word : "");
	const bool has = access(path, F_OK) == 0;

	free(path);
	return has;
}

char *run_end_why(const char *folder, uint64_t rank)
{
	const struct record_failed *failed = record_failed;

	while (failed->word && !has_word(folder, rank, failed->word))
		failed++;
	if (failed->word)
		return mem_print("%s (%s)", strerror(failed->error),
				 failed->advice);
	return has_word(folder, rank, NULL) ? mem_text("the reason is unknown")
					    : NULL;
}

/* One look at the folder saves some for each rank. */
static bool has_any_word(const char *folder)
{
	DIR *dir = opendir(folder);
	const struct dirent *entry = NULL;

	while (dir && (entry = readdir(dir)))
		if (strncmp(entry->d_name, "rank-", 5) == 0 &&
		    strstr(entry->d_name, RECORD_FILE_FAILED))
			break;
	if (dir)
		closedir(dir);
	return entry != NULL;
}

static bool has_failed(const struct run *run, const struct run_rank *rank)
{
	char *why = run_end_why(run->path, rank->rank);
	const bool failed = why != NULL;

	free(why);
	return failed;
}

static const char *end_of(const struct run *run, const struct run_rank *rank,
			  bool failed)
{
	switch (run_alive(run_rank_fact(run, rank, RUN_HOST), rank->pid,
			  rank->started)) {
	case RUN_ALIVE:
	case RUN_STOPPED:
		return "running";
	case RUN_ENDED:
		return failed ? "unwritten" : "gone";
	default:
		return failed ? "unwritten" : "saved";
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

static const char *better_reason(const struct run *run,
				 const struct run_rank *rank, bool any_word)
{
	const char *reason = run_rank_fact(run, rank, RUN_REASON);

	if (strcmp(reason, "saved") == 0)
		return end_of(run, rank, any_word && has_failed(run, rank));
	if (strcmp(reason, "killed") == 0 && any_word && has_failed(run, rank))
		return "lost";
	return reason;
}

void run_end_know(struct run *run)
{
	const bool any_word = has_any_word(run->path);

	deadlock_know(run);
	for (size_t i = 0; i < run->n_ranks; i++) {
		struct run_rank *rank = &run->ranks[i];

		rank->facts[RUN_REASON] = intern_text(
			&run->words, better_reason(run, rank, any_word));
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
