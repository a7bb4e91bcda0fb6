/* SPDX-License-Identifier: BSD-3-Clause */

/* The tables of `bcs diff` by account, primitive, call site and rank. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/mem.h"
#include "analyzer/diff/diff.h"

/* Columns of all tables.  If a line is short, calls are dropped first, then p,
 * then B. */
static const struct table_column values[] = {
	{ "a_ns", "A", TABLE_TIME, TABLE_UNIT_A, 0 },
	{ "b_ns", "B", TABLE_TIME, TABLE_UNIT_A | TABLE_WIDE, 0 },
	{ "difference_ns", "Diff", TABLE_TIME, TABLE_UNIT_A, TABLE_BY_TIME },
	{ "change_percent", "Diff", TABLE_SHARE, TABLE_SIGN, 0 },
	{ "verdict", "Verdict", TABLE_TEXT, TABLE_RIGID, 0 },
	{ "p", "", TABLE_SHARE, TABLE_MACHINE, 0 },
	{ "p_text", "p", TABLE_TEXT, TABLE_PEOPLE | TABLE_WIDE | TABLE_RIGHT,
	  0 },
	{ "a_calls", "", TABLE_COUNT, TABLE_MACHINE, 0 },
	{ "b_calls", "", TABLE_COUNT, TABLE_MACHINE, 0 },
	{ "calls", "Calls A/B", TABLE_TEXT,
	  TABLE_PEOPLE | TABLE_WIDE | TABLE_RIGHT, 0 },
	{ 0 },
};
#define KEYS      3 /* most columns before them */
#define N_COLUMNS (KEYS + sizeof(values) / sizeof(values[0]))

static struct table_column of_parts[N_COLUMNS] = {
	{ "part", "", TABLE_TEXT, TABLE_MACHINE, 0 },
	{ "title", "Part", TABLE_TEXT, TABLE_PEOPLE, 0 },
};
static struct table_column of_calls[N_COLUMNS] = {
	{ "primitive", "Primitive", TABLE_TEXT, 0, 0 },
};
static struct table_column of_sites[N_COLUMNS] = {
	{ "site", "Site", TABLE_TEXT, TABLE_TAIL, 0 },
	{ "call", "Call", TABLE_TEXT, 0, 0 },
	{ "site_in_a", "", TABLE_TEXT, TABLE_MACHINE, 0 },
};
static struct table_column of_ranks[N_COLUMNS] = {
	{ "rank", "Rank", TABLE_RANK, 0, 0 },
	{ "part", "Part", TABLE_TEXT, 0, 0 },
};

/* Makes a table of its own columns, followed by the common ones. */
static struct table *new_table(const char *name, const char *title,
			       struct table_column *columns, size_t own)
{
	memcpy(columns + own, values, sizeof(values));
	return table_new(name, title, columns, 0);
}

static void put_times(struct table *table, const struct diff_change *change)
{
	const double a = change->median[DIFF_A];
	const double b = change->median[DIFF_B];

	table_number(table, diff_u64(a));
	table_number(table, diff_u64(b));
	table_signed(table, b < a, diff_u64(fabs(b - a)));
	if (a > 0)
		table_real(table, 100 * (b - a) / a);
	else
		table_none(table);
}

static void put_verdict(struct table *table, const struct diff_change *change)
{
	char *p;

	table_words(table, diff_verdict_text(change->verdict));
	if (!change->tested) {
		table_none(table);
		table_none(table);
		return;
	}
	p = diff_p_text(change->p);
	table_real(table, change->p);
	table_words(table, p);
	free(p);
}

/* The median number of calls.  Rows that are not calls have none. */
static void put_calls(const struct diff *diff, struct table *table,
		      const struct diff_row *row)
{
	const uint64_t a = diff_u64(diff_median(diff, row->calls, DIFF_A));
	const uint64_t b = diff_u64(diff_median(diff, row->calls, DIFF_B));
	char *both = a == b ? mem_print("%" PRIu64, a)
			    : mem_print("%" PRIu64 "/%" PRIu64, a, b);

	table_number_if(table, a || b, a);
	table_number_if(table, a || b, b);
	if (a || b)
		table_words(table, both);
	else
		table_none(table);
	free(both);
}

static void put_row(const struct diff *diff, struct table *table,
		    const struct diff_row *row)
{
	const struct diff_change change = diff_change_of_row(diff, row);

	put_times(table, &change);
	put_verdict(table, &change);
	put_calls(diff, table, row);
}

static void arrange(struct table *table, const struct report_options *options)
{
	table_sort(table, TABLE_UNSORTED, TABLE_BY_TIME);
	table_cut(table, options->top);
}

struct table *diff_account(const struct diff *diff,
			   const struct report_options *options)
{
	static const struct {
		const char *name;
		const char *title;
	} parts[] = {
		[DIFF_COMPUTATION] = { "computation", "Computation" },
		[DIFF_COMMUNICATION] = { "communication", "Communication" },
		[DIFF_WAITING] = { "waiting", "  of it waiting" },
		[DIFF_OFF] = { "off", "Recording off" },
	};
	struct table *table = new_table("account", "Account, over all ranks",
					of_parts, 2);

	(void)options;
	for (int i = DIFF_COMPUTATION; i < DIFF_WALL; i++) {
		const struct diff_row *row = &diff->parts.rows[i];
		const struct diff_change c = diff_change_of(diff, row->times);

		if (i >= DIFF_WAITING && c.max[DIFF_A] + c.max[DIFF_B] <= 0)
			continue;
		table_row(table, 0);
		table_words(table, parts[i].name);
		table_words(table, parts[i].title);
		put_row(diff, table, row);
	}
	return table;
}

struct table *diff_primitives(const struct diff *diff,
			      const struct report_options *options)
{
	struct table *table = new_table(
		"primitives", "Primitives, over all ranks", of_calls, 1);

	for (size_t i = 0; i < diff->calls.keys.n; i++) {
		table_row(table, 0);
		table_words(table, intern_key(&diff->calls.keys, i));
		put_row(diff, table, &diff->calls.rows[i]);
	}
	arrange(table, options);
	return table;
}

static void add_site(const struct diff *diff, struct table *table, size_t i)
{
	const struct diff_row *row = &diff->sites.rows[i];
	const char *site = intern_key(&diff->sites.keys, i);
	const char *call = site + strlen(site) + 1;

	if (row->moved || run_is_outside(call))
		return;
	table_row(table, 0);
	table_words(table, site);
	table_words(table, call);
	table_words(table, row->was ? row->was : site);
	put_row(diff, table, row);
}

static char *moved_text(const struct diff *diff)
{
	size_t n = 0;

	for (size_t i = 0; i < diff->sites.keys.n; i++)
		n += diff->sites.rows[i].moved;
	if (n == 0)
		return NULL;
	return mem_print("Lines are those of B; %zu of these places %s at "
			 "another line in A.",
			 n, n == 1 ? "was" : "were");
}

struct table *diff_sites(const struct diff *diff,
			 const struct report_options *options)
{
	struct table *table = new_table("sites", "Call sites, over all ranks",
					of_sites, 3);

	for (size_t i = 0; diff->places && i < diff->sites.keys.n; i++)
		add_site(diff, table, i);
	table->remark = moved_text(diff);
	arrange(table, options);
	return table;
}

/* Adds ranks.  A rank that is missing in a run is left out. */
static void add_ranks(const struct diff *diff, struct table *table,
		      const struct diff_set *set, const char *part)
{
	for (size_t i = 0; i < set->keys.n; i++) {
		const uint64_t *rank = intern_key(&set->keys, i);

		if (set->rows[i].n_added < diff->n_runs)
			continue;
		table_row(table, 0);
		table_number(table, *rank);
		table_words(table, part);
		put_row(diff, table, &set->rows[i]);
	}
}

struct table *diff_ranks(const struct diff *diff,
			 const struct report_options *options)
{
	struct table *table = new_table("ranks", "Ranks", of_ranks, 2);

	if (diff_same_ranks(diff)) {
		add_ranks(diff, table, &diff->computing, "computing");
		add_ranks(diff, table, &diff->in_mpi, "in MPI");
	}
	arrange(table, options);
	return table;
}
