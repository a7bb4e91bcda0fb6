/* SPDX-License-Identifier: BSD-3-Clause */

/* Writes a file of slices: its head, columns of differences, and the clock. */
#include <stdio.h>
#include <string.h>

#include "mds/base/clock.h"
#include "mds/emds/emds_write.h"
#include "mds/record/record.h"
#include "mds/record/record_encode.h"

/* Of zlib: higher ones make these files less than 1 % smaller. */
#define LEVEL 1

static void put_byte(struct emds_file *file, unsigned char byte)
{
	file->body[file->used++] = byte;
}

static void put_text(struct emds_file *file, const char *text)
{
	const size_t n = strlen(text);

	memcpy(file->body + file->used, text, n);
	file->used += n;
}

/* Writes seven bits a byte, the lowest first. */
static void put_number(struct emds_file *file, uint64_t value)
{
	for (; value >= 0x80; value >>= 7)
		put_byte(file, (unsigned char)(value | 0x80));
	put_byte(file, (unsigned char)value);
}

/* Writes a difference so that small ones stay short, whatever their sign. */
static void put_difference(struct emds_file *file, uint64_t value,
			   uint64_t before)
{
	const int64_t d = (int64_t)(value - before);

	put_number(file, (uint64_t)d << 1 ^ (d < 0 ? UINT64_MAX : 0));
}

static bool is_same(const struct emds_row *rows, uint32_t n, unsigned column)
{
	for (uint32_t i = 1; i < n; i++)
		if (rows[i].value[column] != rows[0].value[column])
			return false;
	return true;
}

static void put_column(struct emds_file *file, const struct emds_row *rows,
		       uint32_t n, unsigned column)
{
	uint64_t before = 0;

	if (is_same(rows, n, column)) {
		put_byte(file, EMDS_SAME);
		put_number(file, rows[0].value[column]);
	} else if (column == EMDS_SLICE || column == EMDS_BEGIN) {
		put_byte(file, EMDS_DIFFERENCES);
		for (uint32_t i = 0; i < n; i++) {
			put_difference(file, rows[i].value[column], before);
			before = rows[i].value[column];
		}
	} else {
		put_byte(file, EMDS_PLAIN);
		for (uint32_t i = 0; i < n; i++)
			put_number(file, rows[i].value[column]);
	}
}

static void put_names(struct emds_file *file)
{
	const char *before = "";

	for (unsigned c = 0; c < EMDS_COLUMNS; c++) {
		if (!(file->columns >> c & 1))
			continue;
		put_text(file, before);
		put_text(file, emds_names[c]);
		before = " ";
	}
	put_byte(file, '\n');
}

/* Writes one moment on both clocks.  The reader converts ticks to time between
 * two of these. */
static void put_clock(struct emds_file *file, uint32_t n, uint64_t dropped)
{
	uint64_t ticks;
	uint64_t ns;
	char line[96];

	clock_pair(&ticks, &ns);
	snprintf(line, sizeof(line), "%u %llu %llu %llu\n", n,
		 (unsigned long long)ticks, (unsigned long long)ns,
		 (unsigned long long)(dropped - file->dropped));
	file->dropped = dropped;
	put_text(file, line);
}

void emds_file_add(struct emds_file *file, const struct emds_row *rows,
		   uint32_t n, uint64_t dropped)
{
	file->used = 0;
	put_names(file);
	put_clock(file, n, dropped);
	for (unsigned c = 0; n && c < EMDS_COLUMNS; c++)
		if (file->columns >> c & 1)
			put_column(file, rows, n, c);
	section_write(&file->pack, "slices", file->body, file->used);
}

void emds_file_flush(struct emds_file *file)
{
	record_pack_flush(&file->pack);
}

int emds_file_error(const struct emds_file *file)
{
	return file->pack.error;
}

static void add_value(struct emds_file *file, const char *key,
		      unsigned long long value)
{
	char line[96];

	snprintf(line, sizeof(line), "%s %llu\n", key, value);
	put_text(file, line);
}

static void add_word(struct emds_file *file, const char *key, const char *word)
{
	const size_t n = record_encode_length(word);

	put_text(file, key);
	put_byte(file, ' ');
	if (n == 0)
		put_byte(file, '%');
	for (size_t i = 0; i < n && file->used < sizeof(file->body) - 8; i++)
		file->used += record_encode_byte(
			(char *)file->body + file->used, word[i]);
	put_byte(file, '\n');
}

static void put_head(struct emds_file *file, const struct emds_options *options)
{
	uint64_t ticks;
	uint64_t ns;

	file->used = 0;
	put_text(file, "key value\n");
	add_value(file, "format", RECORD_FORMAT);
	add_word(file, "writer", "bcs " BCS_VERSION);
	section_write(&file->pack, "record", file->body, file->used);

	clock_pair(&ticks, &ns);
	file->used = 0;
	put_text(file, "key value\n");
	if (options->rank >= 0)
		add_value(file, "rank", (unsigned)options->rank);
	add_value(file, "pid", options->pid);
	add_word(file, "host", options->host);
	add_word(file, "mode", options->mode);
	add_value(file, "slice_ns", options->slice_ns);
	if (options->budget)
		add_value(file, "budget", options->budget);
	add_value(file, "zero_ns", options->zero_ns);
	add_value(file, "first_ns", options->first_ns);
	add_value(file, "local_ranks", options->local_ranks);
	add_value(file, "resolution", options->resolution);
	add_value(file, "from", options->from);
	add_value(file, "to", options->to);
	add_value(file, "every", options->every);
	add_value(file, "ticks", ticks);
	add_value(file, "ns", ns);
	section_write(&file->pack, "slices_of", file->body, file->used);
}

int emds_file_open(struct emds_file *file, const struct emds_options *options)
{
	const int rc = record_pack_open(&file->pack, options->dir,
					options->name);

	if (rc != 0)
		return rc;
	file->columns = options->columns;
	file->dropped = 0;
	record_pack_grow(&file->pack, LEVEL);
	put_head(file, options);
	record_pack_flush(&file->pack);
	return file->pack.error ? record_pack_close(&file->pack) : 0;
}

void emds_file_close(struct emds_file *file, uint64_t dropped)
{
	if (dropped != file->dropped)
		emds_file_add(file, NULL, 0, dropped);
	section_write(&file->pack, "end", "key value\n",
		      sizeof("key value\n") - 1);
	record_pack_close(&file->pack);
}
