/* SPDX-License-Identifier: BSD-3-Clause */

/* The section on peers: with whom a rank exchanges messages. */
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/mem.h"
#include "analyzer/report/report.h"

static const struct table_column columns[] = {
	{ "rank", "Rank", TABLE_RANK, 0, 0 },
	{ "peer", "Peer", TABLE_RANK, 0, 0 },
	{ "sends", "Sends", TABLE_COUNT, 0, 0 },
	{ "sent_bytes", "Sent", TABLE_BYTES, TABLE_UNIT_A, 0 },
	{ "receives", "Receives", TABLE_COUNT, 0, 0 },
	{ "received_bytes", "Received", TABLE_BYTES, TABLE_UNIT_A, 0 },
	{ "bytes", "", TABLE_BYTES, TABLE_MACHINE, 0 },
	{ "time_ns", "Time", TABLE_TIME, TABLE_OF_BASE, 0 },
	{ "share_percent", "Share", TABLE_SHARE, 0, 0 },
	{ 0 },
};

static const struct table_column traffic[] = {
	{ "from", "From", TABLE_RANK, 0, 0 },
	{ "to", "To", TABLE_RANK, 0, 0 },
	{ "messages", "Messages", TABLE_COUNT, 0, 0 },
	{ "bytes", "Bytes", TABLE_BYTES, 0, 0 },
	{ "average_bytes", "Average", TABLE_BYTES, 0, 0 },
	{ "share_percent", "Share", TABLE_SHARE, 0, 0 },
	{ 0 },
};

/*
 * There may be very many pairs: they are sorted before they become rows, so
 * that only those become rows that are shown.
 */
static size_t rows_of(const struct report *report, size_t n)
{
	const size_t top = report->options->top;

	return top && top < n ? top : n;
}

static uint64_t pair_key(const struct run_peer *p, enum table_sort by)
{
	switch (by) {
	case TABLE_BY_COUNT:
		return sat_add(p->sends, p->receives);
	case TABLE_BY_BYTES:
		return sat_add(p->sent, p->received);
	default:
		return p->time;
	}
}

static int compare_pairs(const void *a, const void *b, void *by)
{
	const enum table_sort sort = *(const enum table_sort *)by;
	const uint64_t x = pair_key(a, sort);
	const uint64_t y = pair_key(b, sort);

	return (x < y) - (x > y);
}

static void add_pair(const struct report *report, struct table *table,
		     const struct run_peer *p)
{
	table_row(table, report->total);
	table_number(table, p->rank);
	table_number(table, p->peer);
	table_number(table, p->sends);
	table_number(table, p->sent);
	table_number(table, p->receives);
	table_number(table, p->received);
	table_number(table, sat_add(p->sent, p->received));
	table_number(table, p->time);
	table_share(table, p->time, report->total);
}

static void add_pairs(struct report *report)
{
	const struct run *run = report->run;
	const size_t shown = rows_of(report, run->n_peers);
	struct run_peer *sorted = mem_alloc(run->n_peers, sizeof(*sorted));
	enum table_sort by = report->options->sort;
	struct table *table = report_table(
		report, "peers", "Ranks and the peers they spent time with",
		columns, 0);

	if (run->n_peers) {
		memcpy(sorted, run->peers, run->n_peers * sizeof(*sorted));
		qsort_r(sorted, run->n_peers, sizeof(*sorted), compare_pairs,
			&by);
	}
	for (size_t i = 0; i < shown; i++)
		add_pair(report, table, &sorted[i]);
	table->more = run->n_peers - shown;
	free(sorted);
}

static bool has_file(const struct run *run, uint64_t rank)
{
	return intern_find(&run->rank_numbers, &rank, sizeof(rank)) !=
	       INTERN_NONE;
}

static size_t add_flow(struct report_flow *list, size_t n,
		       const struct report_flow *flow)
{
	if (flow->messages == 0)
		return n;
	list[n] = *flow;
	return n + 1;
}

size_t report_flows(const struct run *run, struct report_flow **list_p)
{
	struct report_flow *list = mem_alloc(2 * run->n_peers, sizeof(*list));
	size_t n = 0;

	for (size_t i = 0; i < run->n_peers; i++) {
		const struct run_peer *p = &run->peers[i];
		const struct report_flow out = { p->rank, p->peer, p->sends,
						 p->sent };
		const struct report_flow in = { p->peer, p->rank, p->receives,
						p->received };

		n = add_flow(list, n, &out);
		if (!has_file(run, p->peer))
			n = add_flow(list, n, &in);
	}
	*list_p = list;
	return n;
}

static int compare_flows(const void *a, const void *b, void *by)
{
	const struct report_flow *x = a;
	const struct report_flow *y = b;

	if (*(const enum table_sort *)by == TABLE_BY_COUNT)
		return (x->messages < y->messages) -
		       (x->messages > y->messages);
	return (x->bytes < y->bytes) - (x->bytes > y->bytes);
}

static void add_flows(struct report *report)
{
	struct report_flow *flows;
	const size_t n = report_flows(report->run, &flows);
	const size_t shown = rows_of(report, n);
	enum table_sort by = report->options->sort;
	struct table *table = report_table(report, "flows",
					   "Messages from rank to rank",
					   traffic, TABLE_PEOPLE);
	uint64_t bytes = 0;

	for (size_t i = 0; i < n; i++)
		bytes = sat_add(bytes, flows[i].bytes);
	qsort_r(flows, n, sizeof(*flows), compare_flows, &by);
	for (size_t i = 0; i < shown; i++) {
		const struct report_flow *f = &flows[i];

		table_row(table, 0);
		table_number(table, f->from);
		table_number(table, f->to);
		table_number(table, f->messages);
		table_number(table, f->bytes);
		table_number(table, f->bytes / f->messages);
		table_share(table, f->bytes, bytes);
	}
	table->more = n - shown;
	free(flows);
}

void report_peers(struct report *report)
{
	if (!report->options->machine)
		add_flows(report);
	add_pairs(report);
}
