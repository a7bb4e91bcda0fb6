/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_TREE_TIMES_H
#define BCS_TREE_TIMES_H

#include <stdio.h>

/*
 * Prints made-up measurements of broadcasts as CSV: 2 to 50 processes and 4
 * bytes to 2 MiB. They are as many and as noisy as the paper's.
 */
void tree_times_put(const char *collective, FILE *to);

#endif
