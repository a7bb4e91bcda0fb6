/* SPDX-License-Identifier: BSD-3-Clause */

/* The tables of a replayed run. */
#include <math.h>
#include <stdlib.h>

#include "analyzer/base/mem.h"
#include "analyzer/base/units.h"
#include "analyzer/model/simulate_trace.h"

static uint64_t ns(double seconds)
{
	return seconds * 1e9 < 1.8e19 ? (uint64_t)(seconds * 1e9 + .5)
				      : UINT64_MAX;
}

static const struct table_column rank_columns[] = {
	{ "rank", "Rank", TABLE_COUNT, 0, 0 },
	{ "recorded_ns", "Recorded", TABLE_TIME, TABLE_UNIT_A, 0 },
	{ "replayed_ns", "Replayed", TABLE_TIME, TABLE_UNIT_A, 0 },
	{ "computing_ns", "Computing", TABLE_TIME, TABLE_UNIT_A, 0 },
	{ "waiting_ns", "Waiting", TABLE_TIME, TABLE_UNIT_A, 0 },
	{ 0 },
};

struct table *simulate_trace_ranks(const struct replay_result *result)
{
	struct table *table = table_new("ranks", "Ranks", rank_columns, 0);
	const struct replay_rank *rank = result->ranks;

	for (uint32_t i = 0; i < result->n_ranks; i++, rank++) {
		table_row(table, 0);
		table_number(table, rank->rank);
		table_number(table, ns(rank->recorded_end));
		table_number(table, ns(rank->end));
		table_number(table, ns(rank->computing));
		table_number(table, ns(fmax(0, rank->end - rank->computing)));
	}
	return table;
}

/* The latency that makes the run longer by so much. */
static char *latency_text(const struct replay_result *result, double percent)
{
	const double seconds = result->seconds * percent / 100 /
			       result->path.messages;

	return mem_print("%s", units_time_text(ns(seconds)));
}

static void put_path(struct table *table, const struct replay_result *result)
{
	static const double percents[] = { 1, 2, 5 };
	const struct sim_path *path = &result->path;
	char *more[3];

	if (path->messages <= 0)
		return;
	for (int i = 0; i < 3; i++)
		more[i] = latency_text(result, percents[i]);
	table_line(table, "Latency",
		   mem_print("%.0f messages on the critical path; %s more cost "
			     "1 %%, %s 2 %%, %s 5 %%",
			     path->messages, more[0], more[1], more[2]));
	table_line(table, "Bandwidth",
		   mem_print("%s on the critical path take %s; half of the "
			     "bandwidth costs %.1f %%",
			     units_bytes_text((uint64_t)path->bytes),
			     units_time_text(ns(path->moving)),
			     100 * path->moving / result->seconds));
	for (int i = 0; i < 3; i++)
		free(more[i]);
}

struct table *simulate_trace_lines(const struct replay_result *result)
{
	struct table *table = table_new("total", "Overall", table_line_columns,
					TABLE_PLAIN);

	table_line(table, "Recorded",
		   mem_print("%s", units_time_text(ns(result->recorded))));
	table_line(table, "Replayed",
		   mem_print("%s, %+.1f %%",
			     units_time_text(ns(result->seconds)),
			     100 * (result->seconds / result->recorded - 1)));
	put_path(table, result);
	if (result->cores)
		table_line(table, "Cores",
			   mem_print("%u of a node, which ranks share",
				     result->cores));
	table_line(table, "Messages",
		   mem_print("%llu", (unsigned long long)result->messages));
	return table;
}

static const struct table_column total_columns[] = {
	{ "ranks", "", TABLE_COUNT, 0, 0 },
	{ "recorded_ns", "", TABLE_TIME, 0, 0 },
	{ "replayed_ns", "", TABLE_TIME, 0, 0 },
	{ "ratio", "", TABLE_EXACT, 0, 0 },
	{ "critical_messages", "", TABLE_COUNT, 0, 0 },
	{ "critical_bytes", "", TABLE_BYTES, 0, 0 },
	{ "critical_moving_ns", "", TABLE_TIME, 0, 0 },
	{ "events", "", TABLE_COUNT, 0, 0 },
	{ "messages", "", TABLE_COUNT, 0, 0 },
	{ "bytes", "", TABLE_BYTES, 0, 0 },
	{ "shared_cores", "", TABLE_COUNT, 0, 0 },
	{ "changed_calls", "", TABLE_COUNT, 0, 0 },
	{ "as_recorded", "", TABLE_COUNT, 0, 0 },
	{ "lost_events", "", TABLE_COUNT, 0, 0 },
	{ 0 },
};

struct table *simulate_trace_total(const struct replay_result *result)
{
	struct table *table = table_new("total", "", total_columns, TABLE_ONE);

	table_row(table, 0);
	table_number(table, result->n_ranks);
	table_number(table, ns(result->recorded));
	table_number(table, ns(result->seconds));
	if (result->recorded > 0)
		table_real(table, result->seconds / result->recorded);
	else
		table_none(table);
	table_number(table, (uint64_t)(result->path.messages + .5));
	table_number(table, (uint64_t)(result->path.bytes + .5));
	table_number(table, ns(result->path.moving));
	table_number(table, result->events);
	table_number(table, result->messages);
	table_number(table, result->bytes);
	table_number(table, result->cores);
	table_number(table, result->sites);
	table_number(table, result->as_recorded);
	table_number(table, result->lost);
	return table;
}
