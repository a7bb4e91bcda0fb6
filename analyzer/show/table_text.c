/* SPDX-License-Identifier: BSD-3-Clause */

/* Writes a table in columns, for people. */
#include <stdlib.h>

#include "analyzer/show/table_layout.h"
#include "analyzer/show/table_plain.h"
#include "mds/base/utf8.h"

/*
 * Numbers stand to the right.  Blanks are owed until something follows them, so
 * that none end a line.
 */
static void put_cell(const struct table_layout_column *l, char *text,
		     size_t *owed)
{
	const bool left = l->column->kind == TABLE_TEXT &&
			  !(l->column->flags & TABLE_RIGHT);
	size_t blanks;

	if (l->column->flags & TABLE_TAIL)
		utf8_cut_to_tail(text, l->width);
	else if (left)
		utf8_cut(text, l->width);
	blanks = l->width - utf8_width(text);
	if (!left)
		*owed += blanks;
	if (*text) {
		printf("%*s%s", (int)*owed, "", text);
		*owed = 0;
	}
	if (left)
		*owed += blanks;
	free(text);
}

/* The titles, if `row` is NULL. */
static void put_line(const struct table_layout *layout,
		     const struct table_row *row)
{
	size_t owed = TABLE_INDENT;

	for (size_t i = 0; i < layout->table->n_columns; i++) {
		const struct table_layout_column *l = &layout->columns[i];

		if (!l->shown)
			continue;
		put_cell(l,
			 row ? table_cell_text(l, row, i) : table_title_text(l),
			 &owed);
		owed += layout->gap;
	}
	putchar('\n');
	if (row && row->below)
		fputs(row->below, stdout);
}

static void put_hidden(size_t n)
{
	printf("%*s... and %zu more (--top=0 shows all)\n", TABLE_INDENT, "",
	       n);
}

static void put_columns(const struct table *table,
			const struct table_look *look)
{
	const size_t hidden = table_hidden(table);
	struct table_layout layout;
	bool told = hidden == 0;

	table_layout_make(&layout, table, look);
	put_line(&layout, NULL);
	for (size_t i = 0; i < table->n_rows; i++) {
		if (!told && (table->rows[i].last || i == table->shown)) {
			put_hidden(hidden);
			told = true;
		}
		if (!table_is_hidden(table, i))
			put_line(&layout, &table->rows[i]);
	}
	if (!told)
		put_hidden(hidden);
	table_layout_clear(&layout);
}

static void put_title(const struct table *table, const struct table_look *look)
{
	if (!look->color)
		printf("%s\n", table->title);
	else
		printf("\033[1%sm%s\033[0m\n", table->alarm ? ";31" : "",
		       table->title);
	if (table->remark)
		table_wrap(table->remark, TABLE_INDENT, look->width);
}

void table_show(const struct table *table, const struct table_look *look)
{
	if (table->n_rows == 0 || table->flags & TABLE_MACHINE)
		return;
	put_title(table, look);
	if (table->flags & TABLE_PLAIN)
		table_show_plain(table, look);
	else
		put_columns(table, look);
	putchar('\n');
}
