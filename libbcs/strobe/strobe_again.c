/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Records the slices that took descriptors, and repeats them.  A descriptor
 * stays in its place of the ring long after a slice took it.  The leader leaves
 * the slice's number there.  The process records that number before it uses the
 * place anew.
 *
 * Leaders count the slices that run, alike on all nodes.  When slices are
 * repeated, a process shows for which of them its next descriptor is.  A slice
 * runs when all its descriptors have been posted, on all nodes, and takes no
 * others.  So it does not matter how late or early processes are.
 */
#include "libbcs/base/tuning.h"
#include "libbcs/strobe/strobe_leader.h"
#include "mds/base/clock.h"

/* Probes, and calls of one process, change nothing for others. */
static bool counts(const struct strobe_descriptor *descriptor)
{
	switch (descriptor->kind) {
	case STROBE_SEND:
	case STROBE_RECV:
	case STROBE_TAKEN:
		return true;
	case STROBE_COLL:
		return descriptor->size > 1;
	default:
		return false;
	}
}

static void next_set(struct strobe *strobe)
{
	struct strobe_schedules *again = &strobe->again;

	again->next = again->calls.held && !atomic_load(&strobe->head->unfit)
			      ? again->calls.held()
			      : UINT64_MAX;
}

static void tell(struct strobe *strobe, uint32_t place)
{
	const struct strobe_descriptor
		*old = &strobe->slot->ring.descriptors[place % STROBE_RING];

	if (strobe->again.calls.took && counts(old))
		strobe->again.calls.took(old->slice);
}

void strobe_again_post(struct strobe *strobe, uint32_t place,
		       struct strobe_descriptor *descriptor)
{
	struct strobe_schedules *again = &strobe->again;

	if (place - again->first >= STROBE_RING)
		tell(strobe, place);
	if (!counts(descriptor) || again->next == UINT64_MAX)
		return;
	/* The slice in `held` takes it, whatever the clock says. */
	descriptor->slice = 0;
	descriptor->held = again->next + 1;
	next_set(strobe);
}

/* The leader has seen the descriptor if it sees this. */
void strobe_again_posted(struct strobe *strobe)
{
	atomic_store(&strobe->slot->next, strobe->again.next);
}

void strobe_engine_again(struct strobe *strobe,
			 const struct strobe_again *calls)
{
	struct strobe_schedules *again = &strobe->again;

	*again = (struct strobe_schedules){
		.is_there = true,
		.calls = *calls,
		.first = (uint32_t)atomic_load(&strobe->slot->ring.tail),
	};
	next_set(strobe);
	strobe_again_posted(strobe);
	if (calls->held)
		atomic_store(&strobe->head->again, 1);
}

void strobe_engine_again_go(struct strobe *strobe)
{
	strobe_arm(strobe);
}

bool strobe_engine_again_stop(struct strobe *strobe)
{
	struct strobe_ring *ring = &strobe->slot->ring;
	struct strobe_schedules *again = &strobe->again;
	const uint32_t taken = atomic_load(&ring->taken);
	uint32_t place = (uint32_t)atomic_load(&ring->tail);

	if (!again->is_there)
		return true;
	place -= place - again->first < STROBE_RING ? place - again->first
						    : STROBE_RING;
	for (; place != taken; place++)
		tell(strobe, place);
	again->is_there = false;
	again->next = UINT64_MAX;
	strobe_again_posted(strobe);
	return !atomic_load(&strobe->head->unfit);
}

bool strobe_again_holds(const struct strobe_leader *leader,
			const struct strobe_descriptor *descriptor)
{
	return descriptor->held > (leader->closed ? 0 : leader->turn + 1) &&
	       !atomic_load(&leader->strobe->head->unfit);
}

bool strobe_again_has_free(struct strobe_leader *leader)
{
	const struct strobe_descriptor *next;

	for (uint32_t i = 0; i < leader->strobe->n; i++) {
		next = strobe_ring_next(&strobe_slot(leader->strobe, i)->ring,
					leader->ends[i], leader->slice);
		if (next && !next->held)
			return true;
	}
	return false;
}

/* Whether a process has still to post for the slice, and how soon. */
static bool is_awaited(struct strobe_leader *leader, bool *blocked, bool *over)
{
	struct strobe *strobe = leader->strobe;
	bool awaited = false;
	struct strobe_slot *slot;
	uint64_t next;

	*over = true;
	for (uint32_t i = 0; i < strobe->n; i++) {
		slot = strobe_slot(strobe, i);
		next = atomic_load(&slot->next);
		*over = *over && next == UINT64_MAX;
		if (next > leader->turn)
			continue;
		awaited = true;
		*blocked = *blocked || atomic_load(&slot->blocked);
	}
	return awaited;
}

static enum strobe_busy wait_on(struct strobe_leader *leader, bool blocked)
{
	const uint64_t now = clock_monotonic_ns();

	if (!blocked || !leader->stuck)
		leader->stuck = now;
	if (now - leader->stuck > STROBE_STUCK_NS)
		atomic_store(&leader->strobe->head->unfit, 1);
	return STROBE_LATER;
}

enum strobe_busy strobe_again_look(struct strobe_leader *leader)
{
	struct strobe_head *head = leader->strobe->head;
	bool blocked = false;
	bool over;

	if (!atomic_load(&head->again) || atomic_load(&head->unfit))
		return STROBE_IDLE;
	if (is_awaited(leader, &blocked, &over))
		return wait_on(leader, blocked);
	leader->stuck = 0;
	return over && !strobe_receiver_has_posts(leader) ? STROBE_IDLE
							  : STROBE_BUSY;
}

void strobe_again_end(struct strobe_leader *leader)
{
	leader->turn += !leader->closed;
}
