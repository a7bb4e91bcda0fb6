/* SPDX-License-Identifier: BSD-3-Clause */

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "pmpi-shim/route/hang/hang_words.h"
#include "pmpi-shim/shim.h"

void hang_say(struct hang_words *words, const char *format, ...)
{
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(words->at, words->left, format, args);
	va_end(args);
	if (n < 0)
		return;
	if ((size_t)n >= words->left)
		n = words->left ? (int)words->left - 1 : 0;
	words->at += n;
	words->left -= (size_t)n;
}

void hang_say_ranks(struct hang_words *words, const int32_t *ranks, int n)
{
	hang_say(words, n > 1 ? "ranks " : "rank ");
	for (int i = 0; i < n; i++)
		hang_say(words, "%s%" PRId32, i ? ", " : "", ranks[i]);
}

const char *hang_call_name(unsigned call)
{
	return call < SHIM_N_CALLS ? shim_names[call] : "a call of MPI";
}
