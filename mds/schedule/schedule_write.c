/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Writes a schedule. Three rows grow in memory: names of calls, outcomes, and
 * sources. When one is full, or a second has passed, each becomes a section of
 * the file. Equal outcomes in a row, as of a test that says no, are counted.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mds/base/clock.h"
#include "mds/record/record.h"
#include "mds/record/record_pack.h"
#include "mds/schedule/schedule.h"

#define LEVEL     1 /* of zlib; the next ones take twice the time */
#define ROOM      (1u << 16)
#define NUMBER    10   /* bytes of the longest number */
#define TEXT      1024 /* of a longer text */
#define FLUSH_NS  1000000000
#define LOOKS     64 /* outcomes between two looks at the clock */
#define CODE_MORE 0  /* the last outcome came so many times more */

struct row {
	const char *name;
	size_t used;
	unsigned char bytes[ROOM];
};

struct schedule_writer {
	struct record_pack pack;
	volatile bool busy; /* between signal handler and thread */
	bool has_last;
	uint64_t last_code;
	uint64_t last_value;
	uint64_t repeats;
	unsigned looks;
	uint64_t flushed; /* when, in ticks */
	struct row calls;
	struct row outcomes;
	struct row sources;
	struct row slices;
	uint64_t last_slice;
};

static void row_write(struct schedule_writer *writer, struct row *row)
{
	if (row->used)
		section_write(&writer->pack, row->name, row->bytes, row->used);
	row->used = 0;
}

/* Names come first, since the other rows refer to them. */
static void rows_write(struct schedule_writer *writer)
{
	row_write(writer, &writer->calls);
	row_write(writer, &writer->outcomes);
	row_write(writer, &writer->sources);
	row_write(writer, &writer->slices);
	record_pack_flush(&writer->pack);
	writer->flushed = clock_ticks();
}

/* A row may go on in the next section within an outcome. */
static void room_make(struct schedule_writer *writer, struct row *row, size_t n)
{
	if (ROOM - row->used < n)
		rows_write(writer);
}

/* Writes seven bits a byte, the lowest first. */
static void put_number(struct schedule_writer *writer, struct row *row,
		       uint64_t value)
{
	unsigned char *to;

	room_make(writer, row, NUMBER);
	to = row->bytes + row->used;
	for (; __builtin_expect(value >= 0x80, 0); value >>= 7)
		*to++ = (unsigned char)(value | 0x80);
	*to++ = (unsigned char)value;
	row->used = (size_t)(to - row->bytes);
}

static void put_repeats(struct schedule_writer *writer)
{
	if (writer->repeats == 0)
		return;
	put_number(writer, &writer->outcomes, CODE_MORE);
	put_number(writer, &writer->outcomes, writer->repeats);
	writer->repeats = 0;
}

/* The count of what came last stays: the rows are the same at any speed. */
static void look(struct schedule_writer *writer)
{
	if (++writer->looks % LOOKS == 0 &&
	    clock_to_ns(clock_ticks() - writer->flushed) > FLUSH_NS)
		rows_write(writer);
}

/* Calls have codes from 2 on: even ones with a number, odd ones with a list. */
static uint64_t code_of(unsigned call, bool is_list)
{
	return 2 * ((uint64_t)call + 1) + (is_list ? 1 : 0);
}

void schedule_put(struct schedule_writer *writer, unsigned call, uint64_t value)
{
	const uint64_t code = code_of(call, false);

	writer->busy = true;
	if (writer->has_last && writer->last_code == code &&
	    writer->last_value == value) {
		writer->repeats++;
	} else {
		put_repeats(writer);
		put_number(writer, &writer->outcomes, code);
		put_number(writer, &writer->outcomes, value);
		writer->has_last = true;
		writer->last_code = code;
		writer->last_value = value;
	}
	look(writer);
	writer->busy = false;
}

void schedule_put_list(struct schedule_writer *writer, unsigned call,
		       const int *list, int n)
{
	writer->busy = true;
	put_repeats(writer);
	put_number(writer, &writer->outcomes, code_of(call, true));
	put_number(writer, &writer->outcomes, (uint64_t)n);
	for (int i = 0; i < n; i++)
		put_number(writer, &writer->outcomes, (uint64_t)list[i]);
	writer->has_last = false;
	look(writer);
	writer->busy = false;
}

void schedule_put_source(struct schedule_writer *writer, uint64_t source)
{
	writer->busy = true;
	put_number(writer, &writer->sources, source);
	writer->busy = false;
}

void schedule_put_slice(struct schedule_writer *writer, uint64_t slice)
{
	writer->busy = true;
	put_number(writer, &writer->slices, slice - writer->last_slice);
	writer->last_slice = slice;
	look(writer);
	writer->busy = false;
}

static void put_text(struct row *row, const char *text, char end)
{
	const size_t n = strnlen(text, TEXT);

	memcpy(row->bytes + row->used, text, n);
	row->used += n;
	row->bytes[row->used++] = (unsigned char)end;
}

void schedule_put_call(struct schedule_writer *writer, const char *call,
		       const char *place)
{
	writer->busy = true;
	room_make(writer, &writer->calls, 2 * (TEXT + 1));
	put_text(&writer->calls, call, ' ');
	put_text(&writer->calls, place, '\n');
	writer->busy = false;
}

void schedule_flush(struct schedule_writer *writer)
{
	if (writer->busy)
		return;
	writer->busy = true;
	put_repeats(writer);
	rows_write(writer);
	writer->busy = false;
}

static void put_head(struct schedule_writer *writer,
		     const struct schedule_about *about)
{
	char body[256];
	int n;

	n = snprintf(body, sizeof(body),
		     "key value\nformat %d\nwriter bcs%%20%s\n", RECORD_FORMAT,
		     BCS_VERSION);
	section_write(&writer->pack, "record", body, (size_t)n);
	n = snprintf(body, sizeof(body),
		     "key value\nrank %d\nsize %d\nmode %s\nbuild %s\n",
		     about->rank, about->size, about->mode,
		     *about->build ? about->build : "%");
	section_write(&writer->pack, "schedule_of", body, (size_t)n);
	record_pack_flush(&writer->pack);
}

int schedule_create(struct schedule_writer **writer_p, const char *dir,
		    const char *name, const struct schedule_about *about)
{
	struct schedule_writer *writer = calloc(1, sizeof(*writer));
	int rc = writer ? record_pack_open(&writer->pack, dir, name) : -ENOMEM;

	if (rc != 0) {
		free(writer);
		return rc;
	}
	writer->calls.name = "calls";
	writer->outcomes.name = "outcomes";
	writer->sources.name = "sources";
	writer->slices.name = "slices";
	writer->flushed = clock_ticks();
	record_pack_grow(&writer->pack, LEVEL);
	put_head(writer, about);
	*writer_p = writer;
	return 0;
}

int schedule_close(struct schedule_writer *writer)
{
	static const char end[] = "key value\n";
	int rc;

	writer->busy = true;
	put_repeats(writer);
	rows_write(writer);
	section_write(&writer->pack, "end", end, sizeof(end) - 1);
	rc = record_pack_close(&writer->pack);
	free(writer);
	return rc;
}
