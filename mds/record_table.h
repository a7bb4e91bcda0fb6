/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_RECORD_TABLE_H
#define BCS_RECORD_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "mds/record.h"
#include "mds/record_schema.h"
#include "mds/record_unpack.h"

struct record_fault;

#define RECORD_COLUMNS_MAX     64
#define RECORD_COLUMN_NAME_MAX 63

enum record_kind { RECORD_TEXT, RECORD_DECIMAL, RECORD_HEX };

struct record_column {
	uint32_t name; /* where in the text */
	uint16_t len;
	uint16_t kind;
};

/* Fields stay where they are in the unpacked text, cut and decoded there. */
struct record_table {
	const char *text;   /* of the whole file */
	size_t line_len;    /* of the line of the columns */
	unsigned n_columns; /* 0: there is no such table */
	size_t n_rows;
	size_t room;      /* of `fields`, in rows */
	uint32_t *fields; /* where in the text, row by row */
	struct record_column columns[RECORD_COLUMNS_MAX];
};

struct record {
	enum record_state state;
	struct record_bytes text;
	struct record_table tables[RECORD_TABLES]; /* as in the schema */
};

/* A piece of a table: the `size` bytes at `at` of the text. */
struct record_piece {
	const struct record_schema *schema;
	char *text;
	size_t at;
	size_t size;
	size_t line; /* of the text on which the piece begins */
};

/*
 * Adds a piece. Returns 0, or -EPROTO or -ENOMEM with the fault noted and the
 * table unchanged. The text of the piece is spoiled in each case.
 */
int record_table_add(struct record_table *table,
		     const struct record_piece *piece,
		     struct record_fault *fault);
/* The place of a column, or -1. */
int record_table_column(const struct record_table *table, const char *name,
			size_t len);

#endif
