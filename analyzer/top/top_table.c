/* SPDX-License-Identifier: BSD-3-Clause */

/* Puts the picture of a job into tables. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/mem.h"
#include "analyzer/base/units.h"
#include "analyzer/report/report.h"
#include "analyzer/top/top_table.h"

static const struct table_column columns[] = {
	{ "rank", "rank", TABLE_RANK, 0, 0 },
	{ "thread", "thread", TABLE_COUNT, TABLE_WIDE, 0 },
	{ "state", "state", TABLE_TEXT, TABLE_RIGID, 0 },
	{ "call", "call", TABLE_TEXT, 0, 0 },
	{ "since_ns", "for", TABLE_TEXT, TABLE_RIGHT | TABLE_PEOPLE, 0 },
	{ "since_ns", "for", TABLE_TIME, TABLE_MACHINE, 0 },
	{ "mpi_share", "MPI", TABLE_SHARE, 0, 0 },
	{ "calls_per_s", "calls/s", TABLE_COUNT, TABLE_WIDE, 0 },
	{ "bytes_per_s", "bytes/s", TABLE_TEXT, TABLE_RIGHT | TABLE_PEOPLE, 0 },
	{ "bytes_per_s", "bytes/s", TABLE_BYTES, TABLE_MACHINE, 0 },
	{ "waits_for", "waits for", TABLE_TEXT, 0, 0 },
	{ "site", "call site", TABLE_TEXT, TABLE_TAIL, 0 },
	{ 0 },
};

static const char *state_of(const struct top_row *row)
{
	if (row->alive == RUN_STOPPED)
		return "stopped";
	if (row->alive == RUN_UNKNOWN)
		return "elsewhere";
	if (!row->recording)
		return "off";
	return row->in_call ? "in MPI" : "computes";
}

static bool is_collective(const char *call)
{
	static const char *const words[] = {
		"Barrier", "Allreduce", "Allgather", "Alltoall", "Bcast",
		"Reduce",  "Scatter",   "Gather",    "Scan",     "Exscan"
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strncmp(call, "MPI_", 4) == 0 &&
		    strncmp(call + 4, words[i], strlen(words[i])) == 0)
			return true;
	return false;
}

static bool is_in_it(const struct top_picture *picture, uint64_t rank,
		     const struct top_row *row)
{
	for (size_t i = 0; i < picture->n; i++) {
		const struct top_row *other = &picture->rows[i];

		if (other->rank == rank && other->in_call &&
		    other->comm == row->comm &&
		    strcmp(other->call, row->call) == 0)
			return true;
	}
	return false;
}

/* The members of a collective's communicator that are not in it. */
static char *absent_text(const struct top_picture *picture,
			 const struct top_row *row)
{
	uint64_t *absent = mem_alloc(picture->n_members + 1, sizeof(*absent));
	size_t n = 0;
	char *text;

	for (size_t i = 0; i < picture->n_members; i++) {
		const struct top_member *member = &picture->members[i];

		if (member->comm == row->comm &&
		    (n == 0 || absent[n - 1] != member->rank) &&
		    !is_in_it(picture, member->rank, row))
			absent[n++] = member->rank;
	}
	text = n ? report_ranks(absent, n) : mem_text("");
	free(absent);
	return text;
}

static char *waits_text(const struct top_picture *picture,
			const struct top_row *row)
{
	char *absent;

	if (!row->in_call || !row->comm || !is_collective(row->call))
		return mem_text(row->waits_for);
	absent = absent_text(picture, row);
	if (*absent)
		return absent;
	free(absent);
	return mem_text(row->waits_for);
}

static void put_row(struct table *table, const struct top_picture *picture,
		    const struct top_row *row)
{
	char *waits = waits_text(picture, row);

	table_row(table, 0);
	table_number(table, row->rank);
	table_number(table, row->thread);
	table_words(table, state_of(row));
	table_words(table, row->in_call ? row->call : "");
	table_words(table, row->in_call ? units_time_text(row->since) : "");
	table_number_if(table, row->in_call, row->since);
	table_real(table, row->share);
	table_number(table, (uint64_t)row->calls);
	table_words(table, units_bytes_text((uint64_t)row->bytes));
	table_number(table, (uint64_t)row->bytes);
	table_words(table, waits);
	table_words(table, row->in_call ? row->site : "");
	free(waits);
}

struct table *top_table_rows(const struct top_picture *picture, bool machine)
{
	struct table *table = table_new("ranks", "Ranks", columns,
					machine ? TABLE_MACHINE : TABLE_PEOPLE);

	for (size_t i = 0; i < picture->n; i++)
		put_row(table, picture, &picture->rows[i]);
	return table;
}

static void count_states(const struct top_picture *picture, size_t *in_mpi,
			 size_t *computing)
{
	*in_mpi = 0;
	*computing = 0;
	for (size_t i = 0; i < picture->n; i++) {
		*in_mpi += picture->rows[i].in_call;
		*computing += !picture->rows[i].in_call;
	}
}

static char *rates_text(const struct top_picture *picture)
{
	double calls = 0;
	double bytes = 0;
	double share = 0;

	for (size_t i = 0; i < picture->n; i++) {
		calls += picture->rows[i].calls;
		bytes += picture->rows[i].bytes;
		share += picture->rows[i].share;
	}
	return mem_print("%.1f %% in MPI, %.0f calls/s, %s/s",
			 picture->n ? share / (double)picture->n : 0, calls,
			 units_bytes_text((uint64_t)bytes));
}

struct table *top_table_head(const struct top_picture *picture)
{
	struct table *table = table_new("job", "Job", table_line_columns,
					TABLE_PEOPLE | TABLE_PLAIN);
	size_t in_mpi;
	size_t computing;

	count_states(picture, &in_mpi, &computing);
	table_line(table, "Program",
		   mem_print("%s, %zu of %" PRIu64 " ranks, mode %s, for %s",
			     picture->program, picture->n_living,
			     picture->size ? picture->size : picture->n_living,
			     picture->mode, units_time_text(picture->wall)));
	table_line(table, "Threads",
		   mem_print("%zu in MPI, %zu outside", in_mpi, computing));
	table_line(table, "Rates", rates_text(picture));
	return table;
}
