/* SPDX-License-Identifier: BSD-3-Clause */
#include "libbcs/base/wake.h"
#include "mds/futex.h"

_Atomic bool wake_by_writing;
void (*wake_lasts)(void);

void wake_slot_slow(struct board_slot *slot)
{
	if (wake_lasts)
		wake_lasts();
	if (atomic_exchange(&slot->asleep, 0))
		futex_wake(&slot->asleep);
}
