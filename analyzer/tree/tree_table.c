/* SPDX-License-Identifier: BSD-3-Clause */

/* The table of trees by their limits: size, depth and penalty. */
#include <stdlib.h>

#include "analyzer/base/mem.h"
#include "analyzer/base/say.h"
#include "analyzer/tree/tree_table.h"
#include "tree/tree_flat.h"

#define FOR_PEOPLE (TABLE_PEOPLE | TABLE_RIGHT)

static const struct table_column columns[] = {
	{ "limit", "Tree", TABLE_TEXT, TABLE_RIGID, 0 },
	{ "depth_max", "Depth", TABLE_COUNT, 0, 0 },
	{ "depth_min", "Least", TABLE_COUNT, 0, 0 },
	{ "depth_mean", "", TABLE_SHARE, TABLE_MACHINE, 0 },
	{ "depth_mean_text", "Mean", TABLE_TEXT, FOR_PEOPLE, 0 },
	{ "penalty_min_percent", "", TABLE_SHARE, TABLE_MACHINE, 0 },
	{ "penalty_max_percent", "", TABLE_SHARE, TABLE_MACHINE, 0 },
	{ "penalty_mean_percent", "", TABLE_SHARE, TABLE_MACHINE, 0 },
	{ "penalty_median_percent", "", TABLE_SHARE, TABLE_MACHINE, 0 },
	{ "penalty_min_text", "Min(%)", TABLE_TEXT, FOR_PEOPLE, 0 },
	{ "penalty_max_text", "Max(%)", TABLE_TEXT, FOR_PEOPLE, 0 },
	{ "penalty_mean_text", "Mean(%)", TABLE_TEXT, FOR_PEOPLE, 0 },
	{ "penalty_median_text", "Median(%)", TABLE_TEXT, FOR_PEOPLE, 0 },
	{ "leaves", "Leaves", TABLE_COUNT, 0, 0 },
	{ "nodes", "Nodes", TABLE_COUNT, 0, 0 },
	{ "unknown_points", "", TABLE_COUNT, TABLE_MACHINE, 0 },
	{ "flat_bytes", "Bytes", TABLE_COUNT, 0, 0 },
	{ 0 },
};

static void put_text(struct table *table, double value)
{
	char *text = mem_print("%.2f", value);

	table_words(table, text);
	free(text);
}

static void put_penalties(struct table *table, const struct tree_stats *stats,
			  void (*put)(struct table *, double))
{
	put(table, stats->penalty_min);
	put(table, stats->penalty_max);
	put(table, stats->penalty_mean);
	put(table, stats->penalty_median);
}

static void put_row(struct table *table, const char *limit,
		    const struct tree_stats *stats, size_t bytes)
{
	table_row(table, 0);
	table_words(table, limit);
	table_number(table, stats->depth_max);
	table_number(table, stats->depth_min);
	table_real(table, stats->depth_mean);
	put_text(table, stats->depth_mean);
	put_penalties(table, stats, table_real);
	put_penalties(table, stats, put_text);
	table_number(table, stats->n_leaves);
	table_number(table, stats->n_nodes);
	table_number(table, stats->n_unknown);
	table_number(table, bytes);
}

static void must(int rc)
{
	if (rc == 0)
		return;
	say_error("there is no memory left");
	exit(2);
}

static void add_tree(struct table *table, const char *limit,
		     const struct tree_map *map,
		     const struct tree_limits *limits)
{
	struct tree_stats stats;
	struct tree_quad quad;
	struct tree_flat flat;

	must(tree_quad_make(&quad, map, limits));
	must(tree_stats_take(&stats, &quad));
	must(tree_flat_make(&flat, &quad));
	put_row(table, limit, &stats, tree_flat_bytes(&flat));
	tree_flat_clear(&flat);
	tree_quad_clear(&quad);
}

/* The depth of the tree that has no limit but its depth. */
static unsigned depth_of(const struct tree_map *map,
			 const struct tree_limits *limits)
{
	struct tree_limits only_depth = *limits;
	struct tree_stats stats;
	struct tree_quad quad;

	only_depth.accuracy = 100;
	must(tree_quad_make(&quad, map, &only_depth));
	must(tree_stats_take(&stats, &quad));
	tree_quad_clear(&quad);
	return stats.depth_max;
}

static char *remark(const struct tree_map *map)
{
	return mem_print("%zu numbers of processes, %zu of bytes, %zu methods; "
			 "of the times %zu were measured and %zu interpolated; "
			 "%zu points are as the one beside them",
			 map->n_rows, map->n_columns, map->n_methods,
			 map->n_measured, map->n_interpolated, map->n_filled);
}

struct table *tree_table(const struct tree_map *map,
			 const struct tree_limits *limits)
{
	struct table *table = table_new("trees", map->collective, columns, 0);
	const unsigned depth = depth_of(map, limits);
	struct tree_limits now = *limits;
	char *limit;

	table->remark = remark(map);
	now.accuracy = 100;
	for (now.depth = depth ? 1 : 0; now.depth <= depth; now.depth++) {
		limit = mem_print("depth %u", now.depth);
		add_tree(table, limit, map, &now);
		free(limit);
	}
	if (limits->accuracy < 100) {
		limit = mem_print("%g %% alike", limits->accuracy);
		add_tree(table, limit, map, limits);
		free(limit);
	}
	return table;
}
