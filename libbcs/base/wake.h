/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_WAKE_H
#define BCS_WAKE_H

/*
 * Wakes a process that sleeps on the word `asleep` of its slot.  How it goes to
 * sleep is the engine's matter (demand/wait.c).
 */
#include <stdatomic.h>

#include "libbcs/base/board.h"

/*
 * True: wake_slot reads `asleep` by a locked instruction, which orders it after
 * the caller's stores.  Set before the first call, and then left alone.
 */
extern _Atomic bool wake_by_writing;

/* Called before a thread is woken by the kernel, which takes long; or NULL. */
extern void (*wake_before_slow)(void);

void wake_slot_slow(struct board_slot *slot);

/* Wakes the slot's sleeper, after a descriptor was shown or an operation done.
 */
static inline void wake_slot(struct board_slot *slot)
{
	uint32_t asleep;

	/*
	 * The processor may read `asleep` before the caller's stores are seen.
	 * A process that goes to sleep makes all others show theirs first
	 * (wait.c), which costs more but is seldom.  Where it is frequent,
	 * each waker reads by a locked instruction instead.
	 */
	if (__builtin_expect(atomic_load_explicit(&wake_by_writing,
						  memory_order_relaxed),
			     0)) {
		asleep = atomic_fetch_add(&slot->asleep, 0);
	} else {
		atomic_signal_fence(memory_order_seq_cst);
		asleep = atomic_load_explicit(&slot->asleep,
					      memory_order_relaxed);
	}
	if (__builtin_expect(asleep, 0))
		wake_slot_slow(slot);
}

/* The state in board_slot.helper. */
enum { HELPER_AWAKE, HELPER_IDLE, HELPER_NAPS };

/* Wakes the helper of a slot, if it has one and no thread is blocked there. */
void wake_helper(struct board_slot *slot);
/* Wakes it late.  It was to be woken at `since`, in ticks. */
void wake_helper_since(struct board_slot *slot, uint64_t since);
/* Wakes it only if its state is `state`.  `since` 0: it is to be woken now. */
void wake_helper_from(struct board_slot *slot, uint32_t state, uint64_t since);

/*
 * True if the slot's helper was woken and has not gone back to sleep: it will
 * see what is left for it to do.
 */
bool wake_helper_is_awake(struct board_slot *slot);

#endif
