/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHIM_ROUTE_PEERS_H
#define SHIM_ROUTE_PEERS_H

/*
 * The engine's numbers of processes, called peers. A process of this node has
 * its slot on the board. A process of another node has its rank in the world
 * plus the number of slots.
 */
#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "libbcs/base/rank_map.h"

/* The processes of the node. */
extern int route_n_slots;

/* Numbers the ranks of the world; false if there is no memory. */
bool route_peers_count(MPI_Comm node);
void route_peers_free(void);

static inline bool route_peer_is_local(uint32_t peer)
{
	return peer < (uint32_t)route_n_slots;
}

/* The map from ranks of the world to peers. */
extern struct rank_map route_peers;

/* The peer of a rank of the world; -1 if it cannot be reached. */
int route_peer(int world_rank);
/* The rank of the world of a peer on another node; -1 for one of this node. */
int route_peer_world(uint32_t peer);

#endif
