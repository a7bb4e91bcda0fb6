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
#include "libbcs/strobe/process/strobe_process.h"

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
