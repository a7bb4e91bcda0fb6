/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The numbers of two charts: how ranks spent their time, and who sent how much
 * to whom.  Many ranks are put together in groups, so that the charts of a
 * large run are as small as those of a small one.
 */
#include <stdlib.h>

#include "analyzer/base/mem.h"
#include "analyzer/html/html_run.h"

#define BARS  128
#define CELLS 64 /* of a side of the matrix */

static const struct table_column of_bars[] = {
	{ "from", "", TABLE_RANK, 0, 0 },
	{ "to", "", TABLE_RANK, 0, 0 },
	{ "computation_ns", "", TABLE_TIME, 0, 0 },
	{ "communication_ns", "", TABLE_TIME, 0, 0 },
	{ "waiting_ns", "", TABLE_TIME, 0, 0 },
	{ "off_ns", "", TABLE_TIME, 0, 0 },
	{ 0 },
};

/* The means of the ranks [from, to) of the list. */
static void add_bar(struct table *table, const struct run *run, size_t from,
		    size_t to)
{
	const uint64_t n = to - from;
	struct run_rank sum = { 0 };

	for (size_t i = from; i < to; i++) {
		const struct run_rank *r = &run->ranks[i];

		sum.computation = sat_add(sum.computation, r->computation);
		sum.communication = sat_add(sum.communication,
					    r->communication);
		sum.waiting = sat_add(sum.waiting, r->waiting);
		sum.off = sat_add(sum.off, r->off);
	}
	table_row(table, 0);
	table_number(table, run->ranks[from].rank);
	table_number(table, run->ranks[to - 1].rank);
	table_number(table, sum.computation / n);
	table_number(table, sum.communication / n);
	table_number(table, sum.waiting / n);
	table_number(table, sum.off / n);
}

void html_bars(struct html_run *r)
{
	const struct run *run = r->report.run;
	const size_t group = (run->n_ranks + BARS - 1) / BARS;
	struct table *table = table_new("bars", "", of_bars, 0);

	for (size_t i = 0; i < run->n_ranks; i += group)
		add_bar(table, run, i,
			i + group < run->n_ranks ? i + group : run->n_ranks);
	html_put_data(r, table);
}

static const struct table_column of_matrix[] = {
	{ "ranks", "", TABLE_COUNT, 0, 0 },
	{ "group", "", TABLE_COUNT, 0, 0 },
	{ 0 },
};

static const struct table_column of_cells[] = {
	{ "from", "", TABLE_COUNT, 0, 0 },
	{ "to", "", TABLE_COUNT, 0, 0 },
	{ "bytes", "", TABLE_BYTES, 0, 0 },
	{ "messages", "", TABLE_COUNT, 0, 0 },
	{ 0 },
};

/* One more than the greatest rank that sent or received. */
static uint64_t ranks_of(const struct report_flow *flows, size_t n)
{
	uint64_t ranks = 0;

	for (size_t i = 0; i < n; i++) {
		const uint64_t from = flows[i].from;
		const uint64_t to = flows[i].to;

		if (from >= ranks && from < RUN_UNRANKED)
			ranks = from + 1;
		if (to >= ranks && to < RUN_UNRANKED)
			ranks = to + 1;
	}
	return ranks;
}

static void add_flow(struct report_flow cells[CELLS][CELLS],
		     const struct report_flow *flow, uint64_t group)
{
	struct report_flow *cell;

	if (flow->from >= RUN_UNRANKED || flow->to >= RUN_UNRANKED)
		return;
	cell = &cells[flow->from / group][flow->to / group];
	cell->bytes = sat_add(cell->bytes, flow->bytes);
	cell->messages = sat_add(cell->messages, flow->messages);
}

static void add_cells(struct table *table,
		      struct report_flow cells[CELLS][CELLS])
{
	for (uint64_t from = 0; from < CELLS; from++)
		for (uint64_t to = 0; to < CELLS; to++) {
			if (cells[from][to].messages == 0)
				continue;
			table_row(table, 0);
			table_number(table, from);
			table_number(table, to);
			table_number(table, cells[from][to].bytes);
			table_number(table, cells[from][to].messages);
		}
}

/* The sides of the matrix are the ranks of the world. */
bool html_matrix(struct html_run *r)
{
	static struct report_flow cells[CELLS][CELLS];
	static const struct report_flow none;
	struct report_flow *flows;
	const size_t n = report_flows(r->report.run, &flows);
	const uint64_t met = ranks_of(flows, n);
	const uint64_t size = r->report.run->size;
	const uint64_t ranks = size > met ? size : met;
	const uint64_t group = ranks / CELLS + (ranks % CELLS != 0);
	struct table *table = table_new("matrix", "", of_matrix, TABLE_ONE);

	for (size_t i = 0; i < (size_t)CELLS * CELLS; i++)
		cells[i / CELLS][i % CELLS] = none;
	for (size_t i = 0; i < n; i++)
		add_flow(cells, &flows[i], group);
	free(flows);
	table_row(table, 0);
	table_number(table, ranks);
	table_number(table, group);
	html_put_data(r, table);
	table = table_new("cells", "", of_cells, 0);
	add_cells(table, cells);
	html_put_data(r, table);
	return met > 0;
}
