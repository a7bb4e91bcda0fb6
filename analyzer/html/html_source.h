/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_HTML_SOURCE_H
#define BCS_HTML_SOURCE_H

#include "analyzer/show/table.h"

/*
 * Puts the line of the source under each row of a table that has the columns
 * `file`, `line` and `module`, where the file is at hand.  A source that is
 * newer than the program is not the one that ran: its lines are left out, and
 * a remark says so.
 */
void html_source(struct table *table);

#endif
