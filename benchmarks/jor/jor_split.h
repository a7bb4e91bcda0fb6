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
 * Splits n things by all pairs: times[i * n + j] is from i to j, with i < j.
 * site[] is 0 for the first and those with it, else 1.  False if the times do
 * not tell two sites apart.
 */
bool split_pairs(int n, const double times[], int site[], struct split *split);

/* Splits by the times from the first to each: times[0] is not used. */
bool split_first(int n, const double times[], int site[], struct split *split);

#endif
