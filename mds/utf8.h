/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_UTF8_H
#define BCS_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The bytes of the character that `text` begins with; 0 if it is none. */
unsigned utf8_length(const char *text);

/* The number of a character of `length` bytes. */
uint32_t utf8_number(const char *text, unsigned length);

/*
 * True if a character of `length` bytes only appears on a terminal. A control
 * character or a change of direction is not harmless.
 */
bool utf8_is_harmless(const char *text, unsigned length);

/* A byte becomes four at most. */
#define UTF8_ESCAPED 4

/*
 * Copies a text for a terminal, as far as whole characters fit into `size`
 * bytes. "\x1b" stands for a control character or an invalid byte; "\u202e"
 * stands for another harmful character. A text that has been escaped stays as
 * it is. May be called from a signal handler.
 */
void utf8_escape(char *to, size_t size, const char *text);

/* The columns that a text takes, as near as counting its characters gets. */
size_t utf8_width(const char *text);

/*
 * Cuts a text in place to `width` columns, at least four. "..." marks the cut:
 * at the end or, of a tail, at the beginning.
 */
void utf8_cut(char *text, size_t width);
void utf8_cut_to_tail(char *text, size_t width);

#endif
