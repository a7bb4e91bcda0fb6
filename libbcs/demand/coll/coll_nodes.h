/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_COLL_NODES_H
#define BCS_COLL_NODES_H

/*
 * The nodes of a communicator that spans several, for collectives in two
 * levels.  A node's head is its first process, or the root if that is there.
 * Heads are a binomial tree, and the others of a node stand under its head, so
 * that each node is sent what there is once.
 */
#include <stdbool.h>
#include <stdint.h>

#include "libbcs/base/rank_map.h"

struct coll;

struct coll_nodes {
	uint32_t n; /* 0: all are on one, and there is nothing in the rows */
	struct rank_map node_of; /* by rank; counted as they come among ranks */
	struct rank_map first;   /* by node: its first rank */
	struct rank_map here;    /* the ranks of this process's node, rising, */
	uint32_t at;             /* and its own place among them */
	struct rank_map members; /* ranks, node by node, rising; */
	struct rank_map begin;   /* by node: its first place there */
	bool in_rows;            /* ranks of a node follow each other */
	bool made_up;            /* MPI does not see these nodes */
	bool apart; /* MPI sees a node for each process, whatever is here */
};

/*
 * Makes it of the node of each rank.  Nodes may have any numbers, and are
 * counted anew.  Returns 0 or -errno.  After an error there is nothing to free.
 */
int coll_nodes_make(struct coll_nodes *nodes, uint32_t *node_of, uint32_t size,
		    uint32_t rank);
int coll_nodes_copy(struct coll_nodes *to, const struct coll_nodes *from);
void coll_nodes_free(struct coll_nodes *nodes);

/* A rank's node and its place there; a node's size, and its ranks. */
int coll_nodes_node(const struct coll_nodes *nodes, int rank);
int coll_nodes_place_in(const struct coll_nodes *nodes, int rank);
int coll_nodes_members(const struct coll_nodes *nodes, int node);
int coll_nodes_member(const struct coll_nodes *nodes, int node, int i);
/* Each process has a node of its own, as MPI sees it. */
bool coll_nodes_all_apart(const struct coll *coll);

/* The head of this process's node; the i-th of the others there. */
int coll_nodes_head(const struct coll *coll);
int coll_nodes_other(const struct coll *coll, uint32_t i);
/*
 * This node's place among the heads, counted from the root's, and the head at a
 * place.
 */
int coll_nodes_place(const struct coll *coll);
int coll_nodes_head_at(const struct coll *coll, int place);

/* The tree, by rank; -1: there is none. */
int coll_nodes_parent(const struct coll *coll);
int coll_nodes_child(const struct coll *coll, int i);

#endif
