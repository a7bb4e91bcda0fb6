/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_INPUT_H
#define BCS_INPUT_H

#include <stddef.h>

/*
 * All of a regular file, or of stdin where `path` is "-".  Returns NULL after
 * it has said why; else the caller's to free.
 */
char *input_read(const char *path, size_t *size);

#endif
