/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHIM_ROUTE_NET_H
#define SHIM_ROUTE_NET_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "libbcs/demand/net/net.h"

/*
 * Other nodes.  Collective over the world, as all of these; false if there is
 * no memory.  With BCS_NODE_SIZE groups of processes of a machine count as
 * nodes, which is for tests: `node` is this one then.
 */
bool route_net_meet(MPI_Comm node);
/* More than one, and threads to see to them; the same in all processes. */
bool route_net_is_there(void);

/* Nodes, and which of them this is; their leaders, MPI_COMM_NULL in others. */
int route_net_nodes(int *node);
MPI_Comm route_net_leaders(void);

/* The node of a rank of the world, where there are more. */
uint32_t route_net_node(int world_rank);
const struct rank_map *route_net_node_of(void);

/* The leader's part: NULL in others, and if there is only one node. */
int route_net_start(struct net **net_p, struct board_slot **slots,
		    uint32_t n_slots, struct board_slot *gateway,
		    const struct rank_map *peer_of);
/* In all processes, if there are others: what moves large messages. */
const struct remote_ops *route_net_remote(void);

/*
 * Notes, beside all messages, to a process of the world: lost if some are still
 * under way, or nobody looks.  By one thread at a time.
 */
#define ROUTE_NOTE_BYTES 256
void route_net_note(int world, const void *note, size_t bytes);
/* The next that came; false if there is none. */
bool route_net_noted(void *note, size_t bytes);
/* By a leader: descriptors of a rank of another node that have come here. */
uint32_t route_net_delivered(int world);
/* Nothing is being sent by this process. */
bool route_net_is_quiet(void);
/* Nobody sends any more. */
void route_net_stop(void);

/*
 * The first process of the world chooses a moment, and all learn it. Sets it on
 * the clock of the first node; returns it on the clock of this node.
 */
uint64_t route_net_agree(MPI_Comm node, uint64_t *first_ns);

#endif
