/* SPDX-License-Identifier: BSD-3-Clause */

/* Writes a table of texts as wrapped sentences. */
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/mem.h"
#include "analyzer/show/table_layout.h"
#include "analyzer/show/table_plain.h"
#include "mds/base/utf8.h"

/* From where the line is now, at column `indent`. */
static void wrap_on(const char *text, size_t indent, size_t width)
{
	char *words = mem_shown(text);
	char *rest = words;
	size_t at = indent;
	char *word;

	while ((word = strsep(&rest, " "))) {
		const size_t needed = utf8_width(word);

		if (at > indent && at + 1 + needed > width) {
			printf("\n%*s", (int)indent, "");
			at = indent;
		}
		printf("%s%s", at > indent ? " " : "", word);
		at += needed + (at > indent);
	}
	putchar('\n');
	free(words);
}

void table_wrap(const char *text, size_t indent, size_t width)
{
	printf("%*s", (int)indent, "");
	wrap_on(text, indent, width);
}

static size_t first_width(const struct table *table)
{
	size_t width = 0;

	for (size_t i = 0; i < table->n_rows; i++) {
		char *text = mem_shown(table->rows[i].cells[0].words);
		const size_t needed = utf8_width(text);

		if (needed > width)
			width = needed;
		free(text);
	}
	return width;
}

static void put_row(const struct table *table, const struct table_row *row,
		    size_t first, size_t width)
{
	char *text;

	if (table->n_columns == 1) {
		printf("%*s- ", TABLE_INDENT, "");
		wrap_on(row->cells[0].words, TABLE_INDENT + 2, width);
		return;
	}
	text = mem_shown(row->cells[0].words);
	printf("%*s%s%*s  ", TABLE_INDENT, "", text,
	       (int)(first - utf8_width(text)), "");
	free(text);
	wrap_on(row->cells[1].words, TABLE_INDENT + first + 2, width);
}

void table_show_plain(const struct table *table, const struct table_look *look)
{
	const size_t first = first_width(table);
	const size_t hidden = table_hidden(table);

	for (size_t i = 0; i < table->n_rows; i++)
		if (!table_is_hidden(table, i))
			put_row(table, &table->rows[i], first, look->width);
	if (hidden)
		printf("%*s... and %zu more (--top=0 shows all)\n",
		       TABLE_INDENT, "", hidden);
}
