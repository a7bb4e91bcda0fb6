/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Payloads that stayed with their senders: the receiver's leader grants some
 * bytes of a message, and the sender's leader sends them.
 */
#include <string.h>

#include "libbcs/base/copy.h"
#include "libbcs/strobe/leader/strobe_parcel.h"

uint64_t strobe_exchange_limit(struct strobe_leader *leader,
			       const struct strobe_work *send, uint64_t bytes)
{
	struct strobe_exchange *exchange = leader->exchange;
	const struct strobe_other *other = &exchange->others[send->node];
	const uint64_t least = sizeof(struct strobe_parcel) + 16;
	uint64_t most;

	exchange->granted = 0;
	/* The grant, and the bytes that it brings: an empty message has one. */
	if (other->room <= least || !strobe_parcel_room(leader, send->node))
		return STROBE_WAITS;
	if (!bytes)
		return 0;
	most = copy_at_most(bytes, other->room - least);
	exchange->granted = strobe_arena_get(&leader->arena, most, 0);
	return exchange->granted ? most : STROBE_WAITS;
}

void strobe_exchange_grant(struct strobe_leader *leader,
			   const struct strobe_work *send, uint32_t slot,
			   const struct strobe_order *order)
{
	struct strobe_other *other = &leader->exchange->others[send->node];
	struct strobe_parcel *parcel = strobe_parcel_add(leader, send->node, 0);

	other->room -= sizeof(*parcel) + strobe_padded(order->bytes);
	parcel->kind = STROBE_PARCEL_GRANT;
	parcel->handle = send->handle;
	parcel->slot = slot;
	parcel->last = order->last;
	parcel->order = *order;
	parcel->order.block = leader->exchange->granted;
	leader->exchange->granted = 0;
}

void strobe_exchange_send_grants(struct strobe_leader *leader)
{
	strobe_parcels_send(leader);
}

static void grant_came(struct strobe_leader *leader, uint32_t node,
		       const struct strobe_parcel *grant)
{
	struct strobe_work *work = (struct strobe_work *)(uintptr_t)
					   grant->handle;
	struct strobe_parcel *data;
	int rc;

	if (grant->kind != STROBE_PARCEL_GRANT)
		return;
	data = strobe_parcel_add(leader, node, grant->order.bytes);
	data->kind = STROBE_PARCEL_DATA;
	data->slot = grant->slot;
	data->order = grant->order;
	rc = strobe_dma_fetch(leader->strobe, work->slot,
			      work->d.address + grant->order.begin,
			      work->d.block ? work->d.block + grant->order.begin
					    : 0,
			      data + 1, grant->order.bytes);
	if (rc != 0)
		data->order.error = rc;
	if (!grant->last)
		return;
	/* A send that was posted with its payload is done already. */
	if (!work->d.eager)
		strobe_order_done(leader, work->slot, work->d.op, 0);
	strobe_payload_free(leader, work);
}

void strobe_exchange_send_data(struct strobe_leader *leader)
{
	for (uint32_t i = 0; leader->exchange && i < strobe_n_nodes(leader);
	     i++)
		if (i != leader->strobe->options.node)
			strobe_parcels_read(leader, i, grant_came);
	strobe_parcels_send(leader);
}

static void data_came(struct strobe_leader *leader, uint32_t node,
		      const struct strobe_parcel *data)
{
	struct strobe_order order = data->order;

	(void)node;
	if (data->kind != STROBE_PARCEL_DATA)
		return;
	order.frees = order.block;
	if (order.block)
		memcpy(strobe_at(leader->strobe, order.block), data + 1,
		       order.bytes);
	strobe_order_give(leader, data->slot, &order);
}

void strobe_exchange_receive_data(struct strobe_leader *leader)
{
	for (uint32_t i = 0; leader->exchange && i < strobe_n_nodes(leader);
	     i++)
		if (i != leader->strobe->options.node)
			strobe_parcels_read(leader, i, data_came);
}
