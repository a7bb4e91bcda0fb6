/* SPDX-License-Identifier: BSD-3-Clause */

/* Adds up histograms into one distribution, and reads percentiles from it. */
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/dist.h"
#include "analyzer/base/mem.h"
#include "mds/base/hist.h"

static unsigned place(uint64_t low)
{
	return hist_bucket(low, HIST_BITS_MAX);
}

/* Finds the first bucket at or after the place of `low`. */
static size_t search(const struct dist *dist, uint64_t low)
{
	size_t from = 0;
	size_t to = dist->n;

	while (from < to) {
		const size_t middle = (from + to) / 2;

		if (place(dist->buckets[middle].low) < place(low))
			from = middle + 1;
		else
			to = middle;
	}
	return from;
}

static void insert(struct dist *dist, size_t at, uint64_t low, uint64_t high)
{
	struct dist_bucket *b;

	dist->buckets = mem_grow(dist->buckets, &dist->room, dist->n,
				 sizeof(*dist->buckets));
	b = &dist->buckets[at];
	memmove(b + 1, b, (dist->n - at) * sizeof(*b));
	*b = (struct dist_bucket){ .low = low, .high = high };
	dist->n++;
}

void dist_add(struct dist *dist, uint64_t low, uint64_t high, uint64_t count)
{
	const size_t at = search(dist, low);
	struct dist_bucket *b;

	if (count == 0 || low > high)
		return;
	if (at == dist->n || place(dist->buckets[at].low) != place(low))
		insert(dist, at, low, high);
	b = &dist->buckets[at];
	if (low < b->low)
		b->low = low;
	if (high > b->high)
		b->high = high;
	b->count = sat_add(b->count, count);
	dist->count = sat_add(dist->count, count);
}

void dist_merge(struct dist *dist, const struct dist *more)
{
	for (size_t i = 0; i < more->n; i++)
		dist_add(dist, more->buckets[i].low, more->buckets[i].high,
			 more->buckets[i].count);
}

static const struct dist_bucket *bucket_of(const struct dist *dist,
					   double percent)
{
	const double wanted = percent / 100 * (double)dist->count;
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i + 1 < dist->n; i++) {
		sum = sat_add(sum, dist->buckets[i].count);
		if ((double)sum >= wanted)
			break;
	}
	return &dist->buckets[i];
}

uint64_t dist_percentile(const struct dist *dist, double percent, uint64_t min,
			 uint64_t max)
{
	const struct dist_bucket *b;
	uint64_t middle;

	if (dist->n == 0)
		return 0;
	b = bucket_of(dist, percent);
	middle = b->low + (b->high - b->low) / 2;
	if (middle > max)
		middle = max;
	return middle < min ? min : middle;
}

void dist_clear(struct dist *dist)
{
	free(dist->buckets);
	*dist = (struct dist){ 0 };
}
