/* SPDX-License-Identifier: BSD-3-Clause */
#include "libbcs/base/wake.h"
#include "mds/base/clock.h"
#include "mds/base/futex.h"

_Atomic bool wake_by_writing;
void (*wake_before_slow)(void);

void wake_slot_slow(struct board_slot *slot)
{
	if (wake_before_slow)
		wake_before_slow();
	if (atomic_exchange(&slot->asleep, 0))
		futex_wake(&slot->asleep);
}

void wake_helper_from(struct board_slot *slot, uint32_t state, uint64_t since)
{
	atomic_store(&slot->woken, since ? since : clock_ticks());
	if (atomic_compare_exchange_strong(&slot->helper, &state, HELPER_AWAKE))
		futex_wake(&slot->helper);
}

void wake_helper_since(struct board_slot *slot, uint64_t since)
{
	uint32_t state;

	/* Before the look: who leaves off waiting, but wants nothing yet, sees
	 * it when it does. */
	atomic_store_explicit(&slot->called, 1, memory_order_relaxed);
	/* Reads and writes, so that what was shown before is seen by whoever
	 * leaves off waiting, which says so and then looks. */
	if (atomic_fetch_add(&slot->blocked, 0) != 0)
		return;
	/* Reads and writes, so that a helper that turns idle after it sees
	 * what its waker did before. */
	state = atomic_fetch_add(&slot->helper, 0);
	if (state != HELPER_AWAKE)
		wake_helper_from(slot, state, since);
}

void wake_helper(struct board_slot *slot)
{
	wake_helper_since(slot, 0);
}

bool wake_helper_is_awake(struct board_slot *slot)
{
	/* Reads and writes, as above. */
	return atomic_load(&slot->helper_tid) &&
	       atomic_fetch_add(&slot->helper, 0) == HELPER_AWAKE;
}
