/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * synth_record DIR RANKS [CELLS]: writes the record of a run that never was,
 * with a file for each of RANKS processes.  The kind of a call site depends on
 * the site alone, its counts and times on the rank, too.  The sums agree, and
 * the same arguments make the same bytes.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mds/base/hist.h"
#include "mds/record/record.h"

#define BITS      3
#define BUCKETS   10 /* of the time of a cell, at most */
#define DEPTH     6
#define WALL_NS   UINT64_C(3600000000000)
#define NODE_SIZE 64

struct kind {
	const char *call;
	bool sends;
	bool receives;
};

static const struct kind kinds[] = {
	{ "MPI_Isend", true, false },      { "MPI_Irecv", false, true },
	{ "MPI_Waitall", false, false },   { "MPI_Allreduce", true, true },
	{ "MPI_Send", true, false },       { "MPI_Recv", false, true },
	{ "MPI_Bcast", true, true },       { "MPI_Barrier", false, false },
	{ "MPI_Alltoallv", true, true },   { "MPI_Comm_rank", false, false },
	{ "MPI_Type_size", false, false },
};

static const char *const phases[] = { "", "solve", "write output" };

struct cell {
	const struct kind *kind;
	unsigned phase;
	unsigned bucket; /* the first one of its times */
	unsigned n_buckets;
	uint64_t counts[BUCKETS];
	uint64_t count;
	uint64_t time_ns;
	uint64_t bytes; /* of each call */
};

/* A rank's totals over its cells. */
struct total {
	uint64_t calls;
	uint64_t time_ns;
	uint64_t sent_bytes;
	uint64_t received_bytes;
};

/* splitmix64: good enough for plausible numbers, the same everywhere. */
static uint64_t mix(uint64_t a, uint64_t b)
{
	uint64_t x = a * UINT64_C(0x9e3779b97f4a7c15) + b + 1;

	x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
	return x ^ (x >> 31);
}

static void make_cell(struct cell *cell, uint64_t rank, uint64_t site)
{
	const uint64_t seed = mix(site, 7);

	*cell = (struct cell){
		.kind = &kinds[seed % (sizeof(kinds) / sizeof(kinds[0]))],
		.phase = seed >> 8 & 1 ? 1 : (unsigned)(seed >> 9) % 3,
		.bucket = hist_bucket(UINT64_C(200) << (seed >> 16) % 12, BITS),
		.n_buckets = 3 + (unsigned)(seed >> 24) % (BUCKETS - 2),
	};
	if (cell->kind->sends || cell->kind->receives)
		cell->bytes = UINT64_C(8) << (seed >> 32) % 18;
	for (unsigned i = 0; i < cell->n_buckets; i++) {
		cell->counts[i] = 1 + mix(seed + i, rank) % (4096 >> i);
		cell->count += cell->counts[i];
		cell->time_ns += cell->counts[i] *
				 hist_low(cell->bucket + i, BITS);
	}
}

static uint64_t sent_by(const struct cell *cell)
{
	return cell->kind->sends ? cell->count * cell->bytes : 0;
}

static uint64_t received_by(const struct cell *cell)
{
	return cell->kind->receives ? cell->count * cell->bytes : 0;
}

static struct total add_up(uint64_t rank, uint64_t cells)
{
	struct total total = { 0 };
	struct cell cell;

	for (uint64_t i = 0; i < cells; i++) {
		make_cell(&cell, rank, i);
		total.calls += cell.count;
		total.time_ns += cell.time_ns;
		total.sent_bytes += sent_by(&cell);
		total.received_bytes += received_by(&cell);
	}
	return total;
}

/* A row of numbers; those of texts are put by hand. */
static void put_row(struct record_writer *w, const uint64_t *values, size_t n)
{
	for (size_t i = 0; i < n; i++)
		record_put_u64(w, values[i]);
	record_row_end(w);
}

#define PUT_ROW(w, ...)                               \
	put_row(w, (const uint64_t[]){ __VA_ARGS__ }, \
		sizeof((const uint64_t[]){ __VA_ARGS__ }) / sizeof(uint64_t))

static void put_value(struct record_writer *w, const char *key, uint64_t value)
{
	record_put_str(w, key);
	PUT_ROW(w, value);
}

static void put_text(struct record_writer *w, const char *key, const char *text)
{
	record_put_str(w, key);
	record_put_str(w, text);
	record_row_end(w);
}

static void put_process(struct record_writer *w, uint64_t rank, uint64_t size)
{
	char host[32];

	snprintf(host, sizeof(host), "node%04" PRIu64, rank / NODE_SIZE);
	record_table_begin(w, "process", 1, "key value");
	put_value(w, "rank", rank);
	put_value(w, "size", size);
	put_text(w, "program", "ocean");
	put_text(w, "arguments", "ocean -n 512 --input \"north sea.nc\"");
	put_text(w, "host", host);
	put_value(w, "pid", 1000 + rank % NODE_SIZE);
	put_text(w, "mpi", "MPICH Version:\t4.0.2");
	put_value(w, "start_ns", UINT64_C(1700000000000000000) + rank * 1000);
	put_value(w, "wall_ns", WALL_NS);
	put_text(w, "clock", "tsc");
	put_value(w, "clock_hz", UINT64_C(2500000000));
	put_text(w, "mode", "observe");
	put_text(w, "thread_level", "single");
	put_text(w, "reason", "finalize");
	put_value(w, "call_depth", 8);
	put_value(w, "resolution", BITS);
	put_value(w, "local_ranks", NODE_SIZE);
	put_value(w, "cores", NODE_SIZE * 1000);
	put_text(w, "polite", "off");
	put_value(w, "yields", 0);
	put_value(w, "sleeps", 0);
	put_value(w, "given_up_ns", 0);
	put_value(w, "dropped_calls", 0);
	put_value(w, "overhead_ns", mix(rank, 1) % 100000000);
	put_value(w, "memory_bytes", 1 << 20);
	record_table_end(w);
}

static void put_threads(struct record_writer *w, const struct total *total)
{
	record_table_begin(w, "threads", 1,
			   "thread computation_ns communication_ns waiting_ns "
			   "yielded_ns off_ns calls");
	PUT_ROW(w, 0, WALL_NS - total->time_ns, total->time_ns,
		total->time_ns / 3, 0, 0, total->calls);
	record_table_end(w);
}

static void put_cells(struct record_writer *w, uint64_t rank, uint64_t cells)
{
	struct cell c;

	record_table_begin(
		w, "cells", 1,
		"cell thread call phase path count time_ns min_ns max_ns "
		"waiting_ns sent_bytes received_bytes min_bytes "
		"max_bytes");
	for (uint64_t i = 0; i < cells; i++) {
		make_cell(&c, rank, i);
		record_put_u64(w, i);
		record_put_u64(w, 0);
		record_put_str(w, c.kind->call);
		PUT_ROW(w, c.phase, i + 1, c.count, c.time_ns,
			hist_low(c.bucket, BITS),
			hist_low(c.bucket + c.n_buckets, BITS) - 1,
			c.time_ns / 3, sent_by(&c), received_by(&c), c.bytes,
			c.bytes);
	}
	record_table_end(w);
}

static void put_bucket(struct record_writer *w, const char *of, uint64_t index,
		       unsigned bucket, uint64_t count)
{
	record_put_str(w, of);
	PUT_ROW(w, index, hist_low(bucket, BITS),
		hist_low(bucket + 1, BITS) - 1, count);
}

static void put_histogram(struct record_writer *w, uint64_t rank,
			  uint64_t cells)
{
	struct cell c;

	record_table_begin(w, "histogram", 1, "of index low high count");
	for (uint64_t i = 0; i < cells; i++) {
		make_cell(&c, rank, i);
		for (unsigned b = 0; b < c.n_buckets; b++)
			put_bucket(w, "time", i, c.bucket + b, c.counts[b]);
		put_bucket(w, "size", i, hist_bucket(c.bytes, BITS), c.count);
	}
	for (unsigned b = 0; b < 60; b++) {
		put_bucket(w, "computation", 0, 60 + b,
			   1 + mix(rank, b) % 5000);
		put_bucket(w, "communication", 0, 60 + b,
			   1 + mix(rank, 100 + b) % 5000);
	}
	record_table_end(w);
}

static void put_phases(struct record_writer *w)
{
	record_table_begin(w, "phases", 1, "phase name count time_ns");
	for (unsigned i = 0; i < 3; i++) {
		record_put_u64(w, i);
		record_put_str(w, phases[i]);
		PUT_ROW(w, 1, WALL_NS / 3);
	}
	record_table_end(w);
}

static void put_paths(struct record_writer *w, uint64_t cells)
{
	record_table_begin(w, "paths", 1, "path level module offset_hex");
	for (uint64_t i = 0; i < cells; i++) {
		for (unsigned level = 0; level < DEPTH; level++) {
			/* The further out, the fewer different callers. */
			record_put_u64(w, i + 1);
			record_put_u64(w, level);
			record_put_u64(w, level == DEPTH - 1);
			record_put_hex(
				w, 0x1000 + (mix(i >> level, level) & 0xfffff));
			record_row_end(w);
		}
	}
	record_table_end(w);
}

static void put_modules(struct record_writer *w)
{
	record_table_begin(w, "modules", 1, "module file build_id");
	record_put_u64(w, 0);
	record_put_str(w, "/opt/ocean/bin/ocean");
	record_put_str(w, "0123456789abcdef0123456789abcdef01234567");
	record_row_end(w);
	record_put_u64(w, 1);
	record_put_str(w, "/lib/x86_64-linux-gnu/libc.so.6");
	record_put_str(w, "");
	record_row_end(w);
	record_table_end(w);
}

static void put_communicators(struct record_writer *w, uint64_t rank,
			      uint64_t size, const struct total *total)
{
	record_table_begin(
		w, "communicators", 1,
		"communicator id_hex name size rank uses calls time_ns "
		"sent_bytes received_bytes");
	record_put_u64(w, 0);
	record_put_hex(w, mix(size, 0));
	record_put_str(w, "MPI_COMM_WORLD");
	PUT_ROW(w, size, rank, 1, total->calls, total->time_ns,
		total->sent_bytes, total->received_bytes);
	record_table_end(w);
}

/* Messages from one rank to another: both sides ask here. */
static uint64_t messages(uint64_t from, uint64_t to)
{
	return 1000 + mix(from, to) % 1000;
}

static void put_peer(struct record_writer *w, uint64_t rank, uint64_t peer)
{
	PUT_ROW(w, 0, peer, messages(rank, peer), messages(rank, peer) * 4096,
		messages(peer, rank), messages(peer, rank) * 4096,
		(messages(rank, peer) + messages(peer, rank)) * 3000);
}

/* Neighbours at distances of powers of two, as in a recursive doubling. */
static void put_peers(struct record_writer *w, uint64_t rank, uint64_t size)
{
	record_table_begin(w, "peers", 1,
			   "communicator peer sends sent_bytes receives "
			   "received_bytes time_ns");
	for (uint64_t bit = 1; bit < size; bit <<= 1)
		if ((rank ^ bit) < size)
			put_peer(w, rank, rank ^ bit);
	record_table_end(w);
}

static int write_rank(const char *dir, uint64_t rank, uint64_t size,
		      uint64_t cells)
{
	const struct total total = add_up(rank, cells);
	struct record_writer *w;
	char name[64];
	int rc;

	snprintf(name, sizeof(name), "rank-%06" PRIu64 ".gz", rank);
	rc = record_create(&w, dir, name);
	if (rc < 0)
		return rc;
	put_process(w, rank, size);
	put_threads(w, &total);
	put_cells(w, rank, cells);
	put_histogram(w, rank, cells);
	put_phases(w);
	put_paths(w, cells);
	put_modules(w);
	put_communicators(w, rank, size, &total);
	put_peers(w, rank, size);
	return record_close(w);
}

static bool parse_count(const char *text, uint64_t max, uint64_t *count)
{
	char *end;

	errno = 0;
	*count = strtoull(text, &end, 10);
	return *text >= '0' && *text <= '9' && !errno && !*end && *count <= max;
}

int main(int argc, char **argv)
{
	uint64_t cells = 100;
	uint64_t size = 0;
	int rc;

	if (argc < 3 || argc > 4 || !parse_count(argv[2], 1000000, &size) ||
	    (argc == 4 && !parse_count(argv[3], 10000, &cells))) {
		fprintf(stderr, "usage: synth_record DIR RANKS [CELLS]\n");
		return 2;
	}
	for (uint64_t rank = 0; rank < size; rank++) {
		rc = write_rank(argv[1], rank, size, cells);
		if (rc < 0) {
			fprintf(stderr,
				"synth_record: %s, rank %" PRIu64 ": %s\n",
				argv[1], rank, strerror(-rc));
			return 1;
		}
	}
	return 0;
}
