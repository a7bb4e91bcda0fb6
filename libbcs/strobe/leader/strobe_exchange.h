/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_STROBE_EXCHANGE_H
#define BCS_STROBE_EXCHANGE_H

#include "libbcs/strobe/leader/strobe_leader.h"

/*
 * Between the leaders of nodes; nothing happens where there is one node.  A
 * descriptor from another node is a work of the slot STROBE_REMOTE.
 */
int strobe_exchange_start(struct strobe_leader *leader);
void strobe_exchange_stop(struct strobe_leader *leader);
/* Descriptors or shares wait for room in a block. */
bool strobe_exchange_is_full(const struct strobe_leader *leader);

/* The work of a process here goes to the node of the receiver.  False if there
 * is no memory: nothing happened. */
bool strobe_exchange_send(struct strobe_leader *leader,
			  struct strobe_work *work);

/* Where a node shows collectives: two words for each of so many slots. */
#define STROBE_CALL_SLOTS 1024u
uint64_t strobe_calls_at(uint32_t n_nodes);
/* DEM: the first node hears of a collective that may be complete.  False if
 * there is no room. */
bool strobe_exchange_ask(struct strobe_leader *leader, int64_t word,
			 uint64_t nodes);
/* Bytes of the leader's arena for the parcels of a slice.  A block may be twice
 * as long as asked. */
uint64_t strobe_reserve(const struct strobe_leader *leader);
/* So that shares of so many processes can leave; false: no memory. */
bool strobe_exchange_reserve(struct strobe_leader *leader, uint32_t n);
/* P2P: other nodes hear that a process has called, or get its share. */
bool strobe_exchange_tell(struct strobe_leader *leader,
			  const struct strobe_work *work);
void strobe_exchange_share(struct strobe_leader *leader,
			   const struct strobe_work *work);
void strobe_exchange_send_shares(struct strobe_leader *leader);
/* BBM: what came. */
void strobe_exchange_receive_shares(struct strobe_leader *leader);

/* BEGIN: the others hear of it if this node has more or less memory for them
 * than in the last slice. */
void strobe_exchange_begin(struct strobe_leader *leader);

/* DEM, and MSM: adds what came from a node to what the slice took. */
void strobe_exchange_send_descriptors(struct strobe_leader *leader);
void strobe_exchange_receive_descriptors(struct strobe_leader *leader,
					 uint32_t node);

/*
 * MSM: how many bytes of a message this slice can bring, or STROBE_WAITS.  Sets
 * memory aside for them.  The grant asks for them; they go to a process by
 * the order.
 */
uint64_t strobe_exchange_limit(struct strobe_leader *leader,
			       const struct strobe_work *send, uint64_t bytes);
void strobe_exchange_grant(struct strobe_leader *leader,
			   const struct strobe_work *send, uint32_t slot,
			   const struct strobe_order *order);
void strobe_exchange_send_grants(struct strobe_leader *leader);

/* GET, and P2P: gives the orders. */
void strobe_exchange_send_data(struct strobe_leader *leader);
void strobe_exchange_receive_data(struct strobe_leader *leader);

#endif
