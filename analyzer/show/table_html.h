/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_TABLE_HTML_H
#define BCS_TABLE_HTML_H

#include <stdio.h>

#include "analyzer/show/table.h"

/* A text as HTML has it, in an element or a quoted attribute. */
void table_html_text(FILE *to, const char *text);

/*
 * The table as HTML, without its title.  The columns and the text of the cells
 * are those of a terminal of any width.  A number that was rounded for people
 * has the attribute data-v, as it is in JSON, and data-k of the column's title
 * is the column's name there.  `id` is unique in the page.  Of a long table the
 * first rows are shown, and a box unfolds the rest.
 */
void table_html(FILE *to, const struct table *table, const char *id);

#endif
