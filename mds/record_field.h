/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_RECORD_FIELD_H
#define BCS_RECORD_FIELD_H

#include <stdint.h>

/*
 * The fields of a line (FORMAT.md).  Each takes one off the line at `p` and
 * returns what follows it, or NULL if there is none of the kind.  None goes
 * past a control byte.
 */
char *record_field_decimal(char *p);
char *record_field_hex(char *p);
/* Decodes in place; *end_p is where the text ends then. */
char *record_field_text(char *p, char **end_p);

/* The value of a whole text; 0 if it is no number below 2^64. */
uint64_t record_field_value(const char *text, unsigned base);

#endif
