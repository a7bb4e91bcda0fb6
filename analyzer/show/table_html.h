/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_TABLE_HTML_H
#define BCS_TABLE_HTML_H

#include <stdio.h>

#include "analyzer/show/table.h"

/* A text as HTML has it, in an element or a quoted attribute. */
void table_html_text(FILE *to, const char *text);

/*
 * The table as HTML, without its title.  The columns and the text of the cells
 * are those of a terminal of any width.  The attribute data-k of a title is the
 * column's name in JSON.  A rounded number has its value in JSON as data-v. The
 * first rows of a long table are shown, and a box unfolds the rest.  `id` is
 * that of a heading before it.
 */
void table_html(FILE *to, const struct table *table, const char *id);

#endif
