/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_TREE_TEXT_H
#define BCS_TREE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tree/tree_fault.h"

#define TREE_NAME_MAX 48 /* with the zero at its end */

/* Text that is read line by line; it need not end with a zero. */
struct tree_text {
	const char *at;
	const char *end;
	unsigned line; /* the one that was read last, from 1 */
};

/* A line without its end; false if there is none left. */
bool tree_text_line(struct tree_text *text, const char **line, size_t *len);

/*
 * The field up to `separator`, or the rest; spaces and a pair of quotes around
 * it are dropped.  Moves *line behind it; false if none is left (*line is
 * NULL).
 */
bool tree_text_field(const char **line, size_t *len, char separator,
		     const char **field, size_t *field_len);

/* Of digits alone; false if it is none, or more than `max`. */
bool tree_text_number(const char *field, size_t len, uint64_t max,
		      uint64_t *number);

/* A finite decimal number, with a sign or without; false if it is none.  One
 * too small to be normal becomes 0. */
bool tree_text_real(const char *field, size_t len, double *number);

/* The same, more than 0. */
bool tree_text_positive(const char *field, size_t len, double *number);

/* Letters, digits, '-' and '_', of which the latter becomes the former. */
bool tree_text_name(const char *field, size_t len, char name[TREE_NAME_MAX]);

/* A name and a version, as "mpich 4.0.2": also with spaces and points. */
bool tree_text_library(const char *field, size_t len, char name[TREE_NAME_MAX]);

#endif
