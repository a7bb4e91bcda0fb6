/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The efficiencies of both groups, medians of their runs.  A is the reference:
 *
 *   computation scaling = computation of all ranks in A / the same of a run
 *   global efficiency   = computation scaling x parallel efficiency
 */
#include <stdlib.h>

#include "analyzer/base/mem.h"
#include "analyzer/diff/diff.h"

#define PARTS 1000000000u /* of 1, in which medians are taken */

static const struct table_column columns[] = {
	{ "efficiency", "", TABLE_TEXT, TABLE_MACHINE, 0 },
	{ "title", "Efficiency", TABLE_TEXT, TABLE_PEOPLE, 0 },
	{ "a_percent", "A", TABLE_SHARE, 0, 0 },
	{ "b_percent", "B", TABLE_SHARE, 0, 0 },
	{ "difference_points", "Diff", TABLE_SHARE, TABLE_SIGN, 0 },
	{ 0 },
};

enum number {
	PARALLEL,
	BALANCE,
	COMMUNICATION,
	SERIALISATION,
	TRANSFER,
	SCALING,
	GLOBAL
};

static const struct {
	const char *name;
	const char *title;
} numbers[] = {
	[PARALLEL] = { "parallel", "Parallel efficiency" },
	[BALANCE] = { "balance", "  Load balance" },
	[COMMUNICATION] = { "communication", "  Communication" },
	[SERIALISATION] = { "serialisation", "    Serialisation" },
	[TRANSFER] = { "transfer", "    Transfer" },
	[SCALING] = { "computation_scaling", "Computation scaling" },
	[GLOBAL] = { "global", "Global efficiency" },
};

static double scaling_of(const struct run_efficiency *e, double computation)
{
	return e->total ? computation / (double)e->total : 1;
}

/* `computation` is that of the reference. */
static double number_of(const struct run_efficiency *e, enum number number,
			double computation)
{
	switch (number) {
	case PARALLEL:
		return e->parallel;
	case BALANCE:
		return e->balance;
	case COMMUNICATION:
		return e->communication;
	case SERIALISATION:
		return e->serialisation;
	case TRANSFER:
		return e->transfer;
	case SCALING:
		return scaling_of(e, computation);
	default:
		return scaling_of(e, computation) * e->parallel;
	}
}

/* Whether all runs of a group have a number. */
static bool has(const struct diff *diff, enum diff_side side,
		enum number number)
{
	for (size_t i = diff_first(diff, side); i < diff_end(diff, side); i++) {
		const struct run_efficiency *e = &diff->runs[i].efficiency;

		if (e->elapsed == 0 ||
		    (!e->ideal_known &&
		     (number == SERIALISATION || number == TRANSFER)))
			return false;
	}
	return true;
}

static double reference(const struct diff *diff, uint64_t *values)
{
	for (size_t i = 0; i < diff->n_runs; i++)
		values[i] = diff->runs[i].efficiency.total;
	return diff_median(diff, values, DIFF_A);
}

static void put(struct table *table, bool is, double percent)
{
	if (is)
		table_real(table, percent);
	else
		table_none(table);
}

static void add_number(const struct diff *diff, struct table *table,
		       enum number number, double computation, uint64_t *values)
{
	const bool in_a = has(diff, DIFF_A, number);
	const bool in_b = has(diff, DIFF_B, number);
	double a;
	double b;

	for (size_t i = 0; i < diff->n_runs; i++)
		values[i] = diff_u64(PARTS *
				     number_of(&diff->runs[i].efficiency,
					       number, computation));
	a = 100 * diff_median(diff, values, DIFF_A) / PARTS;
	b = 100 * diff_median(diff, values, DIFF_B) / PARTS;
	table_row(table, 0);
	table_words(table, numbers[number].name);
	table_words(table, numbers[number].title);
	put(table, in_a, a);
	put(table, in_b, b);
	put(table, in_a && in_b, b - a);
}

struct table *diff_efficiencies(const struct diff *diff,
				const struct report_options *options)
{
	struct table *table = table_new("efficiencies", "Efficiencies", columns,
					0);
	uint64_t *values = mem_alloc(diff->n_runs, sizeof(*values));
	const double computation = reference(diff, values);

	(void)options;
	table->remark = mem_text("Computation scaling: all ranks of A together "
				 "computed so much of what those of B did.  "
				 "Global efficiency is computation scaling x "
				 "parallel efficiency.");
	for (enum number i = PARALLEL; i <= GLOBAL; i++)
		if (has(diff, DIFF_A, i) || has(diff, DIFF_B, i))
			add_number(diff, table, i, computation, values);
	free(values);
	return table;
}
