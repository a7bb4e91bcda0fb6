/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_TABLE_H
#define BCS_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/*
 * A table to be shown to people, or written as CSV or JSON.  Numbers are kept
 * as they are; for people a column has one unit that suits the greatest of
 * them.
 */
enum table_kind {
	TABLE_TEXT,
	TABLE_COUNT,
	TABLE_RANK, /* RUN_UNRANKED and more are shown as #0, #1 … */
	TABLE_TIME, /* ns */
	TABLE_BYTES,
	TABLE_SHARE, /* percent */
	TABLE_EXACT, /* a real number, by its digits, not its decimals */
};

enum table_flag {
	TABLE_MACHINE = 1 << 0, /* a column for CSV and JSON only */
	TABLE_PEOPLE = 1 << 1,  /* for people only */
	TABLE_WIDE = 1 << 2,    /* for people where the line has room for it */
	TABLE_OF_BASE = 1 << 3, /* a time that can be shown as a share */
	TABLE_PLAIN = 1 << 4,   /* a table that is read as sentences */
	TABLE_ONE = 1 << 5,     /* a table of one row, in JSON an object */
	TABLE_TAIL = 1 << 6,    /* a text whose end matters more */
	TABLE_RIGID = 1 << 9,   /* a text that is not cut */
	TABLE_RIGHT = 1 << 10,  /* a text that is rigid, and to the right */
	TABLE_UNIT_A = 1 << 7,  /* columns of one unit, so that they compare */
	TABLE_UNIT_B = 1 << 8,  /* and others of one unit */
	TABLE_SIGN = 1 << 11,   /* a real number with its sign */
};

enum table_sort {
	TABLE_UNSORTED,
	TABLE_BY_TIME,
	TABLE_BY_COUNT,
	TABLE_BY_BYTES,
	TABLE_BY_MAX,
	TABLE_BY_NAME,
};

struct table_column {
	const char *name;  /* for CSV and JSON, with its unit at the end */
	const char *title; /* for people, without */
	enum table_kind kind;
	unsigned flags;
	enum table_sort sort; /* what asks for sorting by this column */
};

struct table_cell {
	enum {
		TABLE_NONE,
		TABLE_NUMBER,
		TABLE_SIGNED,
		TABLE_REAL,
		TABLE_WORDS
	} is;
	union {
		uint64_t number; /* without the sign */
		double real;
		char *words;
	};
	bool negative; /* of TABLE_SIGNED */
};

struct table_row {
	struct table_cell *cells;
	uint64_t base; /* what shares are taken of */
	bool last;     /* added after all others, it stays there and is shown */
	char *below;   /* lines under the row, for people; or NULL */
};

struct table {
	const char *name;
	const char *title;
	const struct table_column *columns;
	size_t n_columns;
	unsigned flags; /* TABLE_MACHINE, _PEOPLE, _PLAIN, _ONE */
	struct table_row *rows;
	size_t n_rows;
	size_t room;
	size_t at;    /* the next cell of the last row */
	size_t more;  /* rows that are left out, beside those not shown */
	size_t shown; /* of the rows that are not last; SIZE_MAX: all */
	char *remark; /* a line under the title, for people; or NULL */
	bool alarm;   /* the title is to catch the eye */
};

/* The texts and the columns, which end with a name of NULL, are kept. */
struct table *table_new(const char *name, const char *title,
			const struct table_column *columns, unsigned flags);
void table_free(struct table *table);

/* Begins a row; its cells follow from left to right.  Texts are copied. */
struct table_row *table_row(struct table *table, uint64_t base);
void table_number(struct table *table, uint64_t number);
/* For people it has its sign; it is sorted without. */
void table_signed(struct table *table, bool negative, uint64_t number);
void table_real(struct table *table, double real);
void table_words(struct table *table, const char *words);
void table_none(struct table *table);
/* A number if `is`, else none. */
void table_number_if(struct table *table, bool is, uint64_t number);
/* 100 * part / whole; none of nothing. */
void table_share(struct table *table, uint64_t part, uint64_t whole);

/* A table of lines: a word, and what there is to say; `value` is freed. */
extern const struct table_column table_line_columns[];
void table_line(struct table *table, const char *what, char *value);

/*
 * Sorts by the column that answers to `by`, numbers from the greatest down;
 * by `otherwise` if there is none.
 */
void table_sort(struct table *table, enum table_sort by,
		enum table_sort otherwise);
/* Shows no more than `top` rows; 0: all. */
void table_cut(struct table *table, size_t top);
bool table_is_hidden(const struct table *table, size_t row);
/* How many rows are, with those that are left out. */
size_t table_hidden(const struct table *table);

#endif
