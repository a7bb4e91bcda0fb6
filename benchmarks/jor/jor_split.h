/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef JOR_SPLIT_H
#define JOR_SPLIT_H

#include <stdbool.h>

/* Two sites out of round-trip times; it knows no MPI. */

/* How much slower a link between sites is than those within, at least. */
#define SPLIT_SLOWER 2

struct split {
	double within;  /* the slowest that a site needs to be one */
	double between; /* the fastest of those between */
};

/*
 * Of n things, times[i * n + j] from i to j with i < j: into site[] 0, which
 * the first is in, and 1.  False if they do not tell two sites apart.
 */
bool split_pairs(int n, const double times[], int site[], struct split *split);

/* The same by those from the first to each: times[0] is not looked at. */
bool split_first(int n, const double times[], int site[], struct split *split);

#endif
