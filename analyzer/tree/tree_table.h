/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_TREE_TABLE_H
#define BCS_TREE_TABLE_H

#include "analyzer/show/table.h"
#include "tree/tree_quad.h"

/*
 * A row for each depth up to that of `limits`, as in the paper.  If the
 * accuracy is limited, too, another row shows that tree.
 */
struct table *tree_table(const struct tree_map *map,
			 const struct tree_limits *limits);

#endif
