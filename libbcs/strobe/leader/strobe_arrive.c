/* SPDX-License-Identifier: BSD-3-Clause */

/* Descriptors and shares of collectives that came from other nodes. */
#include <string.h>

#include "libbcs/strobe/leader/strobe_parcel.h"
#include "mds/base/clock.h"

static struct strobe_work *work_of(struct strobe_leader *leader, uint32_t node,
				   const struct strobe_parcel *parcel)
{
	struct strobe_work *work = strobe_work_reserved(leader);

	*work = (struct strobe_work){ .d = parcel->d,
				      .slot = STROBE_REMOTE,
				      .node = node,
				      .handle = parcel->handle };
	work->d.block = 0;
	work->d.path = clock_of_ns(parcel->d.path);
	work->transfer.source = parcel->world;
	work->transfer.sequence = parcel->sequence;
	return work;
}

static void message_came(struct strobe_leader *leader, uint32_t node,
			 const struct strobe_parcel *parcel)
{
	struct strobe_work *work = work_of(leader, node, parcel);

	if (parcel->bytes) {
		/* Without room, this node would not have taken it. */
		work->d.block = strobe_arena_get(&leader->arena, parcel->bytes,
						 0);
		memcpy(strobe_at(leader->strobe, work->d.block), parcel + 1,
		       parcel->bytes);
	}
	strobe_works_add(&leader->sends, work);
}

static void descriptor_came(struct strobe_leader *leader, uint32_t node,
			    const struct strobe_parcel *parcel)
{
	if (parcel->kind == STROBE_PARCEL_SEND)
		message_came(leader, node, parcel);
	else if (parcel->kind == STROBE_PARCEL_ASK)
		strobe_calls_add(leader, (int64_t)parcel->handle,
				 parcel->total);
}

void strobe_exchange_receive_descriptors(struct strobe_leader *leader,
					 uint32_t node)
{
	if (!leader->exchange || node == leader->strobe->options.node)
		return;
	leader->exchange->others[node].room = sizeof(
		leader->exchange->others[node].block->parcels);
	strobe_parcels_read(leader, node, descriptor_came);
}

static bool is_whole(const struct strobe_work *share)
{
	return share && share->transfer.moved == share->transfer.bytes;
}

/* Pieces of a share come in order: this is the oldest that still wants some. */
static struct strobe_gather *running_find(const struct strobe_leader *leader,
					  const struct strobe_descriptor *d)
{
	struct strobe_gather *gather = leader->running.first;

	while (gather && (gather->d.key.context != d->key.context ||
			  gather->d.key.tag != d->key.tag ||
			  gather->d.first != d->first ||
			  is_whole(gather->works[d->rank])))
		gather = gather->next;
	return gather;
}

/* Without room for it, no process of this node gets the collective's result. */
static struct strobe_work *share_new(struct strobe_leader *leader,
				     uint32_t node,
				     const struct strobe_parcel *parcel)
{
	struct strobe_work *work = strobe_work_new(leader);

	if (!work)
		return NULL;
	*work = (struct strobe_work){ .d = parcel->d,
				      .slot = STROBE_REMOTE,
				      .node = node };
	/* Its process is not here: nobody is to be told. */
	work->d.eager = true;
	work->transfer.bytes = parcel->total;
	work->d.block = parcel->total ? strobe_arena_get(&leader->arena,
							 parcel->total,
							 strobe_reserve(leader))
				      : 0;
	return work;
}

/* Ticks are those of a node: they came in nanoseconds. */
static void share_add(const struct strobe_leader *leader,
		      struct strobe_work *work,
		      const struct strobe_parcel *parcel)
{
	struct strobe_share *share = strobe_at(leader->strobe, work->d.block);

	work->transfer.moved += parcel->bytes;
	if (!work->d.block)
		return;
	memcpy((char *)share + parcel->begin, parcel + 1, parcel->bytes);
	if (parcel->last)
		share->path = clock_of_ns(share->path);
}

static void share_came(struct strobe_leader *leader, uint32_t node,
		       const struct strobe_parcel *parcel)
{
	struct strobe_gather *gather = running_find(leader, &parcel->d);
	struct strobe_work **place = &gather->works[parcel->d.rank];

	if (!*place && parcel->begin == 0)
		*place = share_new(leader, node, parcel);
	if (*place)
		share_add(leader, *place, parcel);
	if (!parcel->last)
		return;
	if (!*place)
		*place = strobe_gather_lost();
	strobe_gather_share(leader, gather);
}

static void call_came(struct strobe_leader *leader, uint32_t node,
		      const struct strobe_parcel *parcel)
{
	if (parcel->kind == STROBE_PARCEL_CALL)
		strobe_gather_hear(leader, &parcel->d);
	else if (parcel->kind == STROBE_PARCEL_SHARE)
		share_came(leader, node, parcel);
}

void strobe_exchange_receive_shares(struct strobe_leader *leader)
{
	for (uint32_t i = 0; leader->exchange && i < strobe_n_nodes(leader);
	     i++)
		if (i != leader->strobe->options.node)
			strobe_parcels_read(leader, i, call_came);
}
