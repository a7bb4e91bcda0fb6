/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_RECORD_TABLE_H
#define BCS_RECORD_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "mds/record/record.h"
#include "mds/record/record_schema.h"
#include "mds/record/record_unpack.h"

struct record_fault;

#define RECORD_COLUMNS_MAX     64
#define RECORD_COLUMN_NAME_MAX 63

enum record_kind { RECORD_TEXT, RECORD_DECIMAL, RECORD_HEX };

struct record_column {
	uint32_t name; /* offset in the text */
	uint16_t len;
	uint16_t kind;
};

/* A table whose fields are cut and decoded in place, in the unpacked text. */
struct record_table {
	const char *text;   /* text of the whole file */
	size_t line_len;    /* length of the line of column names */
	unsigned n_columns; /* 0: the table is absent */
	size_t n_rows;
	size_t room;      /* allocated rows of `fields` */
	uint32_t *fields; /* offsets in the text, row by row */
	struct record_column columns[RECORD_COLUMNS_MAX];
};

struct record {
	enum record_state state;
	struct record_bytes text;
	struct record_table tables[RECORD_TABLES]; /* in the schema's order */
};

/* A piece of a table: `size` bytes at offset `at` of the text. */
struct record_piece {
	const struct record_schema *schema;
	char *text;
	size_t at;
	size_t size;
	size_t line; /* line number at which the piece begins */
};

/*
 * Adds a piece.  Returns 0, or -EPROTO or -ENOMEM with the fault noted and the
 * table unchanged.  In any case the piece's text is modified.
 */
int record_table_add(struct record_table *table,
		     const struct record_piece *piece,
		     struct record_fault *fault);
/* Index of a column, or -1. */
int record_table_column(const struct record_table *table, const char *name,
			size_t len);

#endif
