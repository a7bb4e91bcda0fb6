/* SPDX-License-Identifier: BSD-3-Clause */

/* Builds a quadtree over a map, limited in depth or accuracy. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tree/tree_quad.h"

/* Percent: the penalty assumed for a method that was not measured at a
 * point. */
#define UNKNOWN_PENALTY 1e6

/* Totals over a block, by method. */
struct votes {
	uint32_t counts[TREE_METHODS_MAX];
	double penalties[TREE_METHODS_MAX];
	uint32_t area;
};

static uint32_t power_of_two(size_t n)
{
	uint32_t power = 1;

	while (power < n)
		power *= 2;
	return power;
}

static size_t map_index(uint32_t at, uint32_t grid, size_t n)
{
	return at * n / grid;
}

/* The first grid index that maps to `at`; only this one has a vote in
 * penalties. */
static uint32_t grid_index(size_t at, uint32_t grid, size_t n)
{
	return (uint32_t)((at * grid + n - 1) / n);
}

static bool decides(const struct tree_quad *quad, uint32_t row, uint32_t column)
{
	const struct tree_map *map = quad->map;
	const size_t i = map_index(row, quad->n_rows, map->n_rows);
	const size_t j = map_index(column, quad->n_columns, map->n_columns);

	return grid_index(i, quad->n_rows, map->n_rows) == row &&
	       grid_index(j, quad->n_columns, map->n_columns) == column;
}

static void add_penalties(struct votes *votes, const struct tree_map *map,
			  size_t row, size_t column)
{
	double penalty;

	for (size_t m = 0; m < map->n_methods; m++) {
		penalty = tree_map_penalty(map, row, column, (uint8_t)m);
		votes->penalties[m] += isnan(penalty) ? UNKNOWN_PENALTY
						      : penalty;
	}
}

static void count(struct votes *votes, const struct tree_quad *quad,
		  const struct tree_node *node)
{
	const struct tree_map *map = quad->map;
	size_t row;
	size_t column;

	memset(votes, 0, sizeof(*votes));
	for (uint32_t r = node->rows[0]; r < node->rows[1]; r++)
		for (uint32_t c = node->columns[0]; c < node->columns[1]; c++) {
			row = map_index(r, quad->n_rows, map->n_rows);
			column = map_index(c, quad->n_columns, map->n_columns);
			votes->counts[tree_map_best(map, row, column)]++;
			votes->area++;
		}
}

static void weigh(struct votes *votes, const struct tree_quad *quad,
		  const struct tree_node *node)
{
	const struct tree_map *map = quad->map;

	for (uint32_t r = node->rows[0]; r < node->rows[1]; r++)
		for (uint32_t c = node->columns[0]; c < node->columns[1]; c++)
			if (decides(quad, r, c))
				add_penalties(
					votes, map,
					map_index(r, quad->n_rows, map->n_rows),
					map_index(c, quad->n_columns,
						  map->n_columns));
}

static uint8_t most_frequent(const struct votes *votes, size_t n)
{
	size_t best = 0;

	for (size_t m = 1; m < n; m++)
		if (votes->counts[m] > votes->counts[best])
			best = m;
	return (uint8_t)best;
}

static uint8_t cheapest(const struct votes *votes, size_t n)
{
	size_t best = most_frequent(votes, n);

	for (size_t m = 0; m < n; m++)
		if (votes->penalties[m] < votes->penalties[best])
			best = m;
	return (uint8_t)best;
}

/* Whether the node stays a leaf; sets its method. */
static bool is_leaf(const struct tree_quad *quad, struct tree_node *node)
{
	const struct tree_limits *limits = &quad->limits;
	const size_t n = quad->map->n_methods;
	struct votes votes;

	count(&votes, quad, node);
	node->method = most_frequent(&votes, n);
	if (votes.counts[node->method] == votes.area)
		return true;
	if (node->depth < limits->depth &&
	    votes.counts[node->method] * 100.0 < limits->accuracy * votes.area)
		return false;
	if (limits->vote == TREE_BY_PENALTY) {
		weigh(&votes, quad, node);
		node->method = cheapest(&votes, n);
	}
	return true;
}

static int add(struct tree_quad *quad, const struct tree_node *node)
{
	struct tree_node *grown;

	if (quad->n_nodes == quad->room) {
		quad->room = quad->room ? 2 * quad->room : 64;
		grown = realloc(quad->nodes, quad->room * sizeof(*grown));
		if (!grown)
			return -ENOMEM;
		quad->nodes = grown;
	}
	quad->nodes[quad->n_nodes++] = *node;
	return 0;
}

/* One half of a range.  A range of length 1 has one half only. */
static bool half(const uint16_t range[2], unsigned which, uint16_t to[2])
{
	const uint16_t middle = (uint16_t)((range[0] + range[1] + 1) / 2);

	to[0] = which ? middle : range[0];
	to[1] = which ? range[1] : middle;
	return to[0] < to[1];
}

/* Adds up to four children: north-west, north-east, south-west, south-east. */
static int divide(struct tree_quad *quad, size_t at)
{
	const struct tree_node node = quad->nodes[at];
	struct tree_node child = { .depth = (uint8_t)(node.depth + 1) };
	int rc = 0;

	quad->nodes[at].children = (uint32_t)quad->n_nodes;
	for (unsigned i = 0; i < 4 && rc == 0; i++) {
		if (!half(node.rows, i >> 1, child.rows) ||
		    !half(node.columns, i & 1, child.columns))
			continue;
		quad->nodes[at].n_children++;
		rc = add(quad, &child);
	}
	return rc;
}

static void measure(struct tree_quad *quad)
{
	const struct tree_map *map = quad->map;
	uint32_t side;

	quad->n_rows = (uint32_t)map->n_rows;
	quad->n_columns = (uint32_t)map->n_columns;
	if (quad->limits.shape == TREE_FREE)
		return;
	side = power_of_two(map->n_rows > map->n_columns ? map->n_rows
							 : map->n_columns);
	quad->n_rows = side;
	quad->n_columns = side;
}

int tree_quad_make(struct tree_quad *quad, const struct tree_map *map,
		   const struct tree_limits *limits)
{
	struct tree_node root = { 0 };
	int rc;

	*quad = (struct tree_quad){ .map = map, .limits = *limits };
	measure(quad);
	root.rows[1] = (uint16_t)quad->n_rows;
	root.columns[1] = (uint16_t)quad->n_columns;
	rc = add(quad, &root);
	for (size_t i = 0; i < quad->n_nodes && rc == 0; i++)
		if (!is_leaf(quad, &quad->nodes[i]))
			rc = divide(quad, i);
	if (rc != 0)
		tree_quad_clear(quad);
	return rc;
}

void tree_quad_clear(struct tree_quad *quad)
{
	free(quad->nodes);
	*quad = (struct tree_quad){ 0 };
}

static bool is_in(const struct tree_node *node, uint32_t row, uint32_t column)
{
	return row < node->rows[1] && column < node->columns[1];
}

uint8_t tree_quad_method(const struct tree_quad *quad, size_t row,
			 size_t column)
{
	const struct tree_map *map = quad->map;
	const uint32_t r = grid_index(row, quad->n_rows, map->n_rows);
	const uint32_t c = grid_index(column, quad->n_columns, map->n_columns);
	const struct tree_node *node = quad->nodes;

	while (node->children) {
		node = &quad->nodes[node->children];
		/* Children are in order, so the first that ends beyond the
		 * point holds it. */
		while (!is_in(node, r, c))
			node++;
	}
	return node->method;
}
