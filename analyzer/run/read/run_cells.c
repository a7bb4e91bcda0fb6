/* SPDX-License-Identifier: BSD-3-Clause */

/* Reads the table `cells` of a file: calls by call path and phase. */
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/mem.h"
#include "analyzer/run/read/run_read.h"
#include "mds/base/hist.h"
#include "mds/settings/settings.h"

enum {
	CELL,
	CALL,
	PHASE,
	PATH,
	COUNT,
	TIME,
	MIN,
	MAX,
	WAITING,
	SENT,
	RECEIVED,
	MIN_BYTES,
	MAX_BYTES,
	N_COLUMNS
};

static const char *const names[N_COLUMNS] = {
	"cell",           "call",      "phase",     "path",       "count",
	"time_ns",        "min_ns",    "max_ns",    "waiting_ns", "sent_bytes",
	"received_bytes", "min_bytes", "max_bytes",
};

static size_t tally_at(struct tallies *sites, uint64_t call, uint64_t place)
{
	const struct run_site_key key = { .call = call, .place = place };

	return tallies_at(sites, &key, sizeof(key));
}

static uint64_t site_of(const struct run *run, uint64_t path)
{
	return path == INTERN_NONE ? INTERN_NONE : code_site(&run->code, path);
}

/* The number of the tally in run.paths. */
static size_t add_calls(struct run_reading *reading, const char *name,
			uint64_t path, const struct tally *calls)
{
	struct run *run = reading->run;
	const uint64_t rank = reading->rank->rank;
	const size_t known = run_path(reading, path);
	const size_t call = tallies_at(&run->calls, name, strlen(name));
	const size_t by_path = tally_at(&run->paths, call, known);
	const size_t by_site = tally_at(&run->sites, call, site_of(run, known));

	tally_add(&run->calls.list[call], rank, calls);
	tally_add(&run->paths.list[by_path], rank, calls);
	tally_add(&run->sites.list[by_site], rank, calls);
	return by_path;
}

bool run_is_outside(const char *call)
{
	return strcmp(call, "MPI_Init") == 0 ||
	       strcmp(call, "MPI_Init_thread") == 0 ||
	       strcmp(call, "MPI_Finalize") == 0;
}

/* The time of a phase is of the account, too. */
static void add_to_phase(struct run_reading *reading, const char *name,
			 uint64_t phase, const struct tally *calls)
{
	const size_t known = run_map_get(&reading->phases, phase);

	if (known != INTERN_NONE && !run_is_outside(name))
		tally_add(&reading->run->phases[known].calls,
			  reading->rank->rank, calls);
}

static void add_to_rank(struct run_rank *rank, const struct tally *calls)
{
	rank->sent = sat_add(rank->sent, calls->sent);
	rank->received = sat_add(rank->received, calls->received);
}

static bool is_wanted(const struct run_reading *reading, const char *call)
{
	const char *calls = reading->filter->calls;

	return !calls || settings_call_in(calls, call);
}

static struct tally row_tally(const struct record_table *t, size_t row,
			      const int *at)
{
	return (struct tally){
		.count = record_u64(t, row, at[COUNT]),
		.time = record_u64(t, row, at[TIME]),
		.min = record_u64(t, row, at[MIN]),
		.max = record_u64(t, row, at[MAX]),
		.waiting = record_u64(t, row, at[WAITING]),
		.sent = record_u64(t, row, at[SENT]),
		.received = record_u64(t, row, at[RECEIVED]),
		.min_bytes = record_u64(t, row, at[MIN_BYTES]),
		.max_bytes = record_u64(t, row, at[MAX_BYTES]),
	};
}

void run_read_cells(struct run_reading *reading)
{
	const struct record_table *t = record_table(reading->record, "cells");
	int at[N_COLUMNS];

	run_columns(t, names, N_COLUMNS, at);
	for (size_t row = 0; row < record_rows(t); row++) {
		const char *name = record_str(t, row, at[CALL]);
		struct tally calls;

		if (!is_wanted(reading, name))
			continue;
		calls = row_tally(t, row, at);
		run_map_set(&reading->cells, record_u64(t, row, at[CELL]),
			    add_calls(reading, name,
				      record_u64(t, row, at[PATH]), &calls));
		add_to_phase(reading, name, record_u64(t, row, at[PHASE]),
			     &calls);
		add_to_rank(reading->rank, &calls);
	}
}

static void add_bucket(struct run_reading *reading, const char *of,
		       uint64_t index, const struct dist_bucket *b)
{
	struct run *run = reading->run;
	const size_t path = run_map_get(&reading->cells, index);
	struct dist *dist = NULL;

	if (strcmp(of, "computation") == 0)
		dist = &run->computations;
	else if (strcmp(of, "communication") == 0)
		dist = &run->communications;
	else if (path != INTERN_NONE && strcmp(of, "time") == 0)
		dist = &run->paths.list[path].times;
	else if (path != INTERN_NONE && strcmp(of, "size") == 0)
		dist = &run->paths.list[path].sizes;
	if (dist)
		dist_add(dist, b->low, b->high, b->count);
}

/* Records of bcs 0.1 have a row for each bucket. */
static void read_old(struct run_reading *reading)
{
	static const char *const columns[] = { "of", "index", "low", "high",
					       "count" };
	const struct record_table *t = record_table(reading->record,
						    "histogram");
	int at[5];

	run_columns(t, columns, 5, at);
	for (size_t row = 0; row < record_rows(t); row++) {
		const struct dist_bucket b = {
			.low = record_u64(t, row, at[2]),
			.high = record_u64(t, row, at[3]),
			.count = record_u64(t, row, at[4]),
		};

		add_bucket(reading, record_str(t, row, at[0]),
			   record_u64(t, row, at[1]), &b);
	}
}

/*
 * Reads one bucket, "DISTANCE" or "DISTANCE:COUNT"; the distance is from the
 * bucket before it.  Returns the text behind it; NULL: none that can be.
 */
static const char *take_bucket(const char *text, unsigned bits, unsigned *at,
			       uint64_t *count)
{
	const unsigned end = (65 - bits) << bits;
	char *next;
	uint64_t distance;

	if (*text < '0' || *text > '9')
		return NULL;
	distance = strtoull(text, &next, 10);
	if (distance >= end - *at)
		return NULL;
	*at += (unsigned)distance;
	*count = 1;
	if (*next == ':' && next[1] >= '0' && next[1] <= '9')
		*count = strtoull(next + 1, &next, 10);
	return *next == ',' ? next + 1 : *next ? NULL : next;
}

static void add_buckets(struct run_reading *reading, const char *of,
			uint64_t index, const char *text, unsigned bits)
{
	unsigned at = 0;
	uint64_t count;

	while (text && *text) {
		text = take_bucket(text, bits, &at, &count);
		if (!text)
			return;
		add_bucket(reading, of, index,
			   &(struct dist_bucket){ hist_low(at, bits),
						  hist_low(at + 1, bits) - 1,
						  count });
	}
}

void run_read_histograms(struct run_reading *reading)
{
	static const char *const columns[] = { "of", "index", "buckets" };
	const struct record_table *t = record_table(reading->record,
						    "distributions");
	const uint64_t bits = run_process_u64(reading->record, "resolution");
	int at[3];

	read_old(reading);
	if (bits > HIST_BITS_MAX)
		return;
	run_columns(t, columns, 3, at);
	for (size_t row = 0; row < record_rows(t); row++)
		add_buckets(reading, record_str(t, row, at[0]),
			    record_u64(t, row, at[1]),
			    record_str(t, row, at[2]), (unsigned)bits);
}

void run_cells_finish(struct run *run)
{
	for (size_t i = 0; i < run->paths.keys.n; i++) {
		const struct run_site_key *key = intern_key(&run->paths.keys,
							    i);
		const struct tally *path = &run->paths.list[i];
		struct tally *call = &run->calls.list[key->call];
		const size_t at = tally_at(&run->sites, key->call,
					   site_of(run, key->place));
		struct tally *site = &run->sites.list[at];

		dist_merge(&call->times, &path->times);
		dist_merge(&call->sizes, &path->sizes);
		dist_merge(&site->times, &path->times);
		dist_merge(&site->sizes, &path->sizes);
	}
	tallies_close(&run->calls);
	tallies_close(&run->sites);
	tallies_close(&run->paths);
}
