/* SPDX-License-Identifier: BSD-3-Clause */

/* The sections on communicators and on phases. */
#include "analyzer/report/report.h"

static const struct table_column comm_columns[] = {
	{ "communicator", "Communicator", TABLE_TEXT, 0, TABLE_BY_NAME },
	{ "size", "Size", TABLE_COUNT, 0, 0 },
	{ "first_rank", "Of rank", TABLE_RANK, 0, 0 },
	{ "members", "", TABLE_COUNT, TABLE_MACHINE, 0 },
	{ "uses", "Times made", TABLE_COUNT, TABLE_WIDE, 0 },
	{ "calls", "Calls", TABLE_COUNT, 0, TABLE_BY_COUNT },
	{ "time_ns", "Time", TABLE_TIME, TABLE_OF_BASE | TABLE_UNIT_B,
	  TABLE_BY_TIME },
	{ "share_percent", "Share", TABLE_SHARE, 0, 0 },
	{ "sent_bytes", "Sent", TABLE_BYTES, TABLE_UNIT_A, TABLE_BY_BYTES },
	{ "received_bytes", "Received", TABLE_BYTES, TABLE_UNIT_A, 0 },
	{ 0 },
};

static void add_comm(const struct report *report, struct table *table,
		     const struct run_comm *c)
{
	table_row(table, report->total);
	table_words(table, *c->name ? c->name : "(without a name)");
	table_number(table, c->size);
	table_number(table, c->first_rank);
	table_number(table, c->members);
	table_number(table, c->uses);
	table_number(table, c->calls);
	table_number(table, c->time);
	table_share(table, c->time, report->total);
	table_number(table, c->sent);
	table_number(table, c->received);
}

void report_comms(struct report *report)
{
	const struct run *run = report->run;
	struct table *table = report_table(report, "communicators",
					   "Communicators", comm_columns, 0);

	for (size_t i = 0; i < run->comm_keys.n; i++)
		if (run->comms[i].calls > 0)
			add_comm(report, table, &run->comms[i]);
	report_arrange(report, table, TABLE_BY_TIME);
}

static const struct table_column phase_columns[] = {
	{ "phase", "Phase", TABLE_TEXT, 0, TABLE_BY_NAME },
	{ "count", "Count", TABLE_COUNT, 0, TABLE_BY_COUNT },
	{ "ranks", "Ranks", TABLE_COUNT, 0, 0 },
	{ "time_ns", "Time", TABLE_TIME, TABLE_OF_BASE | TABLE_UNIT_B,
	  TABLE_BY_TIME },
	{ "share_percent", "Share", TABLE_SHARE, 0, 0 },
	{ "communication_ns", "In MPI", TABLE_TIME,
	  TABLE_OF_BASE | TABLE_UNIT_B, 0 },
	{ "communication_percent", "In MPI", TABLE_SHARE, 0, 0 },
	{ "waiting_ns", "Waiting", TABLE_TIME, TABLE_OF_BASE | TABLE_UNIT_B,
	  0 },
	{ "calls", "Calls", TABLE_COUNT, TABLE_WIDE, 0 },
	{ "sent_bytes", "", TABLE_BYTES, TABLE_MACHINE, TABLE_BY_BYTES },
	{ "received_bytes", "", TABLE_BYTES, TABLE_MACHINE, 0 },
	{ 0 },
};

static void add_phase(const struct report *report, struct table *table,
		      const char *name, const struct run_phase *p)
{
	table_row(table, report->total);
	table_words(table, *name ? name : "(no phase)");
	table_number(table, p->count);
	table_number(table, p->ranks);
	table_number(table, p->time);
	table_share(table, p->time, report->total);
	table_number(table, p->calls.time);
	table_share(table, p->calls.time, p->time);
	table_number(table, p->calls.waiting);
	table_number(table, p->calls.count);
	table_number(table, p->calls.sent);
	table_number(table, p->calls.received);
}

/* A program that names no phases is one phase: nothing is to be told of it. */
void report_phases(struct report *report)
{
	const struct run *run = report->run;
	struct table *table;

	if (run->phase_names.n < 2 && !report->options->machine)
		return;
	table = report_table(report, "phases", "Phases", phase_columns, 0);
	for (size_t i = 0; i < run->phase_names.n; i++)
		add_phase(report, table, intern_key(&run->phase_names, i),
			  &run->phases[i]);
	report_arrange(report, table, TABLE_BY_TIME);
}
