/* SPDX-License-Identifier: BSD-3-Clause */

/* The tables of a simulated run. */
#include <math.h>
#include <stdlib.h>

#include "analyzer/base/mem.h"
#include "analyzer/base/units.h"
#include "analyzer/model/simulate.h"
#include "sim/sim_reliable.h"

#define FOR_PEOPLE (TABLE_PEOPLE | TABLE_RIGHT)
#define HOUR       3600.0
#define NS_MAX     1.8e19

static uint64_t ns(double seconds)
{
	return seconds * 1e9 < NS_MAX ? (uint64_t)(seconds * 1e9 + .5)
				      : UINT64_MAX;
}

static void put_time(struct table *table, double seconds)
{
	table_number_if(table, seconds * 1e9 < NS_MAX, ns(seconds));
}

/* A number for programs, and as people read it. */
static void put_real(struct table *table, double value, const char *format)
{
	char *text;

	if (!isfinite(value)) {
		table_none(table);
		table_none(table);
		return;
	}
	/* The callers' formats are of one double each. */
	if (*format == '4')
		text = mem_print("%.4g", value);
	else
		text = mem_print("%.6f", value);
	table_real(table, value);
	table_words(table, text);
	free(text);
}

static const struct table_column label_columns[] = {
	{ "label", "Label", TABLE_TEXT, 0, 0 },
	{ "processes", "Processes", TABLE_COUNT, 0, 0 },
	{ "simulated", "As", TABLE_COUNT, 0, 0 },
	{ "time_ns", "Time", TABLE_TIME, TABLE_UNIT_A, 0 },
	{ "first_ns", "First", TABLE_TIME, TABLE_UNIT_A, 0 },
	{ "computing_ns", "Computing", TABLE_TIME, TABLE_UNIT_A, 0 },
	{ "energy_wh", "", TABLE_EXACT, TABLE_MACHINE, 0 },
	{ "energy_text", "Wh", TABLE_TEXT, FOR_PEOPLE, 0 },
	{ "messages", "Messages", TABLE_COUNT, TABLE_WIDE, 0 },
	{ "bytes", "Bytes", TABLE_BYTES, TABLE_WIDE, 0 },
	{ "ended", "", TABLE_COUNT, TABLE_MACHINE, 0 },
	{ 0 },
};

struct table *simulate_labels(const struct sim_run_result *result)
{
	struct table *table = table_new("labels", "Labels", label_columns, 0);
	const struct sim_run_label *label = result->labels;

	for (uint32_t i = 0; i < result->n_labels; i++, label++) {
		table_row(table, 0);
		table_words(table, label->name);
		table_number(table, label->processes);
		table_number(table, label->simulated);
		put_time(table, label->seconds);
		put_time(table, label->first);
		put_time(table, label->computing);
		put_real(table, label->joules / HOUR, "4");
		table_number(table, label->messages);
		table_number(table, label->bytes);
		table_number(table, label->ended);
	}
	return table;
}

double simulate_expected(const struct sim_run_result *result,
			 const struct simulate_bounds *bounds)
{
	const double rate = result->failures;
	const double interval = bounds->checkpoint > 0 && rate > 0
					? sim_reliable_daly(rate,
							    bounds->checkpoint)
					: 0;

	if (isnan(rate))
		return result->seconds;
	/* No checkpoint is made after the end. */
	return sim_reliable_expected(rate, result->seconds,
				     interval < result->seconds ? interval : 0,
				     bounds->checkpoint, bounds->restart);
}

static const char *time_text(double seconds)
{
	return units_time_text(ns(seconds));
}

static void put_failures(struct table *table,
			 const struct sim_run_result *result,
			 const struct simulate_bounds *bounds)
{
	const double rate = result->failures;

	table_line(table, "Success",
		   mem_print("%.6f; a failure every %s",
			     sim_reliable_success(rate, result->seconds),
			     time_text(1 / rate)));
	if (bounds->checkpoint > 0)
		table_line(table, "Checkpoints",
			   mem_print("every %s by Young, %s by Daly",
				     time_text(sim_reliable_young(
					     rate, bounds->checkpoint)),
				     time_text(sim_reliable_daly(
					     rate, bounds->checkpoint))));
	table_line(table, "With failures",
		   mem_print("%s on the mean",
			     time_text(simulate_expected(result, bounds))));
}

struct table *simulate_lines(const struct sim_run_result *result,
			     const struct simulate_bounds *bounds)
{
	struct table *table = table_new("total", "Overall", table_line_columns,
					TABLE_PLAIN);

	table_line(table, "Time", mem_print("%s", time_text(result->seconds)));
	table_line(
		table, "Processes",
		mem_print("%u on %u nodes", result->processes, result->nodes));
	if (!isnan(result->joules))
		table_line(table, "Energy",
			   mem_print("%.6g Wh; %.4g W while all are active",
				     result->joules / HOUR, result->watts));
	if (result->failures > 0)
		put_failures(table, result, bounds);
	return table;
}

static const struct table_column total_columns[] = {
	{ "time_ns", "", TABLE_TIME, 0, 0 },
	{ "processes", "", TABLE_COUNT, 0, 0 },
	{ "nodes", "", TABLE_COUNT, 0, 0 },
	{ "energy_wh", "", TABLE_EXACT, 0, 0 },
	{ "power_w", "", TABLE_EXACT, 0, 0 },
	{ "success", "", TABLE_EXACT, 0, 0 },
	{ "between_failures_s", "", TABLE_EXACT, 0, 0 },
	{ "young_s", "", TABLE_EXACT, 0, 0 },
	{ "daly_s", "", TABLE_EXACT, 0, 0 },
	{ "expected_s", "", TABLE_EXACT, 0, 0 },
	{ "events", "", TABLE_COUNT, 0, 0 },
	{ "lost_messages", "", TABLE_COUNT, 0, 0 },
	{ 0 },
};

static void real_if(struct table *table, bool is, double value)
{
	if (is && isfinite(value))
		table_real(table, value);
	else
		table_none(table);
}

struct table *simulate_total(const struct sim_run_result *result,
			     const struct simulate_bounds *bounds)
{
	struct table *table = table_new("total", "", total_columns, TABLE_ONE);
	const double rate = result->failures;
	const bool fails = rate > 0;
	const bool saves = fails && bounds->checkpoint > 0;

	table_row(table, 0);
	put_time(table, result->seconds);
	table_number(table, result->processes);
	table_number(table, result->nodes);
	real_if(table, true, result->joules / HOUR);
	real_if(table, true, result->watts);
	real_if(table, fails, sim_reliable_success(rate, result->seconds));
	real_if(table, fails, 1 / rate);
	real_if(table, saves, sim_reliable_young(rate, bounds->checkpoint));
	real_if(table, saves, sim_reliable_daly(rate, bounds->checkpoint));
	real_if(table, true, simulate_expected(result, bounds));
	table_number(table, result->events);
	table_number(table, result->lost);
	return table;
}

int simulate_best(const struct simulate_size *sizes, unsigned n,
		  const struct simulate_bounds *bounds)
{
	int best = -1;

	for (unsigned i = 0; i < n; i++) {
		if (sizes[i].result.watts > bounds->watts)
			continue;
		if (best < 0 || sizes[i].expected < sizes[best].expected)
			best = (int)i;
	}
	return best;
}

static const struct table_column size_columns[] = {
	{ "count", "Count", TABLE_COUNT, 0, 0 },
	{ "processes", "Processes", TABLE_COUNT, TABLE_WIDE, 0 },
	{ "nodes", "Nodes", TABLE_COUNT, TABLE_WIDE, 0 },
	{ "time_ns", "Time", TABLE_TIME, TABLE_UNIT_A, 0 },
	{ "expected_ns", "Expected", TABLE_TIME, TABLE_UNIT_A, 0 },
	{ "energy_wh", "", TABLE_EXACT, TABLE_MACHINE, 0 },
	{ "energy_text", "Wh", TABLE_TEXT, FOR_PEOPLE, 0 },
	{ "power_w", "", TABLE_EXACT, TABLE_MACHINE, 0 },
	{ "power_text", "W", TABLE_TEXT, FOR_PEOPLE, 0 },
	{ "success", "", TABLE_EXACT, TABLE_MACHINE, 0 },
	{ "success_text", "Success", TABLE_TEXT, FOR_PEOPLE, 0 },
	{ "note", "", TABLE_TEXT, TABLE_RIGID, 0 },
	{ 0 },
};

struct table *simulate_sizes(const struct simulate_size *sizes, unsigned n,
			     const char *label,
			     const struct simulate_bounds *bounds)
{
	struct table *table = table_new("sizes", "Sizes", size_columns, 0);
	const int best = simulate_best(sizes, n, bounds);
	const struct sim_run_result *result;

	table->remark = mem_print("by the number of processes '%s'; expected: "
				  "on the mean, with failures",
				  label);
	for (unsigned i = 0; i < n; i++) {
		result = &sizes[i].result;
		table_row(table, 0);
		table_number(table, sizes[i].count);
		table_number(table, result->processes);
		table_number(table, result->nodes);
		put_time(table, result->seconds);
		put_time(table, sizes[i].expected);
		put_real(table, result->joules / HOUR, "4");
		put_real(table, result->watts, "4");
		put_real(
			table,
			sim_reliable_success(result->failures, result->seconds),
			"6");
		table_words(table, (int)i == best ? "best"
				   : result->watts > bounds->watts
					   ? "too much power"
					   : "");
	}
	return table;
}
