/* SPDX-License-Identifier: BSD-3-Clause */

/* Writes a table as CSV. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "analyzer/base/mem.h"
#include "analyzer/run/run.h"
#include "analyzer/show/table.h"
#include "analyzer/show/table_show.h"

/* Whether nothing in the text has to be escaped; so it is mostly. */
static bool is_plain(const char *text)
{
	while (*text >= ' ' && *text < 0x7f && *text != '"')
		text++;
	return *text == '\0';
}

void table_csv_text(const char *text)
{
	char *shown;

	putchar('"');
	if (is_plain(text)) {
		fputs(text, stdout);
		putchar('"');
		return;
	}
	shown = mem_shown(text);
	for (const char *c = shown; *c; c++) {
		if (*c == '"')
			putchar('"');
		putchar(*c);
	}
	putchar('"');
	free(shown);
}

bool table_put_number_to(FILE *to, const struct table_cell *cell,
			 enum table_kind kind)
{
	if (cell->is == TABLE_SIGNED)
		fprintf(to, "%s%" PRIu64, cell->negative ? "-" : "",
			cell->number);
	else if (cell->is == TABLE_REAL)
		fprintf(to, kind == TABLE_EXACT ? "%.9g" : "%.4f", cell->real);
	else if (cell->is == TABLE_NUMBER && kind == TABLE_RANK &&
		 cell->number >= RUN_UNRANKED)
		fprintf(to, "\"#%" PRIu64 "\"", cell->number - RUN_UNRANKED);
	else if (cell->is == TABLE_NUMBER)
		fprintf(to, "%" PRIu64, cell->number);
	else
		return false;
	return true;
}

bool table_put_number(const struct table_cell *cell, enum table_kind kind)
{
	return table_put_number_to(stdout, cell, kind);
}

static void put_cell(const struct table_cell *cell, enum table_kind kind)
{
	if (!table_put_number(cell, kind) && cell->is == TABLE_WORDS)
		table_csv_text(cell->words);
}

static void put_names(const struct table *table, const char *run)
{
	const char *comma = "";

	if (run) {
		table_csv_text("run");
		comma = ",";
	}
	for (size_t i = 0; i < table->n_columns; i++) {
		if (table->columns[i].flags & TABLE_PEOPLE)
			continue;
		fputs(comma, stdout);
		table_csv_text(table->columns[i].name);
		comma = ",";
	}
	putchar('\n');
}

static void put_row(const struct table *table, const struct table_row *row,
		    const char *run)
{
	const char *comma = "";

	if (run) {
		table_csv_text(run);
		comma = ",";
	}
	for (size_t i = 0; i < table->n_columns; i++) {
		if (table->columns[i].flags & TABLE_PEOPLE)
			continue;
		fputs(comma, stdout);
		put_cell(&row->cells[i], table->columns[i].kind);
		comma = ",";
	}
	putchar('\n');
}

void table_csv(const struct table *table, const char *run, bool header)
{
	if (header)
		put_names(table, run);
	for (size_t i = 0; i < table->n_rows; i++)
		if (!table_is_hidden(table, i))
			put_row(table, &table->rows[i], run);
}
