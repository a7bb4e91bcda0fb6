/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_RECORD_ENCODE_H
#define BCS_RECORD_ENCODE_H

#include <stddef.h>
#include <stdint.h>

/* Fields as the file has them, made without the C library (record.h). */
#define RECORD_DIGITS 20 /* digits of the largest decimal number */

/* Writes the digits of `value`, without a zero byte; returns how many. */
size_t record_encode_number(char *to, uint64_t value, unsigned base);
/* Bytes of a text that are written, at most RECORD_TEXT_MAX. */
size_t record_encode_length(const char *text);
/* Writes a byte of a text as one or three; returns how many. */
size_t record_encode_byte(char *to, char byte);

#endif
