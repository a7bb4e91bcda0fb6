/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_INPUT_H
#define BCS_INPUT_H

#include <stddef.h>

#include "mds/base/reading.h"

/*
 * Reads a whole file, or stdin if `path` is "-".  Returns NULL after an error
 * message.  The caller frees the text.
 */
char *input_read(const char *path, enum reading_from from, size_t *size);

#endif
