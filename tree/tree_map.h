/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_TREE_MAP_H
#define BCS_TREE_MAP_H

/*
 * The decision map of a collective: which method is the best, over the number
 * of processes (rows) and the bytes (columns) that were measured.
 */
#include "tree/tree_read.h"

#define TREE_ROWS_MAX    1024
#define TREE_COLUMNS_MAX 255
#define TREE_METHODS_MAX 255
#define TREE_TIMES_MAX   (1u << 24) /* of all methods at all points */

struct tree_map {
	char collective[TREE_NAME_MAX];
	uint32_t *processes;
	size_t n_rows;
	uint64_t *bytes;
	size_t n_columns;
	struct tree_method *methods;
	size_t n_methods;
	double *seconds; /* by row, column, method; NAN: not known */
	uint8_t *best;   /* by row, column */
	/* Of the times: measured, interpolated; and points without any. */
	size_t n_measured;
	size_t n_interpolated;
	size_t n_filled;
};

/*
 * Of the points of `collective`, whose methods `has` says yes to (NULL: all).
 * A time that is missing between two of its method is interpolated, by their
 * logarithms, along the bytes, else along the processes; a point that has no
 * time at all is as the one of fewer bytes before it, else of more bytes after
 * it.  Returns 0 or, with the reason in `fault`, -EINVAL; or -ENOMEM.  To be
 * cleared.
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

/* How much longer it takes with `method` than with the best, in percent; NAN if
 * that is not known. */
double tree_map_penalty(const struct tree_map *map, size_t row, size_t column,
			uint8_t method);

#endif
