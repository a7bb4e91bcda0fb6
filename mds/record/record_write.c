/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The buffer holds the current section: the line of column names, rows, and at
 * its end an unfinished row.  When it is full, the whole rows are written as a
 * section.  The line of column names stays, and the unfinished row moves up to
 * it.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#include "mds/record/record.h"
#include "mds/record/record_encode.h"
#include "mds/record/record_pack.h"

#define SECTION_BYTES (32 << 10)
/*
 * Text that is packed, at most; the rest of a record is stored.  The program
 * waits for its last record.  Packing takes 11 ns a byte, storing less than
 * one.
 */
#define PACKED_BYTES (64 << 10)

struct record_writer {
	struct record_pack pack;
	bool in_table;
	unsigned version;
	unsigned n_columns;
	unsigned n_fields; /* fields of the unfinished row */
	size_t rows;       /* offset of the first row in `text` */
	size_t row;        /* offset of the unfinished row */
	size_t used;
	size_t written; /* bytes of all sections so far */
	char table[64];
	char text[SECTION_BYTES];
};

static void fail(struct record_writer *writer, int error)
{
	if (!writer->pack.error)
		writer->pack.error = error;
}

static void write_header(struct record_writer *writer, size_t length)
{
	char line[sizeof("section ") + sizeof(writer->table) +
		  2 * (RECORD_DIGITS + 1)];
	size_t len = sizeof("section ") - 1;
	const size_t name = strlen(writer->table);

	memcpy(line, "section ", len);
	memcpy(line + len, writer->table, name);
	len += name;
	line[len++] = ' ';
	len += record_encode_decimal(line + len, writer->version);
	line[len++] = ' ';
	len += record_encode_decimal(line + len, length);
	line[len++] = '\n';
	record_pack_add(&writer->pack, line, len);
}

static void write_section(struct record_writer *writer)
{
	write_header(writer, writer->row);
	record_pack_add(&writer->pack, writer->text, writer->row);
	record_pack_member_end(&writer->pack);
	writer->written += writer->row;
	if (writer->written > PACKED_BYTES)
		record_pack_store(&writer->pack);
	writer->used -= writer->row - writer->rows;
	memmove(writer->text + writer->rows, writer->text + writer->row,
		writer->used - writer->rows);
	writer->row = writer->rows;
}

/* Where the next `size` bytes go; NULL, and an error, if the row is too long.
 */
static char *room(struct record_writer *writer, size_t size)
{
	if (size > sizeof(writer->text) - writer->used &&
	    writer->row > writer->rows)
		write_section(writer);
	if (size > sizeof(writer->text) - writer->used) {
		fail(writer, -EMSGSIZE);
		return NULL;
	}
	return writer->text + writer->used;
}

static void put_bytes(struct record_writer *writer, const char *bytes,
		      size_t size)
{
	char *to = room(writer, size);

	if (!to)
		return;
	memcpy(to, bytes, size);
	writer->used += size;
}

static void put_byte(struct record_writer *writer, char byte)
{
	put_bytes(writer, &byte, 1);
}

/* Begins a field of at most `size` bytes, as room() does. */
static char *begin_field(struct record_writer *writer, size_t size)
{
	char *to = room(writer, size + 1);

	if (to && writer->n_fields > 0) {
		*to++ = ' ';
		writer->used++;
	}
	writer->n_fields++;
	return to;
}

static unsigned count_words(const char *columns)
{
	unsigned n = 1;

	for (; *columns; columns++)
		n += *columns == ' ';
	return n;
}

void record_table_begin(struct record_writer *writer, const char *table,
			unsigned version, const char *columns)
{
	const size_t len = strlen(table);

	if (writer->in_table || len >= sizeof(writer->table)) {
		fail(writer, -EINVAL);
		return;
	}
	memcpy(writer->table, table, len + 1);
	writer->in_table = true;
	writer->version = version;
	writer->n_columns = count_words(columns);
	writer->n_fields = 0;
	writer->rows = writer->row = writer->used = 0;
	put_bytes(writer, columns, strlen(columns));
	put_byte(writer, '\n');
	writer->rows = writer->row = writer->used;
}

void record_put_u64(struct record_writer *writer, uint64_t value)
{
	char *to = begin_field(writer, RECORD_DIGITS);

	if (to)
		writer->used += record_encode_decimal(to, value);
}

void record_put_hex(struct record_writer *writer, uint64_t value)
{
	char *to = begin_field(writer, RECORD_DIGITS);

	if (to)
		writer->used += record_encode_hex(to, value);
}

static void put_escaped(struct record_writer *writer, const char *text,
			size_t len)
{
	char escaped[3];

	for (size_t i = 0; i < len; i++)
		put_bytes(writer, escaped,
			  record_encode_byte(escaped, text[i]));
}

void record_put_str(struct record_writer *writer, const char *text)
{
	const size_t len = text ? record_encode_length(text) : 0;

	if (!begin_field(writer, len))
		return;
	if (len == 0)
		put_byte(writer, '%');
	else if (record_encode_copies(text, len))
		put_bytes(writer, text, len);
	else
		put_escaped(writer, text, len);
}

void record_row_end(struct record_writer *writer)
{
	if (!writer->in_table || writer->n_fields != writer->n_columns)
		fail(writer, -EINVAL);
	put_byte(writer, '\n');
	writer->n_fields = 0;
	writer->row = writer->used;
}

void record_table_end(struct record_writer *writer)
{
	if (!writer->in_table || writer->n_fields > 0)
		fail(writer, -EINVAL);
	else
		write_section(writer);
	writer->in_table = false;
}

static void write_first(struct record_writer *writer)
{
	record_table_begin(writer, "record", 1, "key value");
	record_put_str(writer, "format");
	record_put_u64(writer, RECORD_FORMAT);
	record_row_end(writer);
	record_put_str(writer, "writer");
	record_put_str(writer, "bcs " BCS_VERSION);
	record_row_end(writer);
	record_table_end(writer);
}

static struct record_writer *writer_new(void)
{
	void *memory = mmap(NULL, sizeof(struct record_writer),
			    PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			    -1, 0);

	return memory == MAP_FAILED ? NULL : memory;
}

int record_reserve(struct record_writer **writer_p, const char *dir,
		   const char *name, size_t room)
{
	struct record_writer *writer = writer_new();
	int rc;

	if (!writer)
		return -ENOMEM;
	rc = record_pack_reserve(&writer->pack, dir, name, room);
	if (rc < 0) {
		munmap(writer, sizeof(*writer));
		return rc;
	}
	*writer_p = writer;
	return 0;
}

int record_begin(struct record_writer *writer, const char *dir,
		 const char *name)
{
	const int rc = record_pack_begin(&writer->pack, dir, name);

	if (rc < 0)
		munmap(writer, sizeof(*writer));
	else
		write_first(writer);
	return rc;
}

/* `rc` is of opening the writer's file. */
static int start(struct record_writer *writer, int rc,
		 struct record_writer **writer_p)
{
	if (rc < 0) {
		munmap(writer, sizeof(*writer));
		return rc;
	}
	write_first(writer);
	*writer_p = writer;
	return 0;
}

int record_create(struct record_writer **writer_p, const char *dir,
		  const char *name)
{
	struct record_writer *writer = writer_new();

	if (!writer)
		return -ENOMEM;
	return start(writer, record_pack_open(&writer->pack, dir, name),
		     writer_p);
}

int record_rewrite(struct record_writer **writer_p,
		   const struct record_file *kept)
{
	struct record_writer *writer = writer_new();

	if (!writer)
		return -ENOMEM;
	return start(writer, record_pack_rewrite(&writer->pack, kept),
		     writer_p);
}

int record_close(struct record_writer *writer)
{
	int rc;

	record_table_begin(writer, "end", 1, "key value");
	record_table_end(writer);
	rc = record_pack_close(&writer->pack);
	munmap(writer, sizeof(*writer));
	return rc;
}

void record_abandon(struct record_writer *writer)
{
	if (!writer)
		return;
	fail(writer, -ECANCELED);
	record_close(writer);
}
