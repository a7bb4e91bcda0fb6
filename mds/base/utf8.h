/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_UTF8_H
#define BCS_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Length of the first character of `text` in bytes; 0 if it is invalid. */
unsigned utf8_length(const char *text);

/* The code point of a character of `length` bytes. */
uint32_t utf8_number(const char *text, unsigned length);

/*
 * Whether a character only appears on a terminal.  Control characters and
 * changes of direction do more than that.
 */
bool utf8_is_harmless(const char *text, unsigned length);

/* most bytes that one byte becomes */
#define UTF8_ESCAPED 4

/*
 * Copies a text for a terminal, as many whole characters as fit into `size`
 * bytes.  A control character or an invalid byte becomes "\x1b", any other
 * harmful character "\u202e".  A text that is escaped already stays as it is.
 * May be called from a signal handler.
 */
void utf8_escape(char *to, size_t size, const char *text);

/* Width of a text in columns, taken as its number of characters. */
size_t utf8_width(const char *text);

/*
 * Cuts a text in place to `width` columns, at least four. "..." marks the cut,
 * at the end, or for a tail at the beginning.
 */
void utf8_cut(char *text, size_t width);
void utf8_cut_to_tail(char *text, size_t width);

#endif
