/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_RECORD_ENCODE_H
#define BCS_RECORD_ENCODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Fields as the file has them, made without the C library (record.h). */
#define RECORD_DIGITS 20 /* digits of the largest decimal number */

/* Write the digits of `value`, without a zero byte, and return how many. */
size_t record_encode_decimal(char *to, uint64_t value);
size_t record_encode_hex(char *to, uint64_t value);
/* Bytes of a text that are written, at most RECORD_TEXT_MAX. */
size_t record_encode_length(const char *text);
/* Whether these bytes of a text are written as they are. */
bool record_encode_copies(const char *text, size_t len);
/* Writes a byte of a text as one or three; returns how many. */
size_t record_encode_byte(char *to, char byte);

#endif
