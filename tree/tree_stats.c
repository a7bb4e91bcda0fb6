/* SPDX-License-Identifier: BSD-3-Clause */

/* The size, depth and penalty of a tree. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "tree/tree_quad.h"

static void depths(struct tree_stats *stats, const struct tree_quad *quad)
{
	size_t sum = 0;

	stats->depth_min = TREE_DEPTH_MAX;
	stats->n_nodes = quad->n_nodes;
	for (size_t i = 0; i < quad->n_nodes; i++) {
		const struct tree_node *node = &quad->nodes[i];

		if (node->children)
			continue;
		stats->n_leaves++;
		sum += node->depth;
		if (node->depth > stats->depth_max)
			stats->depth_max = node->depth;
		if (node->depth < stats->depth_min)
			stats->depth_min = node->depth;
	}
	stats->depth_mean = (double)sum / (double)stats->n_leaves;
}

static int compare(const void *one, const void *other)
{
	const double a = *(const double *)one;
	const double b = *(const double *)other;

	return (a > b) - (a < b);
}

static double median(const double *sorted, size_t n)
{
	return (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
}

/* Collects the known penalties of all points; returns their number. */
static size_t gather(double *penalties, const struct tree_quad *quad)
{
	const struct tree_map *map = quad->map;
	size_t n = 0;

	for (size_t r = 0; r < map->n_rows; r++)
		for (size_t c = 0; c < map->n_columns; c++) {
			penalties[n] = tree_map_penalty(
				map, r, c, tree_quad_method(quad, r, c));
			n += !isnan(penalties[n]);
		}
	return n;
}

int tree_stats_take(struct tree_stats *stats, const struct tree_quad *quad)
{
	const size_t n_points = quad->map->n_rows * quad->map->n_columns;
	double *penalties = calloc(n_points, sizeof(*penalties));
	double sum = 0;
	size_t n;

	if (!penalties)
		return -ENOMEM;
	*stats = (struct tree_stats){ 0 };
	depths(stats, quad);
	n = gather(penalties, quad);
	stats->n_unknown = n_points - n;
	if (n) {
		qsort(penalties, n, sizeof(*penalties), compare);
		for (size_t i = 0; i < n; i++)
			sum += penalties[i];
		stats->penalty_min = penalties[0];
		stats->penalty_max = penalties[n - 1];
		stats->penalty_mean = sum / (double)n;
		stats->penalty_median = median(penalties, n);
	}
	free(penalties);
	return 0;
}

size_t tree_stats_paper_bytes(const struct tree_stats *stats)
{
	return 48 * stats->n_nodes + 472;
}
