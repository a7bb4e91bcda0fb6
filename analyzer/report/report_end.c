/* SPDX-License-Identifier: BSD-3-Clause */

/* How processes ended, in words. */
#include <stddef.h>
#include <string.h>

#include "analyzer/report/report.h"

struct end {
	const char *reason; /* as the record has it, or run_end_know() */
	const char *word;
	const char *text;
};

static const struct end ends[] = {
	{ "finalize", "MPI_Finalize", "with MPI_Finalize" },
	{ "request", "still running (record asked for)",
	  "still running when the record was asked for" },
	{ "deadlock", "ended for a deadlock",
	  "ended for a deadlock (BCS_DEADLOCK=abort)" },
	{ "saved", "unknown (record saved before)",
	  "unknown: killed or still running; this is the last saved record" },
	{ "running", "still running (record saved before)",
	  "not yet: it still runs; this is the last saved record" },
	{ "gone", "killed (record saved before)",
	  "killed: no process of it is left; this is the last saved record" },
	{ "killed", "killed", "killed: there are only the flight recorders" },
	{ "lost", "unknown (the record could not be written)",
	  "unknown: the record could not be written; there are only the flight "
	  "recorders" },
	{ "unwritten", "unknown (the end could not be written)",
	  "unknown: the end could not be written; this is the last saved "
	  "record" },
};

static const struct end *find(const char *reason)
{
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		if (strcmp(ends[i].reason, reason) == 0)
			return &ends[i];
	return NULL;
}

const char *report_end_word(const char *reason)
{
	const struct end *end = find(reason);

	return end ? end->word : reason;
}

const char *report_end_text(const char *reason)
{
	const struct end *end = find(reason);

	return end ? end->text : reason;
}
