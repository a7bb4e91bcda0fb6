/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_NODES_H
#define BCS_NODES_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "libbcs/base/rank_map.h"
#include "libbcs/demand/coll/coll_nodes.h"

struct fabric;

/* The nodes of a communicator's processes. */
struct bcs_nodes {
	MPI_Comm node;    /* the processes of mine, */
	MPI_Comm leaders; /* and the first of each; or MPI_COMM_NULL */
	int size;         /* of mine, */
	int slot;         /* and my number there */
	int machine;      /* size of my machine, which may have several nodes */
	int n;
	int mine;
	struct rank_map node_of; /* by rank, */
	struct rank_map slot_of;
	struct rank_map peers;   /* and as engines count them */
	struct coll_nodes colls; /* by node, for collectives */
	struct fabric *fabric;   /* of the leaders, in a leader; or NULL */
};

/*
 * Each is collective over `comm`.  The first fails everywhere or nowhere:
 * false if there is no memory.
 */
bool bcs_nodes_meet(struct bcs_nodes *nodes, MPI_Comm comm);
void bcs_nodes_part(struct bcs_nodes *nodes);

/* When slice 0 begins, in ns, by the clock of my node. */
uint64_t bcs_nodes_zero(const struct bcs_nodes *nodes, uint64_t slice_ns);

#endif
