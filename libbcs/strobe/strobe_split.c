/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * A large copy between two processes that both wait: the receiver reads one
 * piece after the other, and the sender writes others meanwhile.  Without it
 * one core copies while the other one sleeps.
 */
#include <sched.h>
#include <string.h>

#include "libbcs/base/copy.h"
#include "libbcs/base/tuning.h"
#include "libbcs/strobe/strobe_leader.h"

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

/* The next piece that nobody has taken; false: there is none. */
static bool take(struct strobe_split *split, const struct strobe_order *order,
		 uint64_t *begin, uint64_t *bytes)
{
	*begin = atomic_fetch_add(&split->taken, STROBE_SPLIT_PIECE);
	if (*begin >= order->bytes)
		return false;
	*bytes = copy_at_most(order->bytes - *begin, STROBE_SPLIT_PIECE);
	return true;
}

static struct strobe_split *split_of(const struct strobe *strobe, uint32_t slot,
				     const struct strobe_order *order)
{
	return &strobe_slot(strobe, slot)->splits[order->split - 1];
}

/* The sender says so before it takes a piece, and when it wrote its last. */
static void await_sender(const struct strobe *strobe,
			 struct strobe_split *split)
{
	while (atomic_load(&split->writing))
		if (!strobe_lend(strobe))
			sched_yield();
}

int strobe_split_read(struct strobe *strobe, const struct strobe_order *order,
		      unsigned char *to)
{
	struct strobe_split *split = split_of(strobe, strobe->me, order);
	uint64_t begin;
	uint64_t bytes;
	int rc = 0;

	while (rc == 0 && take(split, order, &begin, &bytes))
		rc = strobe_read(strobe, order->from, order->address + begin,
				 to + begin, bytes);
	return rc;
}

int strobe_split_end(struct strobe *strobe, const struct strobe_order *order,
		     unsigned char *to)
{
	struct strobe_split *split = split_of(strobe, strobe->me, order);
	uint64_t refused;

	await_sender(strobe, split);
	refused = atomic_load(&split->refused);
	if (!refused)
		return 0;
	return strobe_read(
		strobe, order->from, order->address + refused - 1,
		to + refused - 1,
		copy_at_most(order->bytes - refused + 1, STROBE_SPLIT_PIECE));
}

void strobe_split_write(struct strobe *strobe, const struct strobe_order *order)
{
	struct strobe_split *split = split_of(strobe, order->from, order);
	uint64_t begin;
	uint64_t bytes;

	atomic_store(&split->writing, 1);
	while (take(split, order, &begin, &bytes))
		if (strobe_write(strobe, order->from, order->to + begin,
				 (void *)(uintptr_t)(order->address + begin),
				 bytes) != 0) {
			atomic_store(&split->refused, begin + 1);
			break;
		}
	atomic_store(&split->writing, 0);
}
