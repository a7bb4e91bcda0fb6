/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_CALLPATH_NODES_H
#define BCS_CALLPATH_NODES_H

#include "mds/callpath/callpath.h"

/* The tree of a thread's paths: a node is its parent and one frame more. */

/*
 * Finds or makes the child of `parent` (NULL: a first frame) with this return
 * address.  NULL if there is no room.
 */
struct callpath_node *callpath_node_find(struct callpath_cache *cache,
					 const struct callpath_node *parent,
					 uintptr_t ra);

/* A call found no room for the frame after the node. */
void callpath_node_cut(struct callpath_cache *cache,
		       struct callpath_node *node);

/* A path ends at the node for the first time. */
void callpath_node_use(struct callpath_node *node);

#endif
