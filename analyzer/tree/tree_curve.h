/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_TREE_CURVE_H
#define BCS_TREE_CURVE_H

#include "tree/tree_quad.h"

/*
 * Draw trees of a map that differ in their limits alone, to stdout.  The first
 * draws mean depth and penalty by the accuracy that is asked for.  The second
 * draws the penalty by mean depth, for both kinds of limits.  Both return 0 or
 * -ENOMEM.
 */
int tree_curve_accuracy(const struct tree_map *map,
			const struct tree_limits *limits);
int tree_curve_limits(const struct tree_map *map,
		      const struct tree_limits *limits);

#endif
