/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_TREE_TEXT_H
#define BCS_TREE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tree/tree_fault.h"

#define TREE_NAME_MAX 48 /* with the terminating zero */

/* Text that is read line by line.  It need not end with a zero byte. */
struct tree_text {
	const char *at;
	const char *end;
	unsigned line; /* number of the line last read, from 1 */
};

/* Reads a line, without its newline; false at the end of the text. */
bool tree_text_line(struct tree_text *text, const char **line, size_t *len);

/*
 * Reads the field up to `separator`, or the rest of the line, without
 * surrounding spaces and quotes.  Moves *line past it.  False if there is no
 * further field (*line is NULL).
 */
bool tree_text_field(const char **line, size_t *len, char separator,
		     const char **field, size_t *field_len);

/* Parses a number of digits only; false if there are none, or above `max`. */
bool tree_text_number(const char *field, size_t len, uint64_t max,
		      uint64_t *number);

/* Parses a finite decimal number, with an optional sign.  Returns false if it
 * is none.  Subnormal numbers become 0. */
bool tree_text_real(const char *field, size_t len, double *number);

/* Likewise, but only accepts numbers above 0. */
bool tree_text_positive(const char *field, size_t len, double *number);

/* Copies a name of letters, digits, '-' and '_'; '_' becomes '-'. */
bool tree_text_name(const char *field, size_t len, char name[TREE_NAME_MAX]);

/* Copies a library's name and version, such as "mpich 4.0.2".  Allows spaces
 * and points as well. */
bool tree_text_library(const char *field, size_t len, char name[TREE_NAME_MAX]);

#endif
