/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_WAIT_H
#define BCS_WAIT_H

/*
 * How a process waits: it looks at its inbox without pause while there is a
 * core for each process; where it takes long it gives up the core for some
 * turns, and then sleeps.  Where there are more processes than cores it gives
 * its core up at once, unless who sent last has another core: that one may be
 * at work on the answer, which then comes before the core would be back.
 */
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "libbcs/base/board.h"

struct engine;

/*
 * Once in a process, before anything waits in it or is put by it; whether it is
 * crowded is the same in all of them.
 */
void wait_start(bool crowded);

/* Who puts something shows it before it looks whether somebody sleeps. */
extern _Atomic bool wait_by_writing;

/* Called, if there is one, when to post something comes to more than that. */
extern void (*wait_lasts)(void);

void wait_wake_slow(struct board_slot *slot);

/* Wakes whoever sleeps, after a descriptor was shown or an operation done. */
static inline void wait_wake(struct board_slot *slot)
{
	uint32_t asleep;

	/*
	 * The processor may look before it shows.  Who goes to sleep makes all
	 * others show first (wait.c), which is dearer, but seldom.  Where it is
	 * not seldom each looks by writing, which it does after it has shown.
	 */
	if (__builtin_expect(atomic_load_explicit(&wait_by_writing,
						  memory_order_relaxed),
			     0)) {
		asleep = atomic_fetch_add(&slot->asleep, 0);
	} else {
		atomic_signal_fence(memory_order_seq_cst);
		asleep = atomic_load_explicit(&slot->asleep,
					      memory_order_relaxed);
	}
	if (__builtin_expect(asleep, 0))
		wait_wake_slow(slot);
}

/* Turns in vain before the core is given up. */
unsigned wait_looks(struct engine *engine);

/* A test that found nothing: others may need the core. */
void wait_idle(struct engine *engine);

#endif
