/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Calls that were under way.  Ranks that do the same at the same place are told
 * of in one sentence.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/mem.h"
#include "analyzer/report/report.h"

static const struct table_column sentence[] = {
	{ "text", "", TABLE_TEXT, 0, 0 },
	{ 0 },
};

static const struct table_column columns[] = {
	{ "rank", "", TABLE_RANK, 0, 0 },
	{ "thread", "", TABLE_COUNT, 0, 0 },
	{ "call", "", TABLE_TEXT, 0, 0 },
	{ "since_ns", "", TABLE_TIME, 0, 0 },
	{ "waits_for", "", TABLE_TEXT, 0, 0 },
	{ "peer", "", TABLE_TEXT, 0, 0 },
	{ "tag", "", TABLE_TEXT, 0, 0 },
	{ "communicator", "", TABLE_TEXT, 0, 0 },
	{ "site", "", TABLE_TEXT, 0, 0 },
	{ 0 },
};

static void put_now(struct report *report, struct table *table,
		    const struct run_now *now)
{
	const struct run *run = report->run;
	char *site = report_place(report, now->place);

	table_row(table, 0);
	table_number(table, now->rank);
	table_number(table, now->thread);
	table_words(table, report_word(run, now->call));
	table_number(table, now->since);
	table_words(table, report_word(run, now->waits_for));
	table_words(table, report_word(run, now->peer));
	table_words(table, report_word(run, now->tag));
	table_words(table, report_now_comm(run, now));
	table_words(table, site);
	free(site);
}

/* All that two ranks must have in common. */
static int compare_what(const struct run_now *x, const struct run_now *y)
{
	const uint64_t a[] = { x->call, x->place, x->waits_for, x->peer,
			       x->tag,  x->comm,  x->thread,    x->begun };
	const uint64_t b[] = { y->call, y->place, y->waits_for, y->peer,
			       y->tag,  y->comm,  y->thread,    y->begun };

	for (size_t i = 0; i < sizeof(a) / sizeof(a[0]); i++)
		if (a[i] != b[i])
			return a[i] < b[i] ? -1 : 1;
	return 0;
}

static int compare_now(const void *a, const void *b)
{
	const struct run_now *x = a;
	const struct run_now *y = b;
	const int what = compare_what(x, y);

	return what ? what : (x->rank > y->rank) - (x->rank < y->rank);
}

struct group {
	const struct run_now *first;
	size_t n;
	uint64_t since; /* of the one that is longest in its call */
};

static size_t find_groups(const struct run_now *sorted, size_t n,
			  struct group *groups)
{
	size_t found = 0;

	for (size_t i = 0; i < n; i++) {
		struct group *group;

		if (i == 0 || compare_what(&sorted[i - 1], &sorted[i]) != 0)
			groups[found++] = (struct group){ .first = &sorted[i] };
		group = &groups[found - 1];
		group->n++;
		if (sorted[i].since > group->since)
			group->since = sorted[i].since;
	}
	return found;
}

static int compare_groups(const void *a, const void *b)
{
	const struct group *x = a;
	const struct group *y = b;

	if (x->since != y->since)
		return x->since < y->since ? 1 : -1;
	return (x->first->rank > y->first->rank) -
	       (x->first->rank < y->first->rank);
}

/*
 * "; not in it: rank 1", of a collective call.  A nonblocking collective may
 * have been called by a rank that does not wait for it.
 */
static char *absent_text(const struct run *run, const struct run_now *now)
{
	uint64_t *absent = mem_alloc(run->n_members, sizeof(*absent));
	const size_t n = report_now_absent(run, now, absent);
	char *ranks;
	char *text;

	if (n > 0) {
		ranks = report_ranks(absent, n);
		text = mem_print("; %s: %s",
				 report_now_is_coll(run, now)
					 ? "not waiting for it"
					 : "not in it",
				 ranks);
		free(ranks);
	} else {
		text = mem_text("");
	}
	free(absent);
	return text;
}

static void add_group(struct report *report, struct table *table,
		      const struct group *group)
{
	char *text = report_now_text(report, group->first, group->n);
	char *absent = absent_text(report->run, group->first);

	report_note(table, mem_print("%s%s", text, absent));
	free(absent);
	free(text);
}

/* Ranks that do the same, or compute. */
struct crowd {
	size_t n;
	size_t most;
	size_t n_lone; /* of one rank, */
	uint64_t lone; /* and the last of these */
};

static void crowd_add(struct crowd *crowd, size_t n, uint64_t first)
{
	crowd->n++;
	if (n > crowd->most)
		crowd->most = n;
	if (n > 1)
		return;
	crowd->n_lone++;
	crowd->lone = first;
}

/* If all ranks but one do the same, names that one. */
static void add_odd(struct table *table, const struct crowd *crowd)
{
	if (crowd->n == 2 && crowd->n_lone == 1 && crowd->most > 1)
		report_note(table, mem_print("rank %" PRIu64 " is the odd one",
					     crowd->lone));
}

static void add_groups(struct report *report, struct table *table,
		       const struct run_now *sorted, struct crowd *crowd)
{
	struct group *groups = mem_alloc(report->run->n_now, sizeof(*groups));
	const size_t n = find_groups(sorted, report->run->n_now, groups);

	qsort(groups, n, sizeof(*groups), compare_groups);
	for (size_t i = 0; i < n; i++) {
		add_group(report, table, &groups[i]);
		crowd_add(crowd, groups[i].n, groups[i].first->rank);
	}
	free(groups);
}

static bool is_in_call(const struct run *run, uint64_t rank)
{
	for (size_t i = 0; i < run->n_now; i++)
		if (run->now[i].rank == rank)
			return true;
	return false;
}

/* Ranks that were computing when they were asked. */
static void add_outside(struct report *report, struct table *table,
			struct crowd *crowd)
{
	const struct run *run = report->run;
	uint64_t *ranks = mem_alloc(run->n_ranks, sizeof(*ranks));
	char *text;
	size_t n = 0;

	for (size_t i = 0; i < run->n_ranks; i++)
		if (run->ranks[i].whole &&
		    run_rank_was_asked(run, &run->ranks[i]) &&
		    !is_in_call(run, run->ranks[i].rank))
			ranks[n++] = run->ranks[i].rank;
	if (n > 0) {
		text = report_ranks(ranks, n);
		report_note(table, mem_print("%s %s in no call of MPI", text,
					     n > 1 ? "are" : "is"));
		free(text);
		crowd_add(crowd, n, ranks[0]);
	}
	free(ranks);
}

static void now_for_people(struct report *report)
{
	const struct run *run = report->run;
	struct table *table = report_table(report, "now", "Calls under way",
					   sentence,
					   TABLE_PEOPLE | TABLE_PLAIN);
	struct run_now *sorted = mem_alloc(run->n_now, sizeof(*sorted));
	struct crowd crowd = { .n = 0 };

	memcpy(sorted, run->now, run->n_now * sizeof(*sorted));
	qsort(sorted, run->n_now, sizeof(*sorted), compare_now);
	add_groups(report, table, sorted, &crowd);
	add_outside(report, table, &crowd);
	add_odd(table, &crowd);
	report_now_graph(report, table);
	free(sorted);
	table->alarm = true;
	table_cut(table, report->options->top);
}

void report_now(struct report *report)
{
	const struct run *run = report->run;
	struct table *table;

	if (run->n_now > 0 || report->options->asked)
		now_for_people(report);
	table = report_table(report, "now", "", columns, TABLE_MACHINE);
	for (size_t i = 0; i < run->n_now; i++)
		put_now(report, table, &run->now[i]);
}
