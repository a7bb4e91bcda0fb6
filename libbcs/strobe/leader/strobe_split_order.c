/* SPDX-License-Identifier: BSD-3-Clause */

/* Which large copies a slice splits between sender and receiver. */
#include <string.h>

#include "libbcs/base/tuning.h"
#include "libbcs/strobe/leader/strobe_leader.h"

void strobe_split_begin(struct strobe_leader *leader)
{
	memset(leader->splits, 0, leader->strobe->n);
}

/*
 * A process that waited for the last slice mostly waits again, if not yet: it
 * posts what comes next.
 */
static bool waits(const struct strobe_leader *leader, uint32_t slot)
{
	return leader->waited[slot] ||
	       atomic_load(&strobe_slot(leader->strobe, slot)->blocked);
}

/* Both processes wait, so that two cores can copy. */
static bool can_split(const struct strobe_leader *leader,
		      const struct strobe_work *send,
		      const struct strobe_order *copy)
{
	const struct strobe *strobe = leader->strobe;
	const uint32_t to = send->peer->slot;

	return copy->bytes >= STROBE_SPLIT_LEAST && !copy->block &&
	       send->slot != STROBE_REMOTE && send->slot != to &&
	       strobe->n <= strobe->options.cores &&
	       leader->splits[to] < STROBE_SPLITS &&
	       waits(leader, send->slot) && waits(leader, to);
}

void strobe_split_order(struct strobe_leader *leader,
			const struct strobe_work *send,
			struct strobe_order *copy)
{
	const uint32_t to = send->peer->slot;
	struct strobe_order push = *copy;

	if (!can_split(leader, send, copy))
		return;
	copy->split = push.split = ++leader->splits[to];
	push.kind = STROBE_PUSH;
	push.from = to;
	push.to = send->peer->d.address + copy->begin;
	strobe_slot(leader->strobe, to)
		->splits[copy->split - 1] = (struct strobe_split){ 0 };
	strobe_order_give(leader, send->slot, &push);
}
