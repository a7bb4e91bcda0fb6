/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_TABLE_PLAIN_H
#define BCS_TABLE_PLAIN_H

#include "analyzer/show/table_show.h"

/*
 * The rows of a table of texts as sentences, wrapped; with two columns the
 * first names what the second tells.
 */
void table_show_plain(const struct table *table, const struct table_look *look);

/* A text, wrapped between words, from column `indent` on; ends the line. */
void table_wrap(const char *text, size_t indent, size_t width);

#endif
