/* SPDX-License-Identifier: BSD-3-Clause */

/* The section `waits`: wait states from the trace, and the parts of calls. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "analyzer/base/mem.h"
#include "analyzer/report/report_choice.h"
#include "analyzer/report/report_waits.h"

static const struct table_column state_columns[] = {
	{ "state", "State", TABLE_TEXT, TABLE_RIGID, TABLE_BY_NAME },
	SUM_COLUMNS,
	{ 0 },
};

static const struct table_column call_columns[] = {
	{ "site", "Site", TABLE_TEXT, TABLE_TAIL, TABLE_BY_NAME },
	{ "call", "Call", TABLE_TEXT, 0, 0 },
	{ "count", "Count", TABLE_COUNT, 0, TABLE_BY_COUNT },
	{ "total_ns", "Total", TABLE_TIME, TABLE_UNIT_B, TABLE_BY_TIME },
	{ "waiting_ns", "Waiting", TABLE_TIME, TABLE_UNIT_B, 0 },
	{ "work_ns", "Work", TABLE_TIME, TABLE_UNIT_B, 0 },
	/* As enum waits_state. */
	{ "late_sender_ns", "", TABLE_TIME, TABLE_MACHINE, 0 },
	{ "wrong_order_same_ns", "", TABLE_TIME, TABLE_MACHINE, 0 },
	{ "wrong_order_other_ns", "", TABLE_TIME, TABLE_MACHINE, 0 },
	{ "late_receiver_ns", "", TABLE_TIME, TABLE_MACHINE, 0 },
	{ "barrier_ns", "", TABLE_TIME, TABLE_MACHINE, 0 },
	{ "nxn_ns", "", TABLE_TIME, TABLE_MACHINE, 0 },
	{ "late_broadcast_ns", "", TABLE_TIME, TABLE_MACHINE, 0 },
	{ "early_reduce_ns", "", TABLE_TIME, TABLE_MACHINE, 0 },
	{ "early_scan_ns", "", TABLE_TIME, TABLE_MACHINE, 0 },
	{ "barrier_completion_ns", "", TABLE_TIME, TABLE_MACHINE, 0 },
	{ "nxn_completion_ns", "", TABLE_TIME, TABLE_MACHINE, 0 },
	{ "slice_ns", "", TABLE_TIME, TABLE_MACHINE, 0 },
	{ "in_slices_ns", "", TABLE_TIME, TABLE_MACHINE, 0 },
	{ "core_ns", "", TABLE_TIME, TABLE_MACHINE, 0 },
	{ 0 },
};

static const struct table_column core_columns[] = {
	{ "rank", "Rank", TABLE_RANK, 0, 0 },
	{ "thread", "Thread", TABLE_COUNT, 0, 0 },
	{ "computation_ns", "Computation", TABLE_TIME, TABLE_UNIT_B, 0 },
	{ "no_core_ns", "Without a core", TABLE_TIME, TABLE_UNIT_B,
	  TABLE_BY_TIME },
	{ 0 },
};

static void add_rest(const struct report_waits_showing *showing,
		     struct table *table, const char *name, uint64_t count,
		     uint64_t time)
{
	const struct waits_sum sum = { .count = count, .time = time };

	table_row(table, 0)->last = true;
	table_words(table, name);
	report_waits_sum(showing, table, &sum);
}

static void states_show(const struct report_waits_showing *showing)
{
	const struct waits *waits = showing->waits;
	struct table *table = report_table(showing->report, "waits",
					   "Wait states", state_columns, 0);
	uint64_t count = 0;
	uint64_t work = 0;

	for (size_t i = 0; i < WAITS_STATES; i++) {
		if (!waits->states[i].count)
			continue;
		table_row(table, 0);
		table_words(table, waits_state_names[i]);
		report_waits_sum(showing, table, &waits->states[i]);
	}
	for (size_t i = 0; i < waits->places.n; i++) {
		count += waits->calls[i].count;
		work += waits->calls[i].work;
	}
	report_arrange_all(showing->report, table, TABLE_BY_TIME);
	add_rest(showing, table, "work", count, work);
	add_rest(showing, table, "all calls", count, showing->total);
	table->remark = mem_text("Each call's time is a wait, work and a "
				 "completion.");
}

static void calls_show(const struct report_waits_showing *showing)
{
	const struct waits *waits = showing->waits;
	struct table *table = report_table(showing->report, "wait_calls",
					   "Parts of calls", call_columns, 0);

	for (uint32_t i = 0; i < waits->places.n; i++) {
		const struct waits_calls *calls = &waits->calls[i];

		if (!calls->count)
			continue;
		table_row(table, 0);
		report_waits_place(waits, table, i);
		table_number(table, calls->count);
		table_number(table, calls->time);
		table_number(table, calls->time - calls->work);
		table_number(table, calls->work);
		for (size_t state = 0; state < WAITS_STATES; state++)
			table_number(table, calls->parts[state]);
	}
	report_arrange(showing->report, table, TABLE_BY_TIME);
}

/* Where ranks waited for cores while they computed. */
static void cores_show(const struct report_waits_showing *showing)
{
	const struct waits *waits = showing->waits;
	struct table *table = report_table(showing->report, "wait_cores",
					   "Computation without a core",
					   core_columns, 0);

	for (size_t i = 0; i < waits->n_threads; i++) {
		const struct waits_of_thread *thread = &waits->threads[i];

		if (!thread->no_core)
			continue;
		table_row(table, 0);
		table_number(table, thread->rank);
		table_number(table, thread->thread);
		table_number(table, thread->computed);
		table_number(table, thread->no_core);
	}
	report_arrange(showing->report, table, TABLE_BY_TIME);
}

static void notes_show(const struct report_waits_showing *showing)
{
	const struct waits *waits = showing->waits;
	struct table *table;

	if (!waits->apart)
		return;
	table = report_table(showing->report, "wait_notes", "",
			     table_line_columns, TABLE_PLAIN);
	table_line(table, "between hosts",
		   mem_print("%" PRIu64 " messages; clocks of different hosts "
			     "are not compared",
			     waits->apart));
}

void report_waits(struct report *report)
{
	struct waits waits;
	struct report_waits_showing showing = { .report = report,
						.waits = &waits };

	if (waits_load(&waits, report->run->path, &report_choice.filter,
		       NULL)) {
		report->failed = true;
		return;
	}
	for (size_t i = 0; i < waits.places.n; i++)
		showing.total += waits.calls[i].time;
	states_show(&showing);
	report_waits_sites(&showing);
	calls_show(&showing);
	report_waits_instances(&showing);
	cores_show(&showing);
	notes_show(&showing);
	waits_clear(&waits);
}
