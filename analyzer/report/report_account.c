/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The sections on computation and communication: over all ranks, and by rank.
 */
#include <stddef.h>
#include <stdlib.h>

#include "analyzer/base/mem.h"
#include "analyzer/report/report.h"

static const struct table_column columns[] = {
	{ "part", "", TABLE_TEXT, TABLE_MACHINE, 0 },
	{ "title", "Per rank", TABLE_TEXT, TABLE_PEOPLE, 0 },
	{ "min_ns", "Min", TABLE_TIME, TABLE_OF_BASE | TABLE_UNIT_A, 0 },
	{ "mean_ns", "Mean", TABLE_TIME, TABLE_OF_BASE | TABLE_UNIT_A, 0 },
	{ "max_ns", "Max", TABLE_TIME, TABLE_OF_BASE | TABLE_UNIT_A, 0 },
	{ "max_rank", "On rank", TABLE_RANK, 0, 0 },
	{ "imbalance_percent", "Imbalance", TABLE_SHARE, 0, 0 },
	{ "total_ns", "", TABLE_TIME, TABLE_MACHINE, 0 },
	{ "share_percent", "Share", TABLE_SHARE, 0, 0 },
	{ 0 },
};

static const struct part {
	const char *name;
	const char *title;
	size_t offset; /* in struct run_rank */
	bool optional; /* left out where it is zero */
} parts[] = {
	{ "computation", "Computation", offsetof(struct run_rank, computation),
	  false },
	{ "communication", "Communication",
	  offsetof(struct run_rank, communication), false },
	{ "waiting", "  of it waiting", offsetof(struct run_rank, waiting),
	  true },
	{ "off", "Recording off", offsetof(struct run_rank, off), true },
	{ "wall", "Wall time", offsetof(struct run_rank, wall), false },
	{ "no_core", "  without a core", offsetof(struct run_rank, no_core),
	  true },
};
#define N_PARTS (sizeof(parts) / sizeof(parts[0]))

#define LEAST_GAP 1e-4 /* percent; smaller ones are of no interest */

struct spread {
	uint64_t min;
	uint64_t max;
	uint64_t max_rank;
	uint64_t sum;
};

static uint64_t value_of(const struct run_rank *rank, const struct part *part)
{
	return *(const uint64_t *)((const char *)rank + part->offset);
}

static struct spread spread_of(const struct run *run, const struct part *part)
{
	struct spread s = { .min = UINT64_MAX };

	for (size_t i = 0; i < run->n_ranks; i++) {
		const uint64_t value = value_of(&run->ranks[i], part);

		if (value < s.min)
			s.min = value;
		if (value > s.max || i == 0) {
			s.max = value;
			s.max_rank = run->ranks[i].rank;
		}
		s.sum = sat_add(s.sum, value);
	}
	return s;
}

/* The worst that an account of a rank with one thread is off, in percent. */
static double worst_gap(const struct run *run, bool *known)
{
	double worst = 0;

	*known = false;
	for (size_t i = 0; i < run->n_ranks; i++) {
		const struct run_rank *r = &run->ranks[i];
		const double sum = (double)r->computation +
				   (double)r->communication + (double)r->off;
		const double ratio = r->wall ? sum / (double)r->wall : 1;
		const double gap = 100 * (ratio > 1 ? ratio - 1 : 1 - ratio);

		if (r->n_threads != 1 || r->wall == 0)
			continue;
		*known = true;
		if (gap > worst)
			worst = gap;
	}
	return worst;
}

static void add_part(struct report *report, struct table *table,
		     const struct part *part)
{
	const struct run *run = report->run;
	const struct spread s = spread_of(run, part);

	if (part->optional && s.sum == 0)
		return;
	table_row(table, report->total / run->n_ranks);
	table_words(table, part->name);
	table_words(table, part->title);
	table_number(table, s.min);
	table_number(table, s.sum / run->n_ranks);
	table_number(table, s.max);
	table_number(table, s.max_rank);
	table_real(table, report_imbalance(s.max, s.sum, run->n_ranks));
	table_number(table, s.sum);
	table_share(table, s.sum, report->total);
}

void report_account(struct report *report)
{
	struct table *table = report_table(report, "account", "Account",
					   columns, 0);
	bool known;
	const double gap = worst_gap(report->run, &known);

	for (size_t i = 0; i < N_PARTS; i++)
		add_part(report, table, &parts[i]);
	if (known)
		table->remark = mem_print("Computation and communication add "
					  "up to the wall time within %.4g %%.",
					  gap > LEAST_GAP ? gap : LEAST_GAP);
}

static const struct table_column by_rank[] = {
	{ "rank", "Rank", TABLE_RANK, 0, 0 },
	{ "host", "Host", TABLE_TEXT, 0, TABLE_BY_NAME },
	{ "pid", "", TABLE_COUNT, TABLE_MACHINE, 0 },
	{ "wall_ns", "Wall", TABLE_TIME, TABLE_UNIT_A, TABLE_BY_MAX },
	{ "computation_ns", "Computing", TABLE_TIME,
	  TABLE_OF_BASE | TABLE_UNIT_A, 0 },
	{ "communication_ns", "In MPI", TABLE_TIME,
	  TABLE_OF_BASE | TABLE_UNIT_A, TABLE_BY_TIME },
	{ "communication_percent", "In MPI", TABLE_SHARE, 0, 0 },
	{ "waiting_ns", "Waiting", TABLE_TIME, TABLE_OF_BASE | TABLE_UNIT_A,
	  0 },
	{ "calls", "Calls", TABLE_COUNT, 0, TABLE_BY_COUNT },
	{ "sent_bytes", "Sent", TABLE_BYTES, TABLE_WIDE | TABLE_UNIT_B,
	  TABLE_BY_BYTES },
	{ "received_bytes", "Received", TABLE_BYTES, TABLE_WIDE | TABLE_UNIT_B,
	  0 },
	{ "off_ns", "", TABLE_TIME, TABLE_MACHINE, 0 },
	{ "start_ns", "", TABLE_COUNT, TABLE_MACHINE, 0 },
	{ "yields", "", TABLE_COUNT, TABLE_MACHINE, 0 },
	{ "sleeps", "", TABLE_COUNT, TABLE_MACHINE, 0 },
	{ "given_up_ns", "", TABLE_TIME, TABLE_MACHINE, 0 },
	{ "dropped_calls", "", TABLE_COUNT, TABLE_MACHINE, 0 },
	{ "overhead_ns", "", TABLE_TIME, TABLE_MACHINE, 0 },
	{ "memory_bytes", "", TABLE_BYTES, TABLE_MACHINE, 0 },
	{ "reason", "", TABLE_TEXT, TABLE_MACHINE, 0 },
	{ "complete", "", TABLE_TEXT, TABLE_MACHINE, 0 },
	{ "exit_status", "", TABLE_COUNT, TABLE_MACHINE, 0 },
	{ 0 },
};

static void add_rank(struct table *table, const struct run *run,
		     const struct run_rank *r)
{
	const uint64_t time = sat_add(r->computation, r->communication);
	const char *status = run_rank_fact(run, r, RUN_STATUS);

	table_row(table, sat_add(time, r->off));
	table_number(table, r->rank);
	table_words(table, run_rank_fact(run, r, RUN_HOST));
	table_number(table, r->pid);
	table_number(table, r->wall);
	table_number(table, r->computation);
	table_number(table, r->communication);
	table_share(table, r->communication, time);
	table_number(table, r->waiting);
	table_number(table, r->calls);
	table_number(table, r->sent);
	table_number(table, r->received);
	table_number(table, r->off);
	table_number(table, r->start);
	table_number(table, r->yields);
	table_number(table, r->sleeps);
	table_number(table, r->given_up);
	table_number(table, r->dropped_calls);
	table_number(table, r->overhead);
	table_number(table, r->memory);
	table_words(table, run_rank_fact(run, r, RUN_REASON));
	table_words(table, r->whole ? "yes" : "no");
	table_number_if(table, *status, strtoull(status, NULL, 10));
}

void report_by_rank(struct report *report)
{
	const struct run *run = report->run;
	struct table *table = report_table(report, "ranks", "Ranks", by_rank,
					   0);

	for (size_t i = 0; i < run->n_ranks; i++)
		add_rank(table, run, &run->ranks[i]);
	/* By rank, unless something else is asked for. */
	report_arrange_all(report, table, TABLE_UNSORTED);
}
