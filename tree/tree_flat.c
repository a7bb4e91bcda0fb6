/* SPDX-License-Identifier: BSD-3-Clause */

/* The look-up table of a tree: merges equal rows and columns of the map. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tree/tree_flat.h"

/* A map of decisions.  Lines that repeat the one before them are removed. */
struct grid {
	uint8_t *cells;
	uint32_t *processes;
	uint64_t *bytes;
	struct tree_method *methods;
	size_t n_rows;
	size_t n_columns;
	size_t n_methods;
};

static int grid_make(struct grid *grid, const struct tree_quad *quad)
{
	const struct tree_map *map = quad->map;

	*grid = (struct grid){ .n_rows = map->n_rows,
			       .n_columns = map->n_columns };
	grid->cells = calloc(map->n_rows, map->n_columns);
	grid->processes = calloc(map->n_rows, sizeof(*grid->processes));
	grid->bytes = calloc(map->n_columns, sizeof(*grid->bytes));
	grid->methods = calloc(map->n_methods, sizeof(*grid->methods));
	if (!grid->cells || !grid->processes || !grid->bytes || !grid->methods)
		return -ENOMEM;
	for (size_t r = 0; r < map->n_rows; r++)
		for (size_t c = 0; c < map->n_columns; c++)
			grid->cells[r * map->n_columns + c] = tree_quad_method(
				quad, r, c);
	return 0;
}

static void grid_clear(struct grid *grid)
{
	free(grid->cells);
	free(grid->processes);
	free(grid->bytes);
	free(grid->methods);
}

/* The first range begins at 0, whatever was measured first. */
static void merge_rows(struct grid *grid, const uint32_t *processes)
{
	const size_t width = grid->n_columns;
	size_t kept = 0;

	for (size_t r = 0; r < grid->n_rows; r++) {
		const uint8_t *row = grid->cells + r * width;

		if (kept &&
		    memcmp(grid->cells + (kept - 1) * width, row, width) == 0)
			continue;
		grid->processes[kept] = kept ? processes[r] : 0;
		memmove(grid->cells + kept++ * width, row, width);
	}
	grid->n_rows = kept;
}

static bool is_repeated(const struct grid *grid, size_t column, size_t width)
{
	for (size_t r = 0; r < grid->n_rows; r++)
		if (grid->cells[r * width + column] !=
		    grid->cells[r * width + column - 1])
			return false;
	return true;
}

static void merge_columns(struct grid *grid, const uint64_t *bytes)
{
	const size_t width = grid->n_columns;
	bool keep[TREE_COLUMNS_MAX] = { false };
	size_t n = 0;

	grid->n_columns = 0;
	for (size_t c = 0; c < width; c++) {
		keep[c] = c == 0 || !is_repeated(grid, c, width);
		if (keep[c])
			grid->bytes[grid->n_columns++] = c ? bytes[c] : 0;
	}
	for (size_t i = 0; i < grid->n_rows * width; i++)
		if (keep[i % width])
			grid->cells[n++] = grid->cells[i];
}

/* Numbers the methods that are still used from 0. */
static void merge_methods(struct grid *grid, const struct tree_method *methods)
{
	int numbers[TREE_METHODS_MAX];
	uint8_t *cell = grid->cells;

	memset(numbers, -1, sizeof(numbers));
	for (size_t i = 0; i < grid->n_rows * grid->n_columns; i++, cell++) {
		if (numbers[*cell] < 0) {
			numbers[*cell] = (int)grid->n_methods;
			grid->methods[grid->n_methods++] = methods[*cell];
		}
		*cell = (uint8_t)numbers[*cell];
	}
}

int tree_flat_make(struct tree_flat *flat, const struct tree_quad *quad)
{
	const struct tree_map *map = quad->map;
	struct grid grid;
	int rc = grid_make(&grid, quad);

	if (rc == 0) {
		merge_rows(&grid, map->processes);
		merge_columns(&grid, map->bytes);
		merge_methods(&grid, map->methods);
		rc = tree_flat_from_ranges(
			flat, &(struct tree_ranges){
				      .collective = map->collective,
				      .methods = grid.methods,
				      .n_methods = grid.n_methods,
				      .processes = grid.processes,
				      .n_rows = grid.n_rows,
				      .bytes = grid.bytes,
				      .n_columns = grid.n_columns,
				      .cells = grid.cells,
			      });
		flat->fewest = map->processes[0];
	}
	grid_clear(&grid);
	return rc;
}
