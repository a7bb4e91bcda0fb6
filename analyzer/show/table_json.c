/* SPDX-License-Identifier: BSD-3-Clause */

/* Writes a table as JSON. */
#include <inttypes.h>
#include <stdio.h>

#include "analyzer/show/table.h"
#include "analyzer/show/table_show.h"
#include "mds/utf8.h"

void table_json_text(const char *text)
{
	unsigned len;

	putchar('"');
	for (; *text; text += len) {
		len = utf8_length(text);
		if (len == 0) {
			fputs("\\ufffd", stdout); /* no character */
			len = 1;
		} else if (*text == '"' || *text == '\\') {
			printf("\\%c", *text);
		} else if (!utf8_is_harmless(text, len)) {
			printf("\\u%04" PRIx32, utf8_number(text, len));
		} else {
			fwrite(text, 1, len, stdout);
		}
	}
	putchar('"');
}

static void put_cell(const struct table_cell *cell, enum table_kind kind)
{
	if (cell->is == TABLE_WORDS)
		table_json_text(cell->words);
	else if (!table_put_number(cell, kind))
		fputs("null", stdout);
}

static void put_row(const struct table *table, const struct table_row *row)
{
	const char *comma = "";

	putchar('{');
	for (size_t i = 0; i < table->n_columns; i++) {
		if (table->columns[i].flags & TABLE_PEOPLE)
			continue;
		printf("%s\"%s\": ", comma, table->columns[i].name);
		put_cell(&row->cells[i], table->columns[i].kind);
		comma = ", ";
	}
	putchar('}');
}

static void put_rows(const struct table *table)
{
	const char *comma = "\n";

	putchar('[');
	for (size_t i = 0; i < table->n_rows; i++) {
		if (table_is_hidden(table, i))
			continue;
		printf("%s    ", comma);
		put_row(table, &table->rows[i]);
		comma = ",\n";
	}
	putchar(']');
}

void table_json(const struct table *table)
{
	printf("\"%s\": ", table->name);
	if (table->flags & TABLE_ONE && table->n_rows == 1)
		put_row(table, &table->rows[0]);
	else
		put_rows(table);
}
