/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_TABLE_LAYOUT_H
#define BCS_TABLE_LAYOUT_H

#include "analyzer/base/units.h"
#include "analyzer/show/table_show.h"

/*
 * The layout of a table for people: which columns the line has room for, their
 * units and widths.  If there is no room, blanks between columns go first, then
 * columns that can be missed, then the ends of texts.
 */
#define TABLE_INDENT 2

struct table_layout_column {
	const struct table_column *column;
	bool shown;
	bool as_share; /* of the row's base */
	struct unit unit;
	size_t width;
};

struct table_layout {
	const struct table *table;
	struct table_layout_column *columns;
	size_t gap;
};

void table_layout_make(struct table_layout *layout, const struct table *table,
		       const struct table_look *look);
void table_layout_clear(struct table_layout *layout);

/* The text of a column's title, and of its cell in a row; the caller's. */
char *table_title_text(const struct table_layout_column *column);
char *table_cell_text(const struct table_layout_column *column,
		      const struct table_row *row, size_t i);

#endif
