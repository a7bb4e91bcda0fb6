/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_RECORD_H
#define BCS_RECORD_H

#include <stddef.h>
#include <stdint.h>

#include "mds/base/reading.h"

/*
 * A record file: named tables, each a gzip member of its own (FORMAT.md).
 */
#define RECORD_FORMAT 1 /* the version that we write */

/* The writer cuts a longer text here, between two characters. */
#define RECORD_TEXT_MAX 4095

/*
 * Writing. All of these may be called from a signal handler that keeps errno:
 * they use no malloc, no stdio and no lock. Memory comes from mmap and goes
 * back with close or abandon.
 *
 * One writer belongs to one thread. Several may work at once, also on the same
 * name: the last to close stays. After the first error the calls do nothing
 * more, and close returns the error.
 */
struct record_writer;

/*
 * Opens `dir`/`name` under a temporary name; makes `dir` where it is missing,
 * but not the folder above it.  Returns 0 or -errno; *writer_p is set on
 * success only.
 */
int record_create(struct record_writer **writer_p, const char *dir,
		  const char *name);

/*
 * Begins a record in two steps. The first takes memory and, as far as possible,
 * descriptors and `room` bytes on the disk. The program may have none left at
 * the second step. Until then nothing has a name on the disk. If the second
 * step fails the writer is gone.
 */
int record_reserve(struct record_writer **writer_p, const char *dir,
		   const char *name, size_t room);
int record_begin(struct record_writer *writer, const char *dir,
		 const char *name);

/*
 * Writes into a file that record_file_keep opened, from its beginning.  It
 * stays open under its temporary name, and is empty after an error.
 */
struct record_file;
int record_rewrite(struct record_writer **writer_p,
		   const struct record_file *kept);
/*
 * Begins a table; `columns` is a list of words with one blank between.  Each
 * table is written once, from begin to end; record_create and record_close
 * write the tables `record` and `end` themselves.
 */
void record_table_begin(struct record_writer *writer, const char *table,
			unsigned version, const char *columns);
/*
 * Write the fields of a row from left to right, then its end.  A row with more
 * or fewer fields than columns is an error (-EINVAL), as is one of more than
 * about 32 KiB (-EMSGSIZE).  A NULL text is written as the empty one.
 */
void record_put_u64(struct record_writer *writer, uint64_t value);
void record_put_hex(struct record_writer *writer, uint64_t value);
void record_put_str(struct record_writer *writer, const char *text);
void record_row_end(struct record_writer *writer);
void record_table_end(struct record_writer *writer);

/*
 * Finishes the file and gives it its name.  Returns 0, or -errno of the first
 * error; then the temporary file is removed.  Frees the writer in either case.
 */
int record_close(struct record_writer *writer);
/* Drops the record and frees the writer, without a trace.  NULL is fine. */
void record_abandon(struct record_writer *writer);

/*
 * Reading.  The file is not trusted.  Whatever its bytes are, the calls return
 * the readable part or an error.  They take at most 256 MiB for the text, and
 * twice that for its index.
 */
struct record;
struct record_table;

enum record_state {
	RECORD_WHOLE,
	RECORD_PARTIAL, /* cut off, damaged, or newer in places */
};

/*
 * Reads `path`, opened by reading_open. Returns 0, or -errno with one line in
 * `why` that names file and place. -EPROTO: no record, or damaged from its
 * first table on. -EPROTONOSUPPORT: written by a newer format. -EFBIG: too
 * large.
 *
 * If a file is cut off or damaged further on, its whole sections before that
 * place are read, and `why` is filled too. Otherwise `why` is empty.
 */
int record_open(struct record **record_p, const char *path,
		enum reading_from from, char *why, size_t why_size);
/* Parses `size` bytes in memory, called `name` in `why`. */
int record_parse(struct record **record_p, const void *bytes, size_t size,
		 const char *name, char *why, size_t why_size);
/* Parses text that is not packed, and takes it over: it was malloc'ed, and has
 * a zero byte behind it. */
int record_parse_text(struct record **record_p, char *text, size_t size,
		      const char *name, char *why, size_t why_size);
void record_free(struct record *record); /* NULL is fine */
enum record_state record_state(const struct record *record);

/*
 * A table by name, with all its pieces; NULL if there is none.  It lives as
 * long as the record.  Only the tables of FORMAT.md are kept.
 */
const struct record_table *record_table(const struct record *record,
					const char *name);
size_t record_rows(const struct record_table *table); /* 0 for NULL */
/* Index of a column, or -1 (for NULL too).  Ask once a table, not once a row.
 */
int record_column(const struct record_table *table, const char *column);
/* A field; 0 or "" if it is absent (column -1) or no number. */
uint64_t record_u64(const struct record_table *table, size_t row, int column);
const char *record_str(const struct record_table *table, size_t row,
		       int column);
/* A value from a table with the columns `key value`; NULL if it is absent. */
const char *record_value(const struct record *record, const char *table,
			 const char *key);

#endif
