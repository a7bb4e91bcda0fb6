/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_TREE_INPUT_H
#define BCS_TREE_INPUT_H

#include <stddef.h>

/*
 * All of a regular file, or of stdin where `path` is "-".  Returns NULL after
 * it has said why; else the caller's to free.
 */
char *tree_input_read(const char *path, size_t *size);

#endif
