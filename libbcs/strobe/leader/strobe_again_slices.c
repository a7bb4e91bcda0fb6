/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Leaders count the slices that run, alike on all nodes.  A slice of a schedule
 * that is repeated runs when all its descriptors have been posted, on all
 * nodes, and takes no others.  So it does not matter how late or early
 * processes are.
 */
#include "libbcs/base/tuning.h"
#include "libbcs/strobe/leader/strobe_leader.h"
#include "mds/base/clock.h"

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
	return over && !strobe_has_posts(leader->strobe) ? STROBE_IDLE
							 : STROBE_BUSY;
}

void strobe_again_end(struct strobe_leader *leader)
{
	leader->turn += !leader->closed;
}
