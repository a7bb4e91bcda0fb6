/* SPDX-License-Identifier: BSD-3-Clause */

/* A share as a bar of letters. */
#include <string.h>

#include "analyzer/report/report_bar.h"

void report_bar(char *bar, uint64_t part, uint64_t whole)
{
	const double share = whole ? (double)part / (double)whole : 0;
	const size_t n = (size_t)(share * REPORT_BAR + 0.5);

	memset(bar, '#', n);
	bar[n] = '\0';
}
