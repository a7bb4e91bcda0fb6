/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_RECORD_FIELD_H
#define BCS_RECORD_FIELD_H

#include <stdint.h>

/*
 * Readers of the fields of a line (FORMAT.md).  Each reads one field at `p` and
 * returns the text after it, or NULL if it is not of that kind.  None reads
 * past a control byte.
 */
char *record_field_decimal(char *p);
char *record_field_hex(char *p);
/* Decodes in place; *end_p is set to the end of the decoded text. */
char *record_field_text(char *p, char **end_p);

/* The value of a whole text; 0 if it is no number below 2^64. */
uint64_t record_field_value(const char *text, unsigned base);

#endif
