/* SPDX-License-Identifier: BSD-3-Clause */

/* Numbers kept as runs of equal steps, or plain where that takes less. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "libbcs/base/rank_map.h"

/* The run that begins at a place; how long it is. */
static uint32_t run_at(const uint32_t *each, uint32_t n, uint32_t first,
		       struct rank_map_run *run)
{
	uint32_t end = first + 1;

	*run = (struct rank_map_run){ first, each[first], 0 };
	if (end == n)
		return 1;
	run->step = each[end] - each[first];
	while (end < n && each[end] - each[end - 1] == run->step)
		end++;
	return end - first;
}

static uint32_t runs_count(const uint32_t *each, uint32_t n)
{
	struct rank_map_run run;
	uint32_t n_runs = 0;

	for (uint32_t i = 0; i < n; n_runs++)
		i += run_at(each, n, i, &run);
	return n_runs;
}

static void runs_fill(struct rank_map *map, const uint32_t *each)
{
	struct rank_map_run *run = map->runs;

	for (uint32_t i = 0; i < map->n; run++)
		i += run_at(each, map->n, i, run);
}

uint64_t rank_map_bytes(const struct rank_map *map)
{
	return map->n_runs ? map->n_runs * sizeof(*map->runs)
			   : map->n * sizeof(*map->each);
}

static int memory_get(struct rank_map *map)
{
	map->each = malloc(rank_map_bytes(map) + 1);
	return map->each ? 0 : -ENOMEM;
}

int rank_map_keep(struct rank_map *map, const uint32_t *each, uint32_t n)
{
	const uint32_t n_runs = runs_count(each, n);

	map->n = n;
	map->n_runs = n_runs * sizeof(*map->runs) < n * sizeof(*each) ? n_runs
								      : 0;
	if (memory_get(map) != 0)
		return -ENOMEM;
	if (map->n_runs)
		runs_fill(map, each);
	else
		memcpy(map->each, each, rank_map_bytes(map));
	return 0;
}

int rank_map_copy(struct rank_map *to, const struct rank_map *from)
{
	*to = *from;
	if (memory_get(to) != 0)
		return -ENOMEM;
	memcpy(to->each, from->each, rank_map_bytes(from));
	return 0;
}

void rank_map_free(struct rank_map *map)
{
	free(map->each);
	map->each = NULL;
}
