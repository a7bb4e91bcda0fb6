/* SPDX-License-Identifier: BSD-3-Clause */
#include "analyzer/report/report.h"

static const struct table_column columns[] = {
	{ "rank", "Rank", TABLE_RANK, 0, 0 },
	{ "thread", "Thread", TABLE_COUNT, 0, 0 },
	{ "computation_ns", "Computing", TABLE_TIME,
	  TABLE_OF_BASE | TABLE_UNIT_A, 0 },
	{ "communication_ns", "In MPI", TABLE_TIME,
	  TABLE_OF_BASE | TABLE_UNIT_A, TABLE_BY_TIME },
	{ "communication_percent", "In MPI", TABLE_SHARE, 0, 0 },
	{ "waiting_ns", "Waiting", TABLE_TIME, TABLE_OF_BASE | TABLE_UNIT_A,
	  0 },
	{ "yielded_ns", "", TABLE_TIME, TABLE_MACHINE, 0 },
	{ "off_ns", "", TABLE_TIME, TABLE_MACHINE, 0 },
	{ "calls", "Calls", TABLE_COUNT, 0, TABLE_BY_COUNT },
	{ 0 },
};

static void add_thread(struct table *table, const struct run_thread *t)
{
	const uint64_t time = sat_add(t->computation, t->communication);

	table_row(table, sat_add(time, t->off));
	table_number(table, t->rank);
	table_number(table, t->thread);
	table_number(table, t->computation);
	table_number(table, t->communication);
	table_share(table, t->communication, time);
	table_number(table, t->waiting);
	table_number(table, t->yielded);
	table_number(table, t->off);
	table_number(table, t->calls);
}

/* Shown to people only where a rank has more than one thread. */
void report_threads(struct report *report)
{
	const struct run *run = report->run;
	struct table *table;

	if (run->n_threads <= run->n_ranks && !report->options->machine)
		return;
	table = report_table(report, "threads", "Threads", columns, 0);
	for (size_t i = 0; i < run->n_threads; i++)
		add_thread(table, &run->threads[i]);
	report_arrange(report, table, TABLE_BY_TIME);
}
