/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_TREE_TIMES_H
#define BCS_TREE_TIMES_H

#include <stdio.h>

/*
 * Made-up measurements of broadcasts, as CSV: of 2 to 50 processes and 4 bytes
 * to 2 MiB, as many as the paper has, and as noisy.
 */
void tree_times_put(const char *collective, FILE *to);

#endif
