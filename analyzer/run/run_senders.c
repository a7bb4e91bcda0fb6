/* SPDX-License-Identifier: BSD-3-Clause */

/* The places from which messages were sent that findings are about. */
#include <stdbool.h>

#include "analyzer/run/read/run_read.h"
#include "analyzer/run/run_senders.h"

static bool is_of(const struct run_finding *f, const struct run_rank *rank)
{
	return f->other == rank->rank && f->other_path != 0;
}

static bool is_asked(const struct run *run, const struct run_rank *rank)
{
	for (size_t i = 0; i < run->n_findings; i++)
		if (is_of(&run->findings[i], rank))
			return rank->file != INTERN_NONE;
	return false;
}

static void find_in(struct run *run, struct run_rank *rank,
		    const struct record *record)
{
	struct run_reading reading = {
		.run = run,
		.record = record,
		.rank = rank,
	};
	size_t path;

	run_read_paths(&reading);
	for (size_t i = 0; i < run->n_findings; i++) {
		if (!is_of(&run->findings[i], rank))
			continue;
		path = run_path(&reading, run->findings[i].other_path);
		if (path != INTERN_NONE)
			run->findings[i].other_place = code_site(&run->code,
								 path);
	}
	run_paths_end(&reading);
}

void run_senders_find(struct run *run, enum reading_from from)
{
	struct record *record;
	char why[512];

	for (size_t i = 0; i < run->n_ranks; i++) {
		if (!is_asked(run, &run->ranks[i]))
			continue;
		/* What is wrong with the file was said when it was read. */
		if (record_open(&record,
				intern_key(&run->files, run->ranks[i].file),
				from, why, sizeof(why)) != 0)
			continue;
		find_in(run, &run->ranks[i], record);
		record_free(record);
	}
}
