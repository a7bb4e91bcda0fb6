/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Leaders send each other parcels.  In a microphase a leader puts one block of
 * them into the global memory of each other leader that it has some for
 * (Xfer-And-Signal).  That leader reads them in the next microphase.
 *
 *   DEM  descriptors, and which collectives may be complete.
 *   MSM  grants: the receiver's side asks for bytes of a message.
 *   GET  these bytes.
 *   P2P  shares of collectives that are scheduled, in pieces, and calls of
 *        those that are not.
 *   BBM  likewise, and nodes' sums.
 *
 * A leader sets aside the memory for what others may send it in a slice.  Where
 * there is not enough it tells them when the slice begins.  Then payloads stay
 * with their senders until they are granted, or descriptors wait.
 */
#include <errno.h>
#include <stdlib.h>

#include "libbcs/strobe/leader/strobe_parcel.h"

#define REGION ((uint64_t)STROBE_REGION)

/* Parcels of a block, at most. */
#define PARCELS                                           \
	(sizeof(((struct strobe_block *)NULL)->parcels) / \
	 sizeof(struct strobe_parcel))

uint64_t strobe_fabric_bytes(uint32_t n_nodes)
{
	return strobe_calls_at(n_nodes) +
	       STROBE_CALL_SLOTS * 2 * sizeof(int64_t);
}

/*
 * Where the blocks of a node lie: two, for whoever is faster sends the next one
 * while the other still looks at the last.
 */
static uint64_t region_at(uint32_t node, uint64_t microstrobe)
{
	return STROBE_REGIONS_AT + (2 * node + microstrobe % 2) * REGION;
}

/* Where a node says what it takes: behind all blocks. */
static uint64_t takes_at(uint32_t n_nodes, uint32_t node)
{
	return STROBE_REGIONS_AT + 2 * n_nodes * REGION +
	       node * sizeof(uint64_t);
}

uint64_t strobe_calls_at(uint32_t n_nodes)
{
	return takes_at(n_nodes, n_nodes);
}

int strobe_exchange_start(struct strobe_leader *leader)
{
	const uint32_t n = strobe_n_nodes(leader);
	struct strobe_exchange *exchange;

	if (n <= 1)
		return 0;
	exchange = calloc(1,
			  sizeof(*exchange) + n * sizeof(struct strobe_other));
	if (!exchange)
		return -ENOMEM;
	leader->exchange = exchange;
	for (uint32_t i = 0; i < n; i++) {
		exchange->others[i].sends.end = &exchange->others[i]
							 .sends.first;
		exchange->others[i].shares.end = &exchange->others[i]
							  .shares.first;
		exchange->others[i].block = calloc(1,
						   sizeof(struct strobe_block));
		if (!exchange->others[i].block)
			return -ENOMEM;
	}
	return 0;
}

void strobe_exchange_stop(struct strobe_leader *leader)
{
	struct strobe_exchange *exchange = leader->exchange;

	struct strobe_departing *next;

	if (!exchange)
		return;
	for (uint32_t i = 0; i < strobe_n_nodes(leader); i++)
		free(exchange->others[i].block);
	for (; exchange->spare; exchange->spare = next) {
		next = exchange->spare->next;
		free(exchange->spare);
	}
	free(exchange);
}

bool strobe_exchange_is_full(const struct strobe_leader *leader)
{
	const struct strobe_other *others = leader->exchange->others;

	for (uint32_t i = 0; i < strobe_n_nodes(leader); i++)
		if (others[i].sends.first || others[i].shares.first)
			return true;
	return false;
}

uint64_t strobe_reserve(const struct strobe_leader *leader)
{
	return 2 * REGION * (strobe_n_nodes(leader) - 1);
}

static enum strobe_takes takes_now(struct strobe_leader *leader)
{
	if (!strobe_works_reserve(leader,
				  PARCELS * (strobe_n_nodes(leader) - 1)))
		return STROBE_TAKES_NOTHING;
	return leader->arena.end - leader->arena.next < strobe_reserve(leader)
		       ? STROBE_TAKES_NO_PAYLOAD
		       : STROBE_TAKES_ALL;
}

void strobe_exchange_begin(struct strobe_leader *leader)
{
	struct strobe_exchange *exchange = leader->exchange;
	struct core_xfer xfer = { .local_event = CORE_NO_EVENT,
				  .remote_event = CORE_NO_EVENT };
	enum strobe_takes takes;

	if (!exchange)
		return;
	takes = takes_now(leader);
	if (takes == exchange->takes)
		return;
	exchange->takes = takes;
	xfer.offset = takes_at(strobe_n_nodes(leader),
			       leader->strobe->options.node);
	xfer.block = &exchange->takes;
	xfer.bytes = sizeof(exchange->takes);
	core_xfer_and_signal(leader->fabric, &leader->all, &xfer);
}

enum strobe_takes strobe_takes(const struct strobe_leader *leader,
			       uint32_t node)
{
	const uint64_t *takes = core_block(
		leader->fabric, takes_at(strobe_n_nodes(leader), node),
		sizeof(*takes));

	return (enum strobe_takes)(*takes);
}

struct strobe_parcel *strobe_parcel_add(struct strobe_leader *leader,
					uint32_t node, uint64_t bytes)
{
	struct strobe_block *block = leader->exchange->others[node].block;
	struct strobe_parcel *parcel = (struct strobe_parcel *)(block->parcels +
								block->bytes);

	if (sizeof(block->parcels) - block->bytes <
	    sizeof(*parcel) + strobe_padded(bytes))
		return NULL;
	block->bytes += sizeof(*parcel) + strobe_padded(bytes);
	*parcel = (struct strobe_parcel){ .bytes = bytes };
	return parcel;
}

uint64_t strobe_parcel_room(const struct strobe_leader *leader, uint32_t node)
{
	const struct strobe_block *block = leader->exchange->others[node].block;
	const uint64_t left = sizeof(block->parcels) - block->bytes;

	return left < sizeof(struct strobe_parcel) + 16
		       ? 0
		       : left - sizeof(struct strobe_parcel) - 16;
}

static void block_send(struct strobe_leader *leader, uint32_t node)
{
	struct strobe_block *block = leader->exchange->others[node].block;
	uint64_t words[CORE_SET_WORDS(STROBE_NODES)];
	struct core_set to = { words, strobe_n_nodes(leader) };
	const struct core_xfer xfer = {
		.offset = region_at(leader->strobe->options.node,
				    (uint64_t)leader->microstrobes),
		.block = block,
		.bytes = offsetof(struct strobe_block, parcels) + block->bytes,
		.local_event = CORE_NO_EVENT,
		.remote_event = CORE_NO_EVENT,
	};

	core_set_clear(&to);
	core_set_add(&to, node);
	block->microstrobe = (uint64_t)leader->microstrobes;
	core_xfer_and_signal(leader->fabric, &to, &xfer);
	block->bytes = 0;
}

void strobe_parcels_send(struct strobe_leader *leader)
{
	for (uint32_t i = 0; leader->exchange && i < strobe_n_nodes(leader);
	     i++)
		if (leader->exchange->others[i].block->bytes)
			block_send(leader, i);
}

void strobe_parcels_read(struct strobe_leader *leader, uint32_t node,
			 void (*read)(struct strobe_leader *leader,
				      uint32_t node,
				      const struct strobe_parcel *))
{
	const struct strobe_block *block = core_block(
		leader->fabric,
		region_at(node, (uint64_t)leader->microstrobes - 1), REGION);
	const struct strobe_parcel *parcel;

	if (block->microstrobe + 1 != (uint64_t)leader->microstrobes)
		return;
	for (uint64_t at = 0; at < block->bytes;
	     at += sizeof(*parcel) + strobe_padded(parcel->bytes)) {
		parcel = (const struct strobe_parcel *)(block->parcels + at);
		read(leader, node, parcel);
	}
}
