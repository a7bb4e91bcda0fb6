/* SPDX-License-Identifier: BSD-3-Clause */

/* Decides which columns of a table fit the line, in which unit and how wide. */
#include <inttypes.h>
#include <stdlib.h>

#include "analyzer/base/mem.h"
#include "analyzer/run/run.h"
#include "analyzer/show/table_layout.h"
#include "mds/base/utf8.h"

#define GAP      2
#define TEXT_MIN 12

/* A number that is not zero is not rounded to zero. */
static char *scaled_text(double number, const struct unit *unit)
{
	double least = 1;

	for (int i = 0; i < unit->decimals; i++)
		least /= 10;
	if (number > 0 && number / unit->per < least / 2)
		return mem_print("<%.*f", unit->decimals, least);
	return mem_print("%.*f", unit->decimals, number / unit->per);
}

/* Nothing is neither more nor less. */
static char *signed_text(const struct table_cell *cell, const struct unit *unit)
{
	char *number = scaled_text((double)cell->number, unit);
	char *text;

	if (cell->number == 0)
		return number;
	text = mem_print("%c%s", cell->negative ? '-' : '+', number);
	free(number);
	return text;
}

/* The text of a cell; the caller frees it. */
char *table_cell_text(const struct table_layout_column *l,
		      const struct table_row *row, size_t i)
{
	const struct table_cell *cell = &row->cells[i];
	const double number = (double)cell->number;

	switch (cell->is) {
	case TABLE_WORDS:
		return mem_shown(cell->words);
	case TABLE_REAL:
		if (l->column->kind == TABLE_EXACT)
			return mem_print("%.6g", cell->real);
		return mem_print(l->column->flags & TABLE_SIGN ? "%+.1f"
							       : "%.1f",
				 cell->real);
	case TABLE_SIGNED:
		return signed_text(cell, &l->unit);
	case TABLE_NUMBER:
		break;
	default:
		return mem_text("-");
	}
	if (l->as_share)
		return mem_print("%.1f",
				 row->base ? 100 * number / (double)row->base
					   : 0.0);
	if (l->column->kind == TABLE_TIME || l->column->kind == TABLE_BYTES)
		return scaled_text(number, &l->unit);
	if (l->column->kind == TABLE_RANK && cell->number >= RUN_UNRANKED)
		return mem_print("#%" PRIu64, cell->number - RUN_UNRANKED);
	return mem_print("%" PRIu64, cell->number);
}

char *table_title_text(const struct table_layout_column *l)
{
	if (l->as_share || l->column->kind == TABLE_SHARE)
		return mem_print("%s(%%)", l->column->title);
	if (l->column->kind == TABLE_TIME || l->column->kind == TABLE_BYTES)
		return mem_print("%s(%s)", l->column->title, l->unit.name);
	return mem_text(l->column->title);
}

static int rising(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a;
	const uint64_t y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* Whether a column goes by the unit of column `of`. */
static bool shares_unit(const struct table_layout_column *of,
			const struct table_column *column)
{
	const unsigned groups = TABLE_UNIT_A | TABLE_UNIT_B;

	return column == of->column ||
	       column->flags & of->column->flags & groups;
}

/* Adds the numbers of a column that are shown; zeros need no unit. */
static size_t add_numbers(const struct table *table, size_t i,
			  uint64_t *numbers)
{
	size_t n = 0;

	for (size_t r = 0; r < table->n_rows; r++) {
		const struct table_cell *cell = &table->rows[r].cells[i];

		if (!table_is_hidden(table, r) &&
		    (cell->is == TABLE_NUMBER || cell->is == TABLE_SIGNED) &&
		    cell->number > 0)
			numbers[n++] = cell->number;
	}
	return n;
}

/* So that most numbers are not less than 1, and none is all too long. */
static void choose_unit(const struct table *table,
			struct table_layout_column *l)
{
	uint64_t *numbers = mem_alloc(table->n_rows * table->n_columns,
				      sizeof(*numbers));
	uint64_t typical = 0;
	uint64_t max = 0;
	size_t n = 0;

	for (size_t i = 0; i < table->n_columns; i++)
		if (shares_unit(l, &table->columns[i]) &&
		    !(table->columns[i].flags & TABLE_MACHINE))
			n += add_numbers(table, i, numbers + n);
	if (n > 0) {
		qsort(numbers, n, sizeof(*numbers), rising);
		typical = numbers[n / 4];
		max = numbers[n - 1];
	}
	free(numbers);
	l->unit = l->column->kind == TABLE_TIME ? units_time(typical, max)
						: units_bytes(typical, max);
}

static void widen(size_t *width, char *text)
{
	const size_t needed = utf8_width(text);

	if (needed > *width)
		*width = needed;
	free(text);
}

static void lay_out_column(const struct table_layout *layout, size_t i,
			   bool percent)
{
	const struct table *table = layout->table;
	struct table_layout_column *l = &layout->columns[i];

	l->column = &table->columns[i];
	l->shown = !(l->column->flags & TABLE_MACHINE);
	l->as_share = percent && l->column->flags & TABLE_OF_BASE;
	if (l->column->kind == TABLE_TIME || l->column->kind == TABLE_BYTES)
		choose_unit(table, l);
	widen(&l->width, table_title_text(l));
	for (size_t r = 0; r < table->n_rows; r++)
		if (!table_is_hidden(table, r))
			widen(&l->width,
			      table_cell_text(l, &table->rows[r], i));
}

static size_t line_width(const struct table_layout *layout)
{
	size_t width = TABLE_INDENT;
	size_t gap = 0;

	for (size_t i = 0; i < layout->table->n_columns; i++) {
		if (!layout->columns[i].shown)
			continue;
		width += gap + layout->columns[i].width;
		gap = layout->gap;
	}
	return width;
}

static void drop_wide(struct table_layout *layout, size_t width)
{
	for (size_t i = layout->table->n_columns; i > 0; i--) {
		struct table_layout_column *l = &layout->columns[i - 1];

		if (line_width(layout) <= width)
			return;
		if (l->column->flags & TABLE_WIDE)
			l->shown = false;
	}
}

static bool is_elastic(const struct table_column *column)
{
	return column->kind == TABLE_TEXT &&
	       !(column->flags & (TABLE_RIGID | TABLE_RIGHT));
}

/* The widest text gives way first. */
static void cut_texts(struct table_layout *layout, size_t width)
{
	struct table_layout_column *widest;

	do {
		widest = NULL;
		for (size_t i = 0; i < layout->table->n_columns; i++) {
			struct table_layout_column *l = &layout->columns[i];

			if (l->shown && is_elastic(l->column) &&
			    l->width > TEXT_MIN &&
			    (!widest || l->width > widest->width))
				widest = l;
		}
		if (widest && line_width(layout) > width)
			widest->width--;
		else
			widest = NULL;
	} while (widest);
}

void table_layout_make(struct table_layout *layout, const struct table *table,
		       const struct table_look *look)
{
	layout->table = table;
	layout->columns = mem_alloc(table->n_columns, sizeof(*layout->columns));
	layout->gap = GAP;
	for (size_t i = 0; i < table->n_columns; i++)
		lay_out_column(layout, i, look->percent);
	if (line_width(layout) > look->width)
		layout->gap = 1;
	drop_wide(layout, look->width);
	cut_texts(layout, look->width);
}

void table_layout_clear(struct table_layout *layout)
{
	free(layout->columns);
}
