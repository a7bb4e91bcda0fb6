/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_WAITS_MAP_H
#define BCS_WAITS_MAP_H

#include <stddef.h>
#include <stdint.h>

/*
 * A map from numbers to numbers, from which entries are removed again.  A value
 * of 0 means that there is no entry.  A zeroed struct is empty.
 */
struct waits_map {
	struct waits_map_entry *entries;
	size_t mask; /* places - 1 */
	size_t n;
};

uint64_t waits_map_get(const struct waits_map *map, uint64_t key);
/* `value` is not 0. */
void waits_map_put(struct waits_map *map, uint64_t key, uint64_t value);
/* Removes the entry, and returns its value. */
uint64_t waits_map_take(struct waits_map *map, uint64_t key);
/* Calls `each` with each value. */
void waits_map_each(const struct waits_map *map, void (*each)(uint64_t value));
void waits_map_clear(struct waits_map *map);

#endif
