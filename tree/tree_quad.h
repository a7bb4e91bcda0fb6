/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_TREE_QUAD_H
#define BCS_TREE_QUAD_H

/*
 * A decision map as a quadtree, after Pjesivac-Grbovic, Fagg, Angskun, Bosilca
 * and Dongarra, "MPI collective algorithm selection and quadtree encoding"
 * (2007).  A block of the map that has one method, or reaches a limit, is a
 * leaf.  Any other block is divided into four.
 */
#include "tree/tree_map.h"

/* How the map is divided.
 *   TREE_SQUARE  as in the paper: rows and columns are repeated until the map
 *                is a square of 2^k
 *   TREE_FREE    as it is: a block of one row or column has two parts */
enum tree_shape { TREE_SQUARE, TREE_FREE };

/* How a leaf with several methods chooses one: the cheapest on average, or the
 * most frequent.  By penalty, more depth never costs more on average. */
enum tree_vote { TREE_BY_PENALTY, TREE_BY_COUNT };

#define TREE_DEPTH_MAX 10 /* enough for any map */

struct tree_limits {
	unsigned depth; /* maximum depth of a leaf */
	/* Percent of a block's points that must agree for a leaf. */
	double accuracy;
	enum tree_shape shape;
	enum tree_vote vote;
};

static const struct tree_limits tree_exact = { TREE_DEPTH_MAX, 100, TREE_SQUARE,
					       TREE_BY_PENALTY };

struct tree_node {
	/* First, and one past the last, of the divided grid. */
	uint16_t rows[2];
	uint16_t columns[2];
	/* Index of the first child; the others follow it; 0: a leaf. */
	uint32_t children;
	uint8_t n_children;
	uint8_t depth;
	uint8_t method; /* set in leaves only */
};

struct tree_quad {
	const struct tree_map *map; /* borrowed from the caller */
	struct tree_limits limits;
	uint32_t n_rows; /* size of the divided grid */
	uint32_t n_columns;
	struct tree_node *nodes; /* nodes[0] is the root */
	size_t n_nodes;
	size_t room;
};

/* Returns 0 or -ENOMEM.  Clear with tree_quad_clear. */
int tree_quad_make(struct tree_quad *quad, const struct tree_map *map,
		   const struct tree_limits *limits);
void tree_quad_clear(struct tree_quad *quad);

/* The method that the tree chooses for a point of the map. */
uint8_t tree_quad_method(const struct tree_quad *quad, size_t row,
			 size_t column);

/* The figures that the paper gives for a tree. */
struct tree_stats {
	unsigned depth_max;
	unsigned depth_min;
	double depth_mean; /* mean over the leaves */
	double penalty_min;
	double penalty_max;
	double penalty_mean;
	double penalty_median;
	size_t n_leaves;
	size_t n_nodes;
	size_t n_unknown; /* points whose penalty is unknown */
};

/* tree_stats.c: returns 0 or -ENOMEM. */
int tree_stats_take(struct tree_stats *stats, const struct tree_quad *quad);

/* Memory that the paper's prototype needs for such a tree: 48 bytes a node, and
 * 472. */
size_t tree_stats_paper_bytes(const struct tree_stats *stats);

#endif
