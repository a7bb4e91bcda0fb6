/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Records the slices that took descriptors, and repeats them.  A descriptor
 * stays in its place of the ring long after a slice took it.  The leader leaves
 * the slice's number there.  The process records that number before it uses the
 * place anew.
 *
 * When slices are repeated, a process shows for which of them its next
 * descriptor is (leader/strobe_again_slices.c).
 */
#include "libbcs/strobe/process/strobe_process.h"

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
