/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The readers of measurements and of saved trees.  Accepted input becomes a
 * tree or its lookup table, which answers for any size.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "tree/tree_save.h"

static void fail_if(bool wrong)
{
	if (wrong)
		abort();
}

static void ask(const struct tree_flat *flat)
{
	const uint8_t *row;

	for (uint32_t p = 0; p < 40; p++) {
		row = tree_flat_row(flat, p);
		for (unsigned i = 0; i < 64; i++)
			fail_if(tree_flat_method(flat, row, UINT64_MAX >> i) >=
				flat->n_methods);
	}
}

static void check_map(const struct tree_map *map)
{
	for (size_t r = 0; r < map->n_rows; r++)
		for (size_t c = 0; c < map->n_columns; c++)
			fail_if(tree_map_penalty(map, r, c,
						 tree_map_best(map, r, c)) !=
				0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	struct tree_fault fault = { "" };
	struct tree_points points;
	struct tree_flat flat;
	struct tree_map map;

	if (tree_save_read(&flat, text, size, &fault) == 0) {
		ask(&flat);
		tree_flat_clear(&flat);
	} else {
		fail_if(*fault.text == '\0');
	}
	if (tree_read_csv(&points, text, size, &fault) != 0)
		return 0;
	if (tree_map_make(&map, &points, points.points[0].collective, NULL,
			  &fault) == 0) {
		check_map(&map);
		tree_map_clear(&map);
	}
	tree_points_clear(&points);
	return 0;
}
