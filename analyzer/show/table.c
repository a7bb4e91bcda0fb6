/* SPDX-License-Identifier: BSD-3-Clause */

/* A table's rows, how they are sorted and cut, and which writer shows them. */
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/mem.h"
#include "analyzer/show/table.h"

struct table *table_new(const char *name, const char *title,
			const struct table_column *columns, unsigned flags)
{
	struct table *table = mem_alloc(1, sizeof(*table));

	table->name = name;
	table->title = title;
	table->columns = columns;
	while (columns[table->n_columns].name)
		table->n_columns++;
	table->flags = flags;
	table->shown = SIZE_MAX;
	return table;
}

static void row_clear(const struct table *table, struct table_row *row)
{
	for (size_t i = 0; i < table->n_columns; i++)
		if (row->cells[i].is == TABLE_WORDS)
			free(row->cells[i].words);
	free(row->cells);
	free(row->below);
}

void table_free(struct table *table)
{
	if (!table)
		return;
	for (size_t i = 0; i < table->n_rows; i++)
		row_clear(table, &table->rows[i]);
	free(table->rows);
	free(table->remark);
	free(table);
}

struct table_row *table_row(struct table *table, uint64_t base)
{
	struct table_row *row;

	table->rows = mem_grow(table->rows, &table->room, table->n_rows,
			       sizeof(*table->rows));
	row = &table->rows[table->n_rows++];
	*row = (struct table_row){
		.cells = mem_alloc(table->n_columns, sizeof(*row->cells)),
		.base = base,
	};
	table->at = 0;
	return row;
}

static struct table_cell *next_cell(struct table *table)
{
	return &table->rows[table->n_rows - 1].cells[table->at++];
}

void table_number(struct table *table, uint64_t number)
{
	*next_cell(table) = (struct table_cell){ .is = TABLE_NUMBER,
						 .number = number };
}

void table_signed(struct table *table, bool negative, uint64_t number)
{
	*next_cell(table) = (struct table_cell){
		.is = TABLE_SIGNED,
		.number = number,
		.negative = negative,
	};
}

void table_real(struct table *table, double real)
{
	*next_cell(table) = (struct table_cell){ .is = TABLE_REAL,
						 .real = real };
}

void table_words(struct table *table, const char *words)
{
	*next_cell(table) = (struct table_cell){ .is = TABLE_WORDS,
						 .words = mem_text(words) };
}

void table_none(struct table *table)
{
	next_cell(table)->is = TABLE_NONE;
}

void table_number_if(struct table *table, bool is, uint64_t number)
{
	if (is)
		table_number(table, number);
	else
		table_none(table);
}

void table_share(struct table *table, uint64_t part, uint64_t whole)
{
	if (whole)
		table_real(table, 100.0 * (double)part / (double)whole);
	else
		table_none(table);
}

static int compare_cells(const struct table_cell *a, const struct table_cell *b)
{
	if (a->is != b->is)
		return a->is == TABLE_NONE ? 1 : -1;
	if (a->is == TABLE_NONE)
		return 0;
	if (a->is == TABLE_WORDS)
		return strcmp(a->words, b->words);
	return (a->number < b->number) - (a->number > b->number);
}

/* Sorted down, rows that are equal stay as they were. */
static int compare_rows(const void *x, const void *y, void *column)
{
	const struct table_row *a = x;
	const struct table_row *b = y;
	const size_t i = *(const size_t *)column;

	if (a->last != b->last)
		return a->last ? 1 : -1;
	return a->last ? 0 : compare_cells(&a->cells[i], &b->cells[i]);
}

static size_t column_by(const struct table *table, enum table_sort by)
{
	size_t i = 0;

	while (i < table->n_columns && table->columns[i].sort != by)
		i++;
	return i;
}

void table_sort(struct table *table, enum table_sort by,
		enum table_sort otherwise)
{
	size_t column = table->n_columns;

	if (by != TABLE_UNSORTED)
		column = column_by(table, by);
	if (column == table->n_columns && otherwise != TABLE_UNSORTED)
		column = column_by(table, otherwise);
	/* glibc's sort is stable as long as there is memory for it. */
	if (column < table->n_columns && table->n_rows)
		qsort_r(table->rows, table->n_rows, sizeof(*table->rows),
			compare_rows, &column);
}

void table_cut(struct table *table, size_t top)
{
	table->shown = top ? top : SIZE_MAX;
}

bool table_is_hidden(const struct table *table, size_t row)
{
	return row >= table->shown && !table->rows[row].last;
}

size_t table_hidden(const struct table *table)
{
	size_t n = table->more;

	for (size_t i = 0; i < table->n_rows; i++)
		n += table_is_hidden(table, i);
	return n;
}

const struct table_column table_line_columns[] = {
	{ "what", "", TABLE_TEXT, 0, 0 },
	{ "value", "", TABLE_TEXT, 0, 0 },
	{ 0 },
};

void table_line(struct table *table, const char *what, char *value)
{
	table_row(table, 0);
	table_words(table, what);
	table_words(table, value);
	free(value);
}
