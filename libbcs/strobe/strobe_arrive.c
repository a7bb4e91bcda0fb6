/* SPDX-License-Identifier: BSD-3-Clause */

/* Descriptors and shares of collectives that came from other nodes. */
#include <string.h>

#include "libbcs/strobe/strobe_parcel.h"
#include "mds/clock.h"

static struct strobe_work *work_of(struct strobe_leader *leader, uint32_t node,
				   const struct strobe_parcel *parcel)
{
	struct strobe_work *work = strobe_work_reserved(leader);

	*work = (struct strobe_work){ .d = parcel->d,
				      .slot = STROBE_FAR,
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

static struct strobe_work **arriving_find(struct strobe_leader *leader,
					  uint32_t node, uint64_t handle)
{
	struct strobe_work **link = &leader->exchange->arriving;

	while (*link && ((*link)->node != node || (*link)->handle != handle))
		link = &(*link)->next;
	return link;
}

/* Without room for it, no process of this node gets the collective's result. */
static void arriving_add(struct strobe_leader *leader, uint32_t node,
			 const struct strobe_parcel *parcel)
{
	struct strobe_work *work = work_of(leader, node, parcel);

	work->d.block = strobe_arena_get(&leader->arena, parcel->total,
					 strobe_reserve(leader));
	/* Its process is not here: nobody is to be told. */
	work->d.eager = true;
	work->next = leader->exchange->arriving;
	leader->exchange->arriving = work;
}

/* All of it is here.  Ticks are those of a node: it came in nanoseconds. */
static void share_end(struct strobe_leader *leader, struct strobe_work *work)
{
	struct strobe_share *share = strobe_at(leader->strobe, work->d.block);

	if (work->d.block)
		share->path = clock_of_ns(share->path);
	strobe_works_add(&leader->others, work);
}

static void share_came(struct strobe_leader *leader, uint32_t node,
		       const struct strobe_parcel *parcel)
{
	struct strobe_work **link;
	struct strobe_work *share;

	if (parcel->begin == 0)
		arriving_add(leader, node, parcel);
	link = arriving_find(leader, node, parcel->handle);
	share = *link;
	if (share->d.block)
		memcpy((char *)strobe_at(leader->strobe, share->d.block) +
			       parcel->begin,
		       parcel + 1, parcel->bytes);
	if (!parcel->last)
		return;
	*link = share->next;
	share_end(leader, share);
}

static void descriptor_came(struct strobe_leader *leader, uint32_t node,
			    const struct strobe_parcel *parcel)
{
	if (parcel->kind == STROBE_PARCEL_SEND)
		message_came(leader, node, parcel);
	else if (parcel->kind == STROBE_PARCEL_SHARE)
		share_came(leader, node, parcel);
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
