/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef JOR_TRIPS_H
#define JOR_TRIPS_H

#include "jor_slow.h"

/* Round trips between processes of the world, all of which call these alike. */
struct trips {
	const struct slow *slow;
	const int
		*group; /* of each process: between two it is slowed; or NULL */
};

/* The median of batches' fastest, in seconds, at all processes. */
double trips_between(const struct trips *trips, int a, int b);

/* Measures all pairs i < j of n ranks: times[i * n + j]. */
void trips_pairs(const struct trips *trips, int n, const int ranks[],
		 double times[]);

/* Measures from the first to each. */
void trips_first(const struct trips *trips, int n, const int ranks[],
		 double times[]);

#endif
