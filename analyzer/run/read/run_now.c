/* SPDX-License-Identifier: BSD-3-Clause */

/* Reads the calls that were under way when a file was written, and the last
 * ones before. */
#include "analyzer/base/mem.h"
#include "analyzer/run/read/run_read.h"

enum {
	THREAD,
	CALL,
	PATH,
	SINCE,
	WAITS_FOR,
	PEER,
	TAG,
	COMM,
	TOOK,
	LEFT,
	BYTES,
	BEGUN,
	N_COLUMNS
};

static const char *const names[N_COLUMNS] = {
	"thread", "call",         "path",    "since_ns", "waits_for", "peer",
	"tag",    "communicator", "took_ns", "left",     "bytes",     "begun",
};

static struct run_now *add_now(struct run *run)
{
	run->now = mem_grow(run->now, &run->now_room, run->n_now,
			    sizeof(*run->now));
	return &run->now[run->n_now++];
}

static size_t place_at(struct run_reading *reading,
		       const struct record_table *t, size_t row, int column)
{
	const size_t path = run_path(reading, record_u64(t, row, column));

	return path == INTERN_NONE ? INTERN_NONE
				   : code_site(&reading->run->code, path);
}

static void read_row(struct run_reading *reading, const struct record_table *t,
		     size_t row, const int *at)
{
	struct run *run = reading->run;

	*add_now(run) = (struct run_now){
		.rank = reading->rank->rank,
		.thread = record_u64(t, row, at[THREAD]),
		.call = run_word_at(run, t, row, at[CALL]),
		.place = place_at(reading, t, row, at[PATH]),
		.since = record_u64(t, row, at[SINCE]),
		.waits_for = run_word_at(run, t, row, at[WAITS_FOR]),
		.peer = run_word_at(run, t, row, at[PEER]),
		.tag = run_word_at(run, t, row, at[TAG]),
		.comm = run_comm_at(reading, t, row, at[COMM]),
		.begun = place_at(reading, t, row, at[BEGUN]),
	};
}

void run_read_now(struct run_reading *reading)
{
	const struct record_table *t = record_table(reading->record, "now");
	int at[N_COLUMNS];

	run_columns(t, names, N_COLUMNS, at);
	for (size_t row = 0; row < record_rows(t); row++)
		read_row(reading, t, row, at);
}

void run_forget_now(struct run *run, uint64_t rank)
{
	size_t n = 0;

	for (size_t i = 0; i < run->n_now; i++)
		if (run->now[i].rank != rank)
			run->now[n++] = run->now[i];
	run->n_now = n;
}

static void read_tail(struct run_reading *reading, const struct record_table *t,
		      size_t row, const int *at)
{
	struct run *run = reading->run;

	run->tails = mem_grow(run->tails, &run->tails_room, run->n_tails,
			      sizeof(*run->tails));
	run->tails[run->n_tails++] = (struct run_tail){
		.rank = reading->rank->rank,
		.thread = record_u64(t, row, at[THREAD]),
		.call = run_word_at(run, t, row, at[CALL]),
		.place = place_at(reading, t, row, at[PATH]),
		.since = record_u64(t, row, at[SINCE]),
		.took = record_u64(t, row, at[TOOK]),
		.left = record_u64(t, row, at[LEFT]) != 0,
		.bytes = record_u64(t, row, at[BYTES]),
		.peer = run_word_at(run, t, row, at[PEER]),
		.tag = run_word_at(run, t, row, at[TAG]),
		.comm = run_comm_at(reading, t, row, at[COMM]),
	};
}

void run_read_tail(struct run_reading *reading)
{
	const struct record_table *t = record_table(reading->record, "tail");
	int at[N_COLUMNS];

	run_columns(t, names, N_COLUMNS, at);
	for (size_t row = 0; row < record_rows(t); row++)
		read_tail(reading, t, row, at);
}
