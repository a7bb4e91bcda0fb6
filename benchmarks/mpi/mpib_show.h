/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_MPIB_SHOW_H
#define BCS_MPIB_SHOW_H

#include "mpib_options.h"

/* The names of a figure. */
struct mpib_label {
	const char *what;
	const char *algorithm;
	int bytes;
	const int *pair; /* NULL, or two ranks */
	/* Of patterns: messages in a repetition; 0 of all others. */
	int64_t messages;
	const struct mpib_overlap *overlap; /* NULL, or of nonblocking ones */
};

/* Figures as the options have it, by rank 0; the options have to last. */
void mpib_show_head(const struct mpib_options *options, bool crowded);
void mpib_show(const struct mpib_label *label,
	       const struct mpib_result *result);
void mpib_show_end(void);

#endif
