/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_RECORD_SCHEMA_H
#define BCS_RECORD_SCHEMA_H

#include <stdbool.h>
#include <stddef.h>

/* The tables of FORMAT.md that the reader knows.  A test compares both. */
struct record_schema {
	const char *table;
	const char *columns; /* column names, separated by one blank */
	const char *texts;   /* names of the columns that hold text, likewise */
};

#define RECORD_TABLES 20

extern const struct record_schema record_schema[RECORD_TABLES];

/* Index of a table in the list, or -1. */
int record_schema_find(const char *table, size_t len);
/* Whether a list of words contains this one. */
bool record_schema_word_in(const char *words, const char *word, size_t len);

#endif
