/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_TREE_MAP_H
#define BCS_TREE_MAP_H

/*
 * The decision map of a collective: the fastest method for each number of
 * processes (rows) and bytes (columns) that was measured.
 */
#include "tree/tree_read.h"

#define TREE_ROWS_MAX    1024
#define TREE_COLUMNS_MAX 255
#define TREE_METHODS_MAX 255
#define TREE_TIMES_MAX   (1u << 24) /* rows x columns x methods */

struct tree_map {
	char collective[TREE_NAME_MAX];
	uint32_t *processes;
	size_t n_rows;
	uint64_t *bytes;
	size_t n_columns;
	struct tree_method *methods;
	size_t n_methods;
	double *seconds; /* by row, column, method; NAN: unknown */
	uint8_t *best;   /* by row, column */
	/* Numbers of times that were measured and interpolated, and of points
	 * that had no time and were filled from a neighbour. */
	size_t n_measured;
	size_t n_interpolated;
	size_t n_filled;
};

/*
 * Makes a map from the points of `collective` whose methods `has` accepts
 * (NULL: all).
 *
 * A time that is missing between two known times of its method is interpolated,
 * linearly in logarithms.  That is done along the bytes first, then along the
 * processes.  A point that still has no time is filled from the point of fewer
 * bytes next to it, or else of more bytes.
 *
 * Returns 0; -EINVAL with the reason in `fault`; or -ENOMEM.  Clear with
 * tree_map_clear.
 */
int tree_map_make(struct tree_map *map, const struct tree_points *points,
		  const char *collective,
		  bool (*has)(const char *collective,
			      const struct tree_method *method),
		  struct tree_fault *fault);
void tree_map_clear(struct tree_map *map);

static inline double *tree_map_seconds(const struct tree_map *map, size_t row,
				       size_t column)
{
	return &map->seconds[(row * map->n_columns + column) * map->n_methods];
}

static inline uint8_t tree_map_best(const struct tree_map *map, size_t row,
				    size_t column)
{
	return map->best[row * map->n_columns + column];
}

/* Extra time of `method` over the best one, in percent; NAN if unknown. */
double tree_map_penalty(const struct tree_map *map, size_t row, size_t column,
			uint8_t method);

#endif
