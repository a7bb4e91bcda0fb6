/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_REPORT_BAR_H
#define BCS_REPORT_BAR_H

#include <stdint.h>

#define REPORT_BAR 16 /* characters of the longest bar */

/* A bar as long as the part is of the whole; `bar` has room for one more. */
void report_bar(char *bar, uint64_t part, uint64_t whole);

#endif
