/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The Buffer Sender: in the descriptor exchange it takes the descriptors that
 * were posted before the slice, process by process and in their order.  It
 * hands sends to the Buffer Receiver of their destination.
 */
#include "libbcs/strobe/leader/strobe_exchange.h"

static const struct strobe_descriptor *next_of(struct strobe_leader *leader,
					       uint32_t i)
{
	const struct strobe_descriptor *next = strobe_ring_next(
		&strobe_slot(leader->strobe, i)->ring, leader->ends[i],
		leader->slice);

	return next && !strobe_again_holds(leader, next) ? next : NULL;
}

unsigned strobe_buffer_seal(struct strobe_leader *leader)
{
	struct strobe *strobe = leader->strobe;
	unsigned n = 0;

	atomic_store(&strobe->head->sealed, leader->slice);
	for (uint32_t i = 0; i < strobe->n; i++) {
		leader->ends[i] = strobe_ring_seal(
			&strobe_slot(strobe, i)->ring);
		n += next_of(leader, i) != NULL;
	}
	return n;
}

void strobe_buffer_close(struct strobe_leader *leader)
{
	for (uint32_t i = 0; i < leader->strobe->n; i++)
		leader->ends[i] = atomic_load(
			&strobe_slot(leader->strobe, i)->ring.taken);
}

/* False if there is no memory: nothing happened. */
static bool hand_on(struct strobe_leader *leader, struct strobe_work *work)
{
	const bool sends = work->d.kind == STROBE_SEND;

	if (sends && !strobe_is_local(leader->strobe, work->d.to))
		return strobe_exchange_send(leader, work);
	if (work->d.kind == STROBE_COLL) {
		strobe_gather_add(leader, work);
	} else if (work->d.kind == STROBE_GIVE_UP) {
		strobe_gather_give_up(leader, work);
		strobe_work_free(leader, work);
	} else {
		strobe_works_add(sends ? &leader->sends : &leader->others,
				 work);
	}
	return true;
}

static bool is_of_message(const struct strobe_descriptor *descriptor)
{
	return descriptor->kind != STROBE_COLL &&
	       descriptor->kind != STROBE_GIVE_UP;
}

/* Without memory the rest stays in the ring, for the next slice. */
static bool take(struct strobe_leader *leader, uint32_t i,
		 const struct strobe_descriptor *descriptor)
{
	struct strobe_ring *ring = &strobe_slot(leader->strobe, i)->ring;
	struct strobe_work *work = strobe_work_new(leader);

	if (!work)
		return false;
	*work = (struct strobe_work){ .d = *descriptor, .slot = i };
	work->transfer.source = strobe_slot(leader->strobe, i)->world;
	work->transfer.sequence = atomic_load(&ring->taken);
	if (!hand_on(leader, work)) {
		strobe_work_free(leader, work);
		return false;
	}
	strobe_count(leader, EMDS_P2P_DEM, is_of_message(descriptor));
	strobe_ring_took(ring, leader->turn);
	strobe_ring_take(ring);
	leader->touched[i] = true;
	return true;
}

void strobe_buffer_send(struct strobe_leader *leader)
{
	struct strobe *strobe = leader->strobe;
	const struct strobe_descriptor *next;

	for (uint32_t i = 0; i < strobe->n; i++)
		while ((next = next_of(leader, i)) && take(leader, i, next))
			;
	strobe_calls_show(leader);
	strobe_exchange_send_descriptors(leader);
}
