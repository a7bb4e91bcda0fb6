/* SPDX-License-Identifier: BSD-3-Clause */

/* A hash table with linear probing.  Removal closes the gap it makes. */
#include <stdlib.h>

#include "analyzer/base/mem.h"
#include "analyzer/waits/waits_map.h"

struct waits_map_entry {
	uint64_t key;
	uint64_t value; /* 0: free */
};

static size_t home_of(const struct waits_map *map, uint64_t key)
{
	return (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 20) & map->mask;
}

/* The place of the key, or the free one where it would be. */
static size_t find(const struct waits_map *map, uint64_t key)
{
	size_t at = home_of(map, key);

	while (map->entries[at].value && map->entries[at].key != key)
		at = (at + 1) & map->mask;
	return at;
}

static void grow(struct waits_map *map)
{
	const struct waits_map old = *map;

	map->mask = old.entries ? 2 * old.mask + 1 : 15;
	map->entries = mem_alloc(map->mask + 1, sizeof(*map->entries));
	for (size_t i = 0; old.entries && i <= old.mask; i++)
		if (old.entries[i].value)
			map->entries[find(map, old.entries[i].key)] =
				old.entries[i];
	free(old.entries);
}

uint64_t waits_map_get(const struct waits_map *map, uint64_t key)
{
	return map->entries ? map->entries[find(map, key)].value : 0;
}

void waits_map_put(struct waits_map *map, uint64_t key, uint64_t value)
{
	size_t at;

	if (!map->entries || 2 * map->n > map->mask)
		grow(map);
	at = find(map, key);
	map->n += map->entries[at].value == 0;
	map->entries[at] = (struct waits_map_entry){ key, value };
}

/* Moves entries back that could not have their place for the one at `gap`. */
static void close_gap(struct waits_map *map, size_t gap)
{
	size_t at = gap;

	for (;;) {
		at = (at + 1) & map->mask;
		if (!map->entries[at].value)
			break;
		if (((at - home_of(map, map->entries[at].key)) & map->mask) <
		    ((at - gap) & map->mask))
			continue;
		map->entries[gap] = map->entries[at];
		gap = at;
	}
	map->entries[gap].value = 0;
}

uint64_t waits_map_take(struct waits_map *map, uint64_t key)
{
	uint64_t value;
	size_t at;

	if (!map->entries)
		return 0;
	at = find(map, key);
	value = map->entries[at].value;
	if (value) {
		close_gap(map, at);
		map->n--;
	}
	return value;
}

void waits_map_each(const struct waits_map *map, void (*each)(uint64_t value))
{
	for (size_t i = 0; map->entries && i <= map->mask; i++)
		if (map->entries[i].value)
			each(map->entries[i].value);
}

void waits_map_clear(struct waits_map *map)
{
	free(map->entries);
	*map = (struct waits_map){ 0 };
}
