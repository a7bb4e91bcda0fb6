/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_UTF8_H
#define BCS_UTF8_H

#include <stddef.h>

/* The bytes of the character that `text` begins with; 0 if it is none. */
unsigned utf8_length(const char *text);

/* The columns that a text takes, as near as counting its characters gets. */
size_t utf8_width(const char *text);

/*
 * Cuts a text in place so that it takes `width` columns at most, four or more,
 * with "..." where something is lost: at the end or, of a tail, at the
 * beginning.
 */
void utf8_cut(char *text, size_t width);
void utf8_cut_to_tail(char *text, size_t width);

#endif
