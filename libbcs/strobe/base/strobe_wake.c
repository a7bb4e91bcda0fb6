/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The words by which threads of a node wake each other: a post arms the strobe,
 * orders wake their process, and what a process has done wakes the leader.
 */
#include "libbcs/strobe/base/strobe_state.h"
#include "mds/base/futex.h"

/*
 * The first post arms the strobe.  The leader that disarms it looks at the
 * rings once more, so that one of both sees what the other did.
 */
void strobe_arm(struct strobe *strobe)
{
	if (!atomic_load(&strobe->head->armed) &&
	    !atomic_exchange(&strobe->head->armed, 1))
		futex_wake(&strobe->head->armed);
}

bool strobe_has_posts(const struct strobe *strobe)
{
	for (uint32_t i = 0; i < strobe->n; i++)
		if (!strobe_ring_is_empty(&strobe_slot(strobe, i)->ring))
			return true;
	return atomic_load(&strobe->head->wanted);
}

/* The leader sleeps while it waits for what takes long. */
void strobe_tell_leader(const struct strobe *strobe)
{
	struct strobe_head *head = strobe->head;

	if (!atomic_load(&head->awaits))
		return;
	atomic_fetch_add(&head->progress, 1);
	futex_wake(&head->progress);
}

/* The leader's helper may sleep where it waits for others. */
void strobe_call(const struct strobe *strobe, struct strobe_slot *slot)
{
	if (slot == strobe_slot(strobe, 0))
		strobe_tell_leader(strobe);
	atomic_fetch_add(&slot->event, 1);
	if (atomic_load(&slot->blocked)) {
		futex_wake(&slot->event);
		return;
	}
	atomic_fetch_add(&slot->helper, 1);
	futex_wake(&slot->helper);
}
