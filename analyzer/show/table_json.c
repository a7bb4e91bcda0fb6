/* SPDX-License-Identifier: BSD-3-Clause */

/* Writes a table as JSON. */
#include <inttypes.h>
#include <stdio.h>

#include "analyzer/show/table.h"
#include "analyzer/show/table_show.h"
#include "mds/base/utf8.h"

/* Bytes at the beginning of the text that stay as they are. */
static size_t plain_length(const char *text)
{
	size_t n = 0;

	while (text[n] >= ' ' && text[n] < 0x7f && text[n] != '"' &&
	       text[n] != '\\')
		n++;
	return n;
}

static void put_text(FILE *to, const char *text)
{
	size_t plain;
	unsigned len;

	putc('"', to);
	for (; *text; text += len) {
		plain = plain_length(text);
		fwrite(text, 1, plain, to);
		text += plain;
		if (!*text)
			break;
		len = utf8_length(text);
		if (len == 0) {
			fputs("\\ufffd", to); /* no character */
			len = 1;
		} else if (*text == '"' || *text == '\\') {
			fprintf(to, "\\%c", *text);
		} else if (!utf8_is_harmless(text, len)) {
			fprintf(to, "\\u%04" PRIx32, utf8_number(text, len));
		} else {
			fwrite(text, 1, len, to);
		}
	}
	putc('"', to);
}

void table_json_text(const char *text)
{
	put_text(stdout, text);
}

void table_json_text_to(FILE *to, const char *text)
{
	put_text(to, text);
}

static void put_cell(FILE *to, const struct table_cell *cell,
		     enum table_kind kind)
{
	if (cell->is == TABLE_WORDS)
		put_text(to, cell->words);
	else if (!table_put_number_to(to, cell, kind))
		fputs("null", to);
}

static void put_row(FILE *to, const struct table *table,
		    const struct table_row *row)
{
	const char *comma = "";

	putc('{', to);
	for (size_t i = 0; i < table->n_columns; i++) {
		if (table->columns[i].flags & TABLE_PEOPLE)
			continue;
		fprintf(to, "%s\"%s\": ", comma, table->columns[i].name);
		put_cell(to, &row->cells[i], table->columns[i].kind);
		comma = ", ";
	}
	putc('}', to);
}

static void put_rows(FILE *to, const struct table *table)
{
	const char *comma = "\n";

	putc('[', to);
	for (size_t i = 0; i < table->n_rows; i++) {
		if (table_is_hidden(table, i))
			continue;
		fprintf(to, "%s    ", comma);
		put_row(to, table, &table->rows[i]);
		comma = ",\n";
	}
	putc(']', to);
}

void table_json_to(FILE *to, const struct table *table)
{
	fprintf(to, "\"%s\": ", table->name);
	if (table->flags & TABLE_ONE && table->n_rows == 1)
		put_row(to, table, &table->rows[0]);
	else
		put_rows(to, table);
}

void table_json(const struct table *table)
{
	table_json_to(stdout, table);
}
