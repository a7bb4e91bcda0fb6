/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_TREE_QUAD_H
#define BCS_TREE_QUAD_H

/*
 * A map as a quadtree, after Pjesivac-Grbovic, Fagg, Angskun, Bosilca and
 * Dongarra, "MPI collective algorithm selection and quadtree encoding" (2007):
 * a block of the map that is of one method, or is not to be told apart further,
 * is a leaf; any other is divided into four.
 */
#include "tree/tree_map.h"

/* What is divided: the map made a square of 2^k by repeating rows and columns,
 * as in the paper; or the map as it is, where a block of one row or column has
 * two parts. */
enum tree_shape { TREE_SQUARE, TREE_FREE };

/* What a leaf of several methods becomes: the most frequent, or the one that
 * costs least, so that more depth never costs more on the average. */
enum tree_vote { TREE_BY_PENALTY, TREE_BY_COUNT };

#define TREE_DEPTH_MAX 10 /* of any map that there can be */

struct tree_limits {
	unsigned depth;  /* no leaf is deeper */
	double accuracy; /* percent of a block's points that make it a leaf */
	enum tree_shape shape;
	enum tree_vote vote;
};

static const struct tree_limits tree_exact = { TREE_DEPTH_MAX, 100, TREE_SQUARE,
					       TREE_BY_PENALTY };

struct tree_node {
	uint16_t rows[2]; /* of the grid: from, and up to without */
	uint16_t columns[2];
	uint32_t children; /* the first of them, they follow; 0: a leaf */
	uint8_t n_children;
	uint8_t depth;
	uint8_t method; /* of a leaf */
};

struct tree_quad {
	const struct tree_map *map; /* the caller's */
	struct tree_limits limits;
	uint32_t n_rows; /* of the grid that is divided */
	uint32_t n_columns;
	struct tree_node *nodes; /* the first is the root */
	size_t n_nodes;
	size_t room;
};

/* Returns 0 or -ENOMEM.  To be cleared. */
int tree_quad_make(struct tree_quad *quad, const struct tree_map *map,
		   const struct tree_limits *limits);
void tree_quad_clear(struct tree_quad *quad);

/* The method of a point of the map. */
uint8_t tree_quad_method(const struct tree_quad *quad, size_t row,
			 size_t column);

/* What the paper tells of a tree. */
struct tree_stats {
	unsigned depth_max;
	unsigned depth_min;
	double depth_mean; /* over leaves */
	double penalty_min;
	double penalty_max;
	double penalty_mean;
	double penalty_median;
	size_t n_leaves;
	size_t n_nodes;
	size_t n_unknown; /* points whose penalty is not known */
};

/* tree_stats.c: returns 0 or -ENOMEM. */
int tree_stats_take(struct tree_stats *stats, const struct tree_quad *quad);

/* Of the paper's prototype for such a tree: 48 bytes a node, and 472. */
size_t tree_stats_paper_bytes(const struct tree_stats *stats);

#endif
