/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_HTML_SOURCE_H
#define BCS_HTML_SOURCE_H

#include "analyzer/show/table.h"

/*
 * Puts the line of source under each row, where the file is at hand.  The table
 * has the columns `file`, `line` and `module`.  A source that is newer than the
 * program may have other lines: they are left out, and a remark says so.
 */
void html_source(struct table *table);

#endif
