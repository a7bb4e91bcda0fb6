/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHIM_HANG_WORDS_H
#define SHIM_HANG_WORDS_H

/* Text that is put together piece by piece; what has no room is left out. */
#include <stddef.h>
#include <stdint.h>

struct hang_words {
	char *at;
	size_t left;
};

__attribute__((format(printf, 2, 3))) void hang_say(struct hang_words *words,
						    const char *format, ...);
/* "rank 1", "ranks 0, 2" */
void hang_say_ranks(struct hang_words *words, const int32_t *ranks, int n);
/* The name of a call, as struct blocked_group has it. */
const char *hang_call_name(unsigned call);

#endif
