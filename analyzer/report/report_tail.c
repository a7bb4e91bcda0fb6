/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The last calls of processes that did not end with MPI_Finalize, from their
 * flight recorders.
 */
#include <stdlib.h>

#include "analyzer/base/mem.h"
#include "analyzer/report/report.h"

#define SHOWN 10 /* calls of a thread, for people */

static const struct table_column columns[] = {
	{ "rank", "rank", TABLE_RANK, 0, 0 },
	{ "thread", "thread", TABLE_COUNT, TABLE_WIDE, 0 },
	{ "since_ns", "ago", TABLE_TIME, 0, 0 },
	{ "call", "call", TABLE_TEXT, TABLE_RIGID, 0 },
	{ "took_ns", "took", TABLE_TIME, 0, 0 },
	{ "peer", "peer", TABLE_TEXT, 0, 0 },
	{ "tag", "tag", TABLE_TEXT, 0, 0 },
	{ "bytes", "bytes", TABLE_BYTES, 0, 0 },
	{ "communicator", "communicator", TABLE_TEXT, TABLE_WIDE, 0 },
	{ "site", "call site", TABLE_TEXT, TABLE_TAIL, 0 },
	{ 0 },
};

static const char *comm_name(const struct run *run, const struct run_tail *tail)
{
	return tail->comm == INTERN_NONE ? "" : run->comms[tail->comm].name;
}

static void put_tail(struct report *report, struct table *table,
		     const struct run_tail *tail)
{
	const struct run *run = report->run;
	char *site = report_place(report, tail->place);

	table_row(table, 0);
	table_number(table, tail->rank);
	table_number(table, tail->thread);
	table_number(table, tail->since);
	table_words(table, report_word(run, tail->call));
	table_number_if(table, tail->left, tail->took);
	table_words(table, report_word(run, tail->peer));
	table_words(table, report_word(run, tail->tag));
	table_number_if(table, tail->bytes > 0, tail->bytes);
	table_words(table, comm_name(run, tail));
	table_words(table, site);
	free(site);
}

static bool is_same_thread(const struct run_tail *a, const struct run_tail *b)
{
	return a->rank == b->rank && a->thread == b->thread;
}

/* Where the calls of the thread end that begin at `from`. */
static size_t thread_end(const struct run *run, size_t from)
{
	size_t to = from + 1;

	while (to < run->n_tails &&
	       is_same_thread(&run->tails[from], &run->tails[to]))
		to++;
	return to;
}

/* As many threads as a table has rows. */
static void tail_for_people(struct report *report)
{
	const struct run *run = report->run;
	const size_t top = report->options->top;
	struct table *table = report_table(report, "tail", "Last calls",
					   columns, TABLE_PEOPLE);
	size_t threads = 0;
	size_t end;

	for (size_t i = 0; i < run->n_tails; i = end) {
		end = thread_end(run, i);
		if (top && threads++ == top) {
			table->more = run->n_tails - i;
			break;
		}
		if (end - i > SHOWN)
			i = end - SHOWN;
		for (; i < end; i++)
			put_tail(report, table, &run->tails[i]);
	}
	table->remark = mem_text("The last ones of each process that did not "
				 "end with MPI_Finalize.  A call without a "
				 "time had not ended.");
}

void report_tail(struct report *report)
{
	const struct run *run = report->run;
	struct table *table;

	if (run->n_tails == 0)
		return;
	tail_for_people(report);
	table = report_table(report, "tail", "", columns, TABLE_MACHINE);
	for (size_t i = 0; i < run->n_tails; i++)
		put_tail(report, table, &run->tails[i]);
}
