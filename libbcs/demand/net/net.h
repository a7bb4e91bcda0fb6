/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_NET_H
#define BCS_NET_H

#include <stdbool.h>
#include <stdint.h>

#include "libbcs/base/board.h"
#include "libbcs/base/rank_map.h"
#include "libbcs/base/tuning.h"

/*
 * Between nodes.  A node has a gateway: an inbox on its board that takes the
 * descriptors for processes of other nodes.  The first process of a node is its
 * leader.  Its threads take the descriptors from the gateway and send those for
 * a node to its leader as one block.  They put those that came into the inboxes
 * of their own node.
 *
 * Blocks are sent from, and arrive in, a fixed number of buffers, however many
 * nodes there are.  Blocks from one node arrive in order.
 */

struct net_ops {
	/* Begins to send a block, which stays as it is until it is sent. */
	void (*send)(unsigned buffer, uint32_t node, const void *block,
		     uint64_t bytes);
	bool (*is_sent)(unsigned buffer);
	/* The next block that came, from whatever node; NULL if there is none.
	 */
	const void *(*come)(uint64_t *bytes);
	/* It was handed out. */
	void (*taken)(void);
};

struct net_options {
	const struct net_ops *ops;
	uint32_t n_nodes;
	const struct rank_map *node_of; /* by number in the world */
	const struct rank_map
		*peer_of;          /* likewise: if of this node, its slot */
	struct board_slot **slots; /* of this node */
	uint32_t n_slots;
	struct board_slot *gateway;
};

/* A block is records: a descriptor as it lies in an inbox, and its payload. */
struct net_record {
	uint32_t to;    /* number in the world */
	uint32_t bytes; /* of the record, a multiple of 8 */
	struct board_cell cell;
};

#define NET_RECORD_HEAD offsetof(struct net_record, cell)

static inline uint64_t net_record_bytes(uint8_t kind, uint64_t payload)
{
	return (NET_RECORD_HEAD + board_head(kind) + payload + 7) / 8 * 8;
}

struct net;

/* Everything in the options has to last.  Returns 0 or -errno. */
int net_start(struct net **net_p, const struct net_options *options);
void net_stop(struct net *net); /* NULL is fine */

/*
 * Makes one exchange, unless another thread is in one.  Returns true if
 * anything moved.
 */
bool net_turn(struct net *net);
/* True if this node has something to send or to hand out. */
bool net_has_work(struct net *net);
/* Descriptors of a process of another node that were handed out here. */
uint32_t net_delivered(struct net *net, uint32_t world);
/* True if nothing is being sent; false also if that cannot be told now. */
bool net_is_quiet(struct net *net);

#endif
