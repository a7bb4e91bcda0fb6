/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Notes in sentences: where blocking calls were replaced by non-blocking ones,
 * or back.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/mem.h"
#include "analyzer/diff/diff.h"
#include "analyzer/diff/diff_family.h"

#define NAMES_MAX 4

struct members {
	unsigned kinds; /* bits of enum diff_kind */
	/* The families; calls that complete requests always count. */
	const bool *families;
};

static bool is_member(const struct members *of, const char *call)
{
	size_t family;
	const enum diff_kind kind = diff_kind_of(call, &family);

	return of->kinds & 1u << kind &&
	       (kind == DIFF_COMPLETES || of->families[family]);
}

/* The sum over the members, for each run. */
static struct diff_row sum_of(const struct diff *diff, const struct members *of)
{
	struct diff_row sum = diff_row_new(diff);

	for (size_t i = 0; i < diff->calls.keys.n; i++) {
		const struct diff_row *row = &diff->calls.rows[i];

		if (!is_member(of, intern_key(&diff->calls.keys, i)))
			continue;
		for (size_t r = 0; r < diff->n_runs; r++) {
			sum.times[r] = sat_add(sum.times[r], row->times[r]);
			sum.calls[r] = sat_add(sum.calls[r], row->calls[r]);
		}
	}
	return sum;
}

static double member_time(const struct diff *diff, const struct members *of,
			  enum diff_side side)
{
	struct diff_row sum = sum_of(diff, of);
	const double time = diff_median(diff, sum.times, side);

	free(sum.times);
	return time;
}

/* Whether B has fewer calls than A (-1), or more (1), or neither. */
static int trend_of(const struct diff *diff, enum diff_kind kind, size_t family)
{
	bool families[DIFF_FAMILIES] = { false };
	const struct members members = { 1u << kind, families };
	struct diff_row sum;
	double a;
	double b;

	families[family] = true;
	sum = sum_of(diff, &members);
	a = diff_median(diff, sum.calls, DIFF_A);
	b = diff_median(diff, sum.calls, DIFF_B);
	free(sum.times);
	return (b > a) - (b < a);
}

/* Names of the members that a side called, such as "MPI_Recv, MPI_Send". */
static char *names_of(const struct diff *diff, const struct members *of,
		      enum diff_side side)
{
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);
	size_t n = 0;

	for (size_t i = 0; to && i < diff->calls.keys.n; i++) {
		const char *call = intern_key(&diff->calls.keys, i);
		const uint64_t *calls = diff->calls.rows[i].calls;

		if (!is_member(of, call) || diff_median(diff, calls, side) <= 0)
			continue;
		if (n++ < NAMES_MAX)
			fprintf(to, "%s%s", n > 1 ? ", " : "", call);
	}
	if (to && n > NAMES_MAX)
		fprintf(to, " and %zu more", n - NAMES_MAX);
	if (to)
		fclose(to);
	return text ? text : mem_text("");
}

/* A replacement: title, the old kinds and their name, the new kinds. */
struct move {
	const char *title;
	const char *old;
	unsigned before;
	unsigned after;
	int trend; /* trend of the blocking calls */
};

#define BLOCK     (1u << DIFF_BLOCKS)
#define NON_BLOCK (1u << DIFF_STARTS | 1u << DIFF_COMPLETES)

static const struct move moves[] = {
	{ "From blocking to non-blocking calls", "blocking calls", BLOCK,
	  NON_BLOCK, -1 },
	{ "From non-blocking to blocking calls", "non-blocking calls",
	  NON_BLOCK, BLOCK, 1 },
};

/* The time that B still spends in the old calls, and that A already spent in
 * the new ones. */
static char *rest_text(const struct diff *diff, const struct move *move,
		       const struct members *before,
		       const struct members *after)
{
	const double still = member_time(diff, before, DIFF_B);
	const double already = member_time(diff, after, DIFF_A);
	char *old = still > 0 ? mem_print(" B still spends %s in %s.",
					  diff_time_text(still), move->old)
			      : mem_text("");
	char *text = already > 0
			     ? mem_print("%s A spent %s in the latter already.",
					 old, diff_time_text(already))
			     : mem_text(old);

	free(old);
	return text;
}

static char *wall_text(const struct diff *diff)
{
	const struct diff_change wall = diff_change_of(
		diff, diff->parts.rows[DIFF_WALL].times);
	char *change = diff_change_text(&wall);
	char *text = mem_print("The whole run took %s in A and %s in B: %s.",
			       diff_time_text(wall.median[DIFF_A]),
			       diff_time_text(wall.median[DIFF_B]), change);

	free(change);
	return text;
}

static void add_move(const struct diff *diff, struct table *table,
		     const struct move *move, const bool *families)
{
	const struct members before = { move->before, families };
	const struct members after = { move->after, families };
	const double spent_a = member_time(diff, &before, DIFF_A);
	const double spent_b = member_time(diff, &after, DIFF_B);
	char *old = names_of(diff, &before, DIFF_A);
	char *new = names_of(diff, &after, DIFF_B);
	char *rest = rest_text(diff, move, &before, &after);
	char *wall = wall_text(diff);

	report_note(table,
		    mem_print("%s: A spent %s over all ranks in %s, and B %s "
			      "in %s.%s %s",
			      move->title, diff_time_text(spent_a), old,
			      diff_time_text(spent_b), new, rest, wall));
	free(wall);
	free(rest);
	free(new);
	free(old);
}

/* A family moved if it has fewer old calls and more new ones. */
static void note_move(const struct diff *diff, struct table *table,
		      const struct move *move)
{
	bool families[DIFF_FAMILIES] = { false };
	bool any = false;

	for (size_t f = 0; f < DIFF_FAMILIES; f++) {
		families[f] = trend_of(diff, DIFF_BLOCKS, f) == move->trend &&
			      trend_of(diff, DIFF_STARTS, f) == -move->trend;
		any = any || families[f];
	}
	if (any)
		add_move(diff, table, move, families);
}

void diff_note_moves(const struct diff *diff, struct table *table)
{
	for (size_t i = 0; i < sizeof(moves) / sizeof(moves[0]); i++)
		note_move(diff, table, &moves[i]);
}
