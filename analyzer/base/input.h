/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_INPUT_H
#define BCS_INPUT_H

#include <stddef.h>

#include "mds/reading.h"

/*
 * All of a file, or of stdin where `path` is "-".  Returns NULL after it has
 * said why; else the caller's to free.
 */
char *input_read(const char *path, enum reading_from from, size_t *size);

#endif
