/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_NUMBER_H
#define BCS_NUMBER_H

#include <stdbool.h>
#include <stddef.h>

/*
 * A finite decimal number, with a sign or without; `text` need not end with a
 * zero.  False if it is none; one too small to be normal becomes 0.
 */
bool number_read(const char *text, size_t len, double *number);

#endif
