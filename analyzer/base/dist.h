/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_DIST_H
#define BCS_DIST_H

#include <stddef.h>
#include <stdint.h>

/*
 * A distribution, made of the buckets of many histograms.  It has only
 * non-empty buckets, by rising value.  A zeroed struct is empty.
 */
struct dist_bucket {
	uint64_t low;
	uint64_t high;
	uint64_t count;
};

struct dist {
	struct dist_bucket *buckets;
	size_t n;
	size_t room;
	uint64_t count;
};

/* A sum that stops at UINT64_MAX instead of wrapping. */
static inline uint64_t sat_add(uint64_t a, uint64_t b)
{
	return a + b < a ? UINT64_MAX : a + b;
}

/* Adds to a distribution.  Buckets finer than those of our histograms are
 * merged. */
void dist_add(struct dist *dist, uint64_t low, uint64_t high, uint64_t count);

void dist_merge(struct dist *dist, const struct dist *more);

/*
 * The value that `percent` of all values do not exceed: the middle of its
 * bucket, limited to `min` and `max`.  0 for an empty distribution.
 */
uint64_t dist_percentile(const struct dist *dist, double percent, uint64_t min,
			 uint64_t max);

void dist_clear(struct dist *dist);

#endif
