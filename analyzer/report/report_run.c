/* SPDX-License-Identifier: BSD-3-Clause */

/* The section `run`: the record, and the program and machine that it is of. */
#include <stdlib.h>

#include "analyzer/report/report.h"

static const struct table_column columns[] = {
	{ "record", "", TABLE_TEXT, 0, 0 },
	{ "program", "", TABLE_TEXT, 0, 0 },
	{ "arguments", "", TABLE_TEXT, 0, 0 },
	{ "hosts", "", TABLE_TEXT, 0, 0 },
	{ "ranks", "", TABLE_COUNT, 0, 0 },
	{ "size", "", TABLE_COUNT, 0, 0 },
	{ "mpi", "", TABLE_TEXT, 0, 0 },
	{ "thread_level", "", TABLE_TEXT, 0, 0 },
	{ "start_ns", "", TABLE_COUNT, 0, 0 },
	{ "wall_ns", "", TABLE_TIME, 0, 0 },
	{ "mode", "", TABLE_TEXT, 0, 0 },
	{ "clock", "", TABLE_TEXT, 0, 0 },
	{ "clock_hz", "", TABLE_COUNT, 0, 0 },
	{ "call_depth", "", TABLE_TEXT, 0, 0 },
	{ "percentile_error_percent", "", TABLE_SHARE, 0, 0 },
	{ "reason", "", TABLE_TEXT, 0, 0 },
	{ "polite", "", TABLE_TEXT, 0, 0 },
	{ "overhead_ns", "", TABLE_TIME, 0, 0 },
	{ 0 },
};

static void words_of(struct table *table, const struct run *run,
		     enum run_fact fact)
{
	uint64_t others;

	table_words(table, run_fact(run, fact, &others));
}

static void list_of(struct table *table, const struct run *run,
		    enum run_fact fact)
{
	size_t n;
	char *list = report_fact_list(run, fact, &n);

	table_words(table, list);
	free(list);
}

void report_run(struct report *report)
{
	const struct run *run = report->run;
	struct table *table = report_table(report, "run", "", columns,
					   TABLE_MACHINE | TABLE_ONE);
	table_row(table, 0);
	table_words(table, run->path);
	words_of(table, run, RUN_PROGRAM);
	words_of(table, run, RUN_ARGUMENTS);
	list_of(table, run, RUN_HOST);
	table_number(table, run->n_ranks);
	table_number_if(table, run->size > 0, run->size);
	words_of(table, run, RUN_MPI);
	words_of(table, run, RUN_THREAD_LEVEL);
	table_number(table, run->start);
	table_number(table, run_wall(run));
	words_of(table, run, RUN_MODE);
	words_of(table, run, RUN_CLOCK);
	table_number(table, run->ranks[0].clock_hz);
	words_of(table, run, RUN_CALL_DEPTH);
	table_real(table, report_error(run));
	list_of(table, run, RUN_REASON);
	words_of(table, run, RUN_POLITE);
	table_number(table, run_overhead(run));
}
