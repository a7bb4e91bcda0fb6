/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_TABLE_SHOW_H
#define BCS_TABLE_SHOW_H

#include <stdbool.h>

#include "analyzer/show/table.h"

struct table_look {
	unsigned width; /* of a line */
	bool color;
	bool percent; /* times as shares of the row's base */
};

/* To stdout, for people.  A table without rows is left out. */
void table_show(const struct table *table, const struct table_look *look);

/*
 * To stdout, for programs: text quoted, numbers bare.  With `run` not NULL each
 * line begins with it; the line of names is written if `header`.
 */
void table_csv(const struct table *table, const char *run, bool header);
/* A text in quotes. */
void table_csv_text(const char *text);

/* A number as programs read it, to stdout; false if the cell holds none. */
bool table_put_number(const struct table_cell *cell, enum table_kind kind);
bool table_put_number_to(FILE *to, const struct table_cell *cell,
			 enum table_kind kind);

/* To stdout: the member NAME: [ … ] of an object. */
void table_json(const struct table *table);
void table_json_to(FILE *to, const struct table *table);
/* A text as JSON has it, with its quotes. */
void table_json_text(const char *text);
void table_json_text_to(FILE *to, const char *text);

#endif
