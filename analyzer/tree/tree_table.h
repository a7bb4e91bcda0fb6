/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_TREE_TABLE_H
#define BCS_TREE_TABLE_H

#include "analyzer/show/table.h"
#include "tree/tree_quad.h"

/*
 * Trees of a map by their limits, as the paper has them: of each depth up to
 * that of `limits`, and the tree itself where its accuracy is limited.
 */
struct table *tree_table(const struct tree_map *map,
			 const struct tree_limits *limits);

#endif
