/* SPDX-License-Identifier: BSD-3-Clause */

/* Writes a table as HTML that reads without a script. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/mem.h"
#include "analyzer/show/table_html.h"
#include "analyzer/show/table_layout.h"

/* Rows that are shown of a longer table. */
#define FOLDED_FROM 20

void table_html_text(FILE *to, const char *text)
{
	char *shown = mem_shown(text);

	for (const char *c = shown; *c; c++)
		switch (*c) {
		case '&':
			fputs("&amp;", to);
			break;
		case '<':
			fputs("&lt;", to);
			break;
		case '>':
			fputs("&gt;", to);
			break;
		case '"':
			fputs("&quot;", to);
			break;
		case '\'':
			fputs("&#39;", to);
			break;
		default:
			putc(*c, to);
		}
	free(shown);
}

static void put_text(FILE *to, char *text)
{
	table_html_text(to, text);
	free(text);
}

static bool is_shown(const struct table_layout_column *l)
{
	/* The page draws bars of its own. */
	return l->shown && strcmp(l->column->name, "bar") != 0;
}

/* It stands to the left. */
static bool is_text(const struct table_layout_column *l)
{
	return l->column->kind == TABLE_TEXT &&
	       !(l->column->flags & TABLE_RIGHT);
}

static const char *unit_of(const struct table_layout_column *l)
{
	if (l->as_share || l->column->kind == TABLE_SHARE)
		return "%";
	if (l->column->kind == TABLE_TIME || l->column->kind == TABLE_BYTES)
		return l->unit.name;
	return NULL;
}

static void put_title(FILE *to, const struct table_layout_column *l)
{
	const bool named = *l->column->title;

	fprintf(to, "<%s data-k=\"%s\"%s>", named ? "th scope=\"col\"" : "td",
		l->column->name, is_text(l) ? " class=\"t\"" : "");
	table_html_text(to, l->column->title);
	if (unit_of(l))
		fprintf(to, " <small>%s</small>", unit_of(l));
	fputs(named ? "</th>" : "</td>", to);
}

static void put_titles(FILE *to, const struct table_layout *layout)
{
	fputs("<thead><tr>", to);
	for (size_t i = 0; i < layout->table->n_columns; i++)
		if (is_shown(&layout->columns[i]))
			put_title(to, &layout->columns[i]);
	fputs("</tr></thead>\n", to);
}

/* Whether people see a rounded number. */
static bool is_rounded(const struct table_cell *cell, enum table_kind kind)
{
	return cell->is == TABLE_REAL || cell->is == TABLE_SIGNED ||
	       (cell->is == TABLE_NUMBER &&
		(kind == TABLE_TIME || kind == TABLE_BYTES));
}

static void put_cell(FILE *to, const struct table_layout_column *l,
		     const struct table_row *row, size_t i, bool first)
{
	const enum table_kind kind = l->column->kind;
	const char *element = first ? "th" : "td";

	fprintf(to, "<%s%s%s", element, first ? " scope=\"row\"" : "",
		is_text(l) ? " class=\"t\"" : "");
	if (is_rounded(&row->cells[i], kind)) {
		fputs(" data-v=\"", to);
		table_put_number_to(to, &row->cells[i], kind);
		putc('"', to);
	}
	putc('>', to);
	put_text(to, table_cell_text(l, row, i));
	if (first && row->below && *row->below) {
		fputs("<pre>", to);
		table_html_text(to, row->below);
		fputs("</pre>", to);
	}
	fprintf(to, "</%s>", element);
}

static void put_row(FILE *to, const struct table_layout *layout,
		    const struct table_row *row)
{
	bool first = true;

	fputs("<tr>", to);
	for (size_t i = 0; i < layout->table->n_columns; i++) {
		if (!is_shown(&layout->columns[i]))
			continue;
		put_cell(to, &layout->columns[i], row, i, first);
		first = false;
	}
	fputs("</tr>\n", to);
}

/* Rows that are sorted, and rows that stay last. */
static size_t count_rows(const struct table *table, bool last)
{
	size_t n = 0;

	for (size_t i = 0; i < table->n_rows; i++)
		n += table->rows[i].last == last && !table_is_hidden(table, i);
	return n;
}

/* The sorted rows come first; those from FOLDED_FROM on are folded. */
static void put_sorted(FILE *to, const struct table_layout *layout)
{
	const struct table *table = layout->table;
	size_t n = 0;

	fputs("<tbody>\n", to);
	for (size_t i = 0; i < table->n_rows; i++) {
		if (table->rows[i].last || table_is_hidden(table, i))
			continue;
		if (n++ == FOLDED_FROM)
			fputs("</tbody>\n<tbody class=\"rest\">\n", to);
		put_row(to, layout, &table->rows[i]);
	}
	fputs("</tbody>\n", to);
}

static void put_last(FILE *to, const struct table_layout *layout)
{
	const struct table *table = layout->table;

	if (count_rows(table, true) == 0)
		return;
	fputs("<tbody class=\"last\">\n", to);
	for (size_t i = 0; i < table->n_rows; i++)
		if (table->rows[i].last)
			put_row(to, layout, &table->rows[i]);
	fputs("</tbody>\n", to);
}

/* In front of the table, so that a style sheet can do it. */
static void put_fold(FILE *to, const struct table *table, const char *id)
{
	const size_t n = count_rows(table, false);

	if (n > FOLDED_FROM)
		fprintf(to,
			"<input type=\"checkbox\" class=\"all\" id=\"%s-all\">"
			"<label for=\"%s-all\">show all %zu rows</label>\n",
			id, id, n);
}

static void put_hidden(FILE *to, const struct table *table)
{
	const size_t hidden = table_hidden(table);

	if (hidden)
		fprintf(to,
			"<p class=\"more\">%zu more rows are left out "
			"(--top=0 has all)</p>\n",
			hidden);
}

static void put_columns(FILE *to, const struct table *table, const char *id)
{
	const struct table_look look = { .width = UINT_MAX };
	struct table_layout layout;

	table_layout_make(&layout, table, &look);
	put_fold(to, table, id);
	fprintf(to,
		"<div class=\"scroll\" tabindex=\"0\" role=\"group\" "
		"aria-labelledby=\"%s\"><table data-name=\"%s\">\n",
		id, table->name);
	put_titles(to, &layout);
	put_sorted(to, &layout);
	put_last(to, &layout);
	fputs("</table></div>\n", to);
	table_layout_clear(&layout);
}

/* A table that is read as sentences. */
static void put_plain(FILE *to, const struct table *table)
{
	const bool pairs = table->n_columns > 1;

	fprintf(to,
		pairs ? "<dl data-name=\"%s\">\n" : "<ul data-name=\"%s\">\n",
		table->name);
	for (size_t i = 0; i < table->n_rows; i++) {
		const struct table_cell *cells = table->rows[i].cells;

		if (table_is_hidden(table, i))
			continue;
		fputs(pairs ? "<dt>" : "<li>", to);
		table_html_text(to, cells[0].words);
		fputs(pairs ? "</dt><dd>" : "", to);
		if (pairs)
			table_html_text(to, cells[1].words);
		fputs(pairs ? "</dd>\n" : "</li>\n", to);
	}
	fputs(pairs ? "</dl>\n" : "</ul>\n", to);
}

void table_html(FILE *to, const struct table *table, const char *id)
{
	if (table->remark) {
		fputs("<p class=\"remark\">", to);
		table_html_text(to, table->remark);
		fputs("</p>\n", to);
	}
	if (table->flags & TABLE_PLAIN)
		put_plain(to, table);
	else
		put_columns(to, table, id);
	put_hidden(to, table);
}
