/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_NET_H
#define BCS_NET_H

#include <stdbool.h>
#include <stdint.h>

#include "libbcs/board.h"

/*
 * Between nodes.  A node has a gateway: an inbox on its board that takes the
 * descriptors for processes of other nodes.  The threads of its first process,
 * the leader, take them from there, and put what there is for a node into the
 * window of that node's leader as one block; there they find their inboxes.
 *
 * A window has a ring for each other node.  What goes through a ring is a
 * stream of records, cut into blocks wherever it takes: a ring may be smaller
 * than a record, so that windows do not grow with the number of nodes.  A block
 * is taken when all of it is there, which its seal tells: puts promise no
 * order.  How far a side has taken is told by the blocks of the other way.
 */
struct net_ops {
	/*
	 * Into the window of a node; `from` stays as it is until that node has
	 * taken it.  Is there after a flush, mostly earlier.
	 */
	void (*put)(uint32_t node, uint64_t offset, const void *from,
		    uint64_t bytes);
	void (*flush)(uint32_t node);
	/* Puts get on, others' too. */
	void (*progress)(void);
};

struct net_options {
	const struct net_ops *ops;
	uint32_t n_nodes;
	uint32_t me;
	unsigned char *window;     /* a ring for each node; zero at first */
	uint64_t ring;             /* bytes of each; a multiple of NET_UNIT */
	const uint32_t *node_of;   /* by number in the world */
	const int *slot_of;        /* likewise; -1: on another node */
	struct board_slot **slots; /* of this node */
	uint32_t n_slots;
	struct board_slot *gateway;
};

#define NET_UNIT 64u /* what blocks begin at multiples of */

/* In a record: a descriptor as it lies in an inbox, and its payload. */
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

/* One exchange, unless another thread is in one; whether anything moved. */
bool net_turn(struct net *net);
/* Whether this node has something to send, or to hand out. */
bool net_has_work(struct net *net);

/* Bytes of a ring for so many nodes: a window stays within some 32 MiB. */
uint64_t net_ring_bytes(uint32_t n_nodes);

#endif
