/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The first section of the report: the program, its mode, its machine and how
 * it ended.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "analyzer/base/mem.h"
#include "analyzer/base/units.h"
#include "analyzer/report/report.h"

/* The library pads its version with blanks and tabs. */
static char *squeezed(const char *text)
{
	char *copy = mem_text(text);
	char *to = copy;
	bool blank = false;

	for (; *text; text++) {
		if (isspace((unsigned char)*text)) {
			blank = to != copy;
			continue;
		}
		if (blank)
			*to++ = ' ';
		blank = false;
		*to++ = *text;
	}
	*to = '\0';
	return copy;
}

/* The first word of a command line may be a path to the program. */
static bool begins_with(const char *arguments, const char *program)
{
	const char *end = strchrnul(arguments, ' ');
	const size_t len = strlen(program);

	return (size_t)(end - arguments) >= len &&
	       strncmp(end - len, program, len) == 0;
}

/* The command line; where ranks ran different programs, which. */
static char *program_text(const struct run *run)
{
	uint64_t others;
	size_t n;
	char *programs = report_fact_list(run, RUN_PROGRAM, &n);
	const char *arguments = run_fact(run, RUN_ARGUMENTS, &others);
	char *text;

	if (n > 1 || *arguments == '\0')
		return programs;
	text = mem_print("%s%s%s%s",
			 begins_with(arguments, programs) ? "" : programs,
			 begins_with(arguments, programs) ? "" : " ", arguments,
			 others ? " (others differ)" : "");
	free(programs);
	return text;
}

static char *ranks_text(const struct run *run)
{
	const struct run_rank *rank = &run->ranks[0];
	size_t n;
	char *hosts = report_fact_list(run, RUN_HOST, &n);
	char *of = run->size > run->n_ranks
			   ? mem_print(" of %" PRIu64, run->size)
			   : mem_text("");
	char *text;

	text = mem_print("%zu%s on %zu host%s: %s", run->n_ranks, of, n,
			 n == 1 ? "" : "s", hosts);
	free(of);
	free(hosts);
	if (rank->cores == 0 || n > 1)
		return text;
	hosts = mem_print("%s, with %.4g core%s", text,
			  (double)rank->cores / 1000,
			  rank->cores == 1000 ? "" : "s");
	free(text);
	return hosts;
}

static char *mpi_text(const struct run *run)
{
	uint64_t others;
	char *version = squeezed(run_fact(run, RUN_MPI, &others));
	const char *level = run_fact(run, RUN_THREAD_LEVEL, &others);
	char *text = mem_print("%s%s%s", version,
			       *level ? ", thread level " : "", level);

	free(version);
	return text;
}

static char *start_text(const struct run *run)
{
	const time_t start = (time_t)(run->start / 1000000000);
	struct tm tm;
	char when[64] = "?";

	if (localtime_r(&start, &tm))
		strftime(when, sizeof(when), "%Y-%m-%d %H:%M:%S %Z", &tm);
	return mem_print("%s, for %s", when, units_time_text(run_wall(run)));
}

/* "MPI_Finalize: 3 ranks; signal 15: 1 rank" */
static char *reasons_text(const struct run *run)
{
	uint64_t *counts = mem_alloc(run->words.n, sizeof(*counts));
	char *text = mem_text("");

	for (size_t i = 0; i < run->n_ranks; i++)
		counts[run->ranks[i].facts[RUN_REASON]]++;
	for (size_t i = 0; i < run->words.n; i++) {
		char *before = text;

		if (counts[i] == 0)
			continue;
		text = mem_print("%s%s%s: %" PRIu64 " rank%s", before,
				 *before ? "; " : "",
				 report_end_word(intern_key(&run->words, i)),
				 counts[i], counts[i] == 1 ? "" : "s");
		free(before);
	}
	free(counts);
	return text;
}

static char *reason_text(const struct run *run)
{
	size_t n;
	char *reasons = report_fact_list(run, RUN_REASON, &n);
	char *text = n == 1 ? mem_text(report_end_text(reasons))
			    : reasons_text(run);

	free(reasons);
	return text;
}

static char *end_text(const struct run *run)
{
	char *reason = reason_text(run);
	char *status = report_fact_ranks(run, RUN_STATUS, "0");
	char *text = mem_print("%s%s%s", reason,
			       status ? "; the exit status was " : "",
			       status ? status : "");

	free(reason);
	free(status);
	return text;
}

/* A flight recorder tells the mode only. */
static char *recording_text(const struct run *run)
{
	uint64_t others;
	const char *mode = run_fact(run, RUN_MODE, &others);
	const char *depth = run_fact(run, RUN_CALL_DEPTH, &others);
	char *paths = strcmp(depth, "0") == 0
			      ? mem_text("no call paths")
			      : mem_print("call paths of up to %s frames",
					  *depth ? depth : "?");
	char *text;

	if (run->ranks[0].clock_hz == 0) {
		free(paths);
		return mem_print("mode %s", mode);
	}
	text = mem_print("mode %s, clock %s at %.4g GHz, %s, percentiles "
			 "within %.2g %%",
			 mode, run_fact(run, RUN_CLOCK, &others),
			 (double)run->ranks[0].clock_hz / 1e9, paths,
			 report_error(run));

	free(paths);
	return text;
}

static char *cost_text(const struct run *run, uint64_t total)
{
	const uint64_t cost = run_overhead(run);

	return mem_print("%s of recording in all, %.3g %% of the ranks' time; "
			 "%s of memory a rank",
			 units_time_text(cost),
			 total ? 100.0 * (double)cost / (double)total : 0,
			 units_bytes_text(run_memory(run)));
}

void report_head(struct report *report)
{
	const struct run *run = report->run;
	struct table *table = report_table(report, "run", "Run",
					   table_line_columns,
					   TABLE_PEOPLE | TABLE_PLAIN);

	table_line(table, "Record", mem_text(run->path));
	table_line(table, "Program", program_text(run));
	table_line(table, "Ranks", ranks_text(run));
	table_line(table, "MPI", mpi_text(run));
	table_line(table, "Started", start_text(run));
	table_line(table, "Ended", end_text(run));
	table_line(table, "Recording", recording_text(run));
	table_line(table, "Cost", cost_text(run, report->total));
}
