/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Takes the times of operations from a record.  A record holds no single calls.
 * It holds sums, the least and the greatest of each cell: the calls of a
 * primitive from one path in one phase.  Only cells whose calls had one size
 * are of use, and only times that belong to the operation alone.
 *
 * Nobody leaves a barrier or all-to-all before all have come.  The last to come
 * waits for nobody, so the least time is that of the operation.  A send that
 * waits for its receiver is shortest where the receiver was there already.  A
 * read or write waits for nobody, so its mean is used.
 *
 * Other calls tell nothing.  A small send is only buffered, and a receive takes
 * as long as its sender is late.  Some leave a broadcast, scatter or gather
 * before others come, so that no process's time is that of the operation.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyzer/base/mem.h"
#include "analyzer/base/say.h"
#include "analyzer/model/model_record.h"
#include "analyzer/run/run_files.h"
#include "mds/record/record.h"

#define EAGER 131072 /* up to here a send may end without a receiver */
#define US    1e-3

static const struct source {
	const char *call;
	enum formula_operation operation;
	uint64_t above; /* bytes */
} sources[] = {
	{ "MPI_Send", FORMULA_P2P, EAGER },
	{ "MPI_Ssend", FORMULA_P2P, 0 },
	{ "MPI_Barrier", FORMULA_BARRIER, 0 },
	{ "MPI_Alltoall", FORMULA_ALLTOALL, 0 },
	{ "MPI_File_read", FORMULA_READ, 0 },
	{ "MPI_File_read_at", FORMULA_READ, 0 },
	{ "MPI_File_write", FORMULA_WRITE, 0 },
	{ "MPI_File_write_at", FORMULA_WRITE, 0 },
};

/* A point as it comes about. */
struct sum {
	struct point point;
	uint64_t least; /* ns */
	double time;
	double count;
};

struct taking {
	struct sum *sums;
	size_t n;
	size_t room;
	uint64_t size; /* of the world that is being read */
	bool one_size; /* of all communicators, there */
	bool alike;    /* all messages are within a node, or between nodes */
	size_t mixed;  /* cells of several sizes */
	size_t communicators; /* cells left out for one_size, and for alike */
	size_t nodes;
};

enum { CALL, COUNT, TIME, MIN, MIN_BYTES, MAX_BYTES, COLUMNS };

static const char *const names[COLUMNS] = {
	"call", "count", "time_ns", "min_ns", "min_bytes", "max_bytes"
};

static const struct source *source_of(const char *call)
{
	for (size_t i = 0; i < sizeof(sources) / sizeof(sources[0]); i++)
		if (strcmp(sources[i].call, call) == 0)
			return &sources[i];
	return NULL;
}

static struct sum *sum_at(struct taking *taking, const struct point *point)
{
	struct sum *sum;

	for (size_t i = 0; i < taking->n; i++) {
		sum = &taking->sums[i];
		if (sum->point.operation == point->operation &&
		    sum->point.input.bytes == point->input.bytes &&
		    sum->point.input.processes == point->input.processes)
			return sum;
	}
	taking->sums = mem_grow(taking->sums, &taking->room, taking->n,
				sizeof(*taking->sums));
	sum = &taking->sums[taking->n++];
	*sum = (struct sum){ .point = *point, .least = UINT64_MAX };
	return sum;
}

/* Whether the times of a cell are those of its operation. */
static bool is_of_use(struct taking *taking, const struct source *source,
		      uint64_t least_bytes, uint64_t most_bytes)
{
	const unsigned given = formulas[source->operation].given;

	if (least_bytes != most_bytes) {
		taking->mixed++;
		return false;
	}
	if (given & FORMULA_PROCESSES && !taking->one_size) {
		taking->communicators++;
		return false;
	}
	if (source->operation == FORMULA_P2P && !taking->alike) {
		taking->nodes++;
		return false;
	}
	return source->operation == FORMULA_BARRIER ||
	       (most_bytes > source->above &&
		(taking->size > 1 || !(given & FORMULA_PROCESSES)));
}

static void take_cell(struct taking *taking, const struct record_table *t,
		      size_t row, const int *at)
{
	const struct source *source = source_of(record_str(t, row, at[CALL]));
	const uint64_t bytes = record_u64(t, row, at[MAX_BYTES]);
	const uint64_t count = record_u64(t, row, at[COUNT]);
	const uint64_t least = record_u64(t, row, at[MIN]);
	struct point point = { .input.bytes = (double)bytes };
	struct sum *sum;

	if (!source || count == 0 ||
	    !is_of_use(taking, source, record_u64(t, row, at[MIN_BYTES]),
		       bytes))
		return;
	point.operation = source->operation;
	if (formulas[point.operation].given & FORMULA_PROCESSES)
		point.input.processes = (double)taking->size;
	if (point.operation == FORMULA_ALLTOALL)
		point.input.bytes /= (double)taking->size;
	sum = sum_at(taking, &point);
	sum->least = least < sum->least ? least : sum->least;
	sum->time += (double)record_u64(t, row, at[TIME]);
	sum->count += (double)count;
}

static uint64_t process_value(const struct record *record, const char *key)
{
	const struct record_table *t = record_table(record, "process");
	const int keys = record_column(t, "key");

	for (size_t row = 0; row < record_rows(t); row++)
		if (strcmp(record_str(t, row, keys), key) == 0)
			return record_u64(t, row, record_column(t, "value"));
	return 0;
}

/* Cells do not tell their communicator. */
static bool communicators_alike(const struct record *record, uint64_t size)
{
	const struct record_table *t = record_table(record, "communicators");
	const int sizes = record_column(t, "size");
	const int calls = record_column(t, "calls");

	for (size_t row = 0; row < record_rows(t); row++)
		if (record_u64(t, row, calls) &&
		    record_u64(t, row, sizes) != size)
			return false;
	return size > 0 && t;
}

static void take_file(struct taking *taking, const struct record *record)
{
	const struct record_table *t = record_table(record, "cells");
	const uint64_t local = process_value(record, "local_ranks");
	int at[COLUMNS];

	taking->size = process_value(record, "size");
	taking->one_size = communicators_alike(record, taking->size);
	taking->alike = local == 1 || local == taking->size;
	for (int i = 0; i < COLUMNS; i++)
		at[i] = record_column(t, names[i]);
	for (size_t row = 0; row < record_rows(t); row++)
		take_cell(taking, t, row, at);
}

static int take_path(struct taking *taking, const char *path,
		     enum reading_from from)
{
	struct record *record;
	char why[512];
	int rc = record_open(&record, path, from, why, sizeof(why));

	if (rc != 0) {
		say_error("%s", why);
		return 2;
	}
	if (*why)
		say_warning("%s", why);
	take_file(taking, record);
	record_free(record);
	return 0;
}

static int add_sums(struct points *points, struct taking *taking)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < taking->n; i++) {
		struct sum *sum = &taking->sums[i];
		const bool mean = sum->point.operation == FORMULA_READ ||
				  sum->point.operation == FORMULA_WRITE;

		sum->point.value = US * (mean ? sum->time / sum->count
					      : (double)sum->least);
		if (sum->point.value > 0)
			rc = points_add(points, &sum->point);
	}
	if (rc != 0)
		say_error("there is no memory left");
	return rc ? 2 : 0;
}

static void tell(const struct taking *taking, const char *path)
{
	if (taking->mixed)
		say_warning("%s: places whose calls had several sizes, left "
			    "out: %zu",
			    path, taking->mixed);
	if (taking->communicators)
		say_warning("%s: communicators had several sizes: collectives "
			    "are left out",
			    path);
	if (taking->nodes)
		say_warning("%s: some messages went within a node, some "
			    "between nodes: p2p is left out",
			    path);
}

bool model_record_is(const char *path)
{
	unsigned char magic[2] = { 0 };
	struct stat st;
	int fd;

	if (strcmp(path, "-") == 0 || stat(path, &st) != 0)
		return false;
	if (S_ISDIR(st.st_mode))
		return true;
	fd = reading_open(path, READING_SETTING);
	if (fd < 0)
		return false;
	if (read(fd, magic, 2) != 2)
		magic[0] = 0;
	close(fd);
	return magic[0] == 0x1f && magic[1] == 0x8b;
}

int model_record_read(struct points *points, const char *path)
{
	const struct run_filter all = { 0 };
	struct run_files files = { 0 };
	const size_t before = points->n;
	struct taking taking = { 0 };
	int status = 0;
	int rc = run_files_list(&files, path, ".gz", &all);

	if (rc != 0 || files.n == 0) {
		say_error("%s: %s", path,
			  rc ? strerror(-rc) : "no file of a record in it");
		status = 2;
	}
	for (size_t i = 0; status == 0 && i < files.n; i++)
		status = take_path(&taking, files.paths[i], files.from);
	if (status == 0)
		tell(&taking, path);
	if (status == 0)
		status = add_sums(points, &taking);
	if (status == 0 && points->n == before) {
		say_error("%s: has no calls whose times are those of an "
			  "operation (see man bcs)",
			  path);
		status = 2;
	}
	free(taking.sums);
	run_files_clear(&files);
	return status;
}
