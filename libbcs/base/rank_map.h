/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_RANK_MAP_H
#define BCS_RANK_MAP_H

#include <stdint.h>

/*
 * A compact array of numbers that is mostly regular, such as the node of each
 * process.  The map stores runs of equal steps, or plain numbers where they
 * take less.  A word for each process of a large job would be too much.
 */
struct rank_map_run {
	uint32_t first; /* index of the run's first number */
	uint32_t value;
	uint32_t step;
};

struct rank_map {
	uint32_t n;
	uint32_t n_runs; /* 0: plain numbers in `each` */
	union {
		uint32_t *each;
		struct rank_map_run *runs;
	};
};

/* Return 0 or -errno; after an error there is nothing to free. */
int rank_map_keep(struct rank_map *map, const uint32_t *each, uint32_t n);
int rank_map_copy(struct rank_map *to, const struct rank_map *from);
void rank_map_free(struct rank_map *map);
uint64_t rank_map_bytes(const struct rank_map *map);

static inline uint32_t rank_map_at(const struct rank_map *map, uint32_t i)
{
	const struct rank_map_run *run = map->runs;
	uint32_t n = map->n_runs;

	if (n == 0)
		return map->each[i];
	while (n > 1) {
		if (run[n / 2].first <= i) {
			run += n / 2;
			n -= n / 2;
		} else {
			n /= 2;
		}
	}
	return run->value + (i - run->first) * run->step;
}

#endif
