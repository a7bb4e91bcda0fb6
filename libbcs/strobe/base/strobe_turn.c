/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * How long a helper's turns on a core are.  Linux 6.12 and newer let a thread
 * that wakes preempt one that computes if its turns are shorter.  Otherwise it
 * waits for the end of the other's turn, 1 to 3 ms.  That happens where a
 * helper and a process that waits wake at the same time for one free core.  The
 * kernel puts one of them behind a process that computes, and leaves it there.
 * Older kernels ignore the length of turns.
 */
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "libbcs/base/tuning.h"
#include "libbcs/strobe/base/strobe_state.h"

/* The kernel's struct sched_attr, whose header is at odds with sched.h. */
struct attributes {
	uint32_t size;
	uint32_t policy;
	uint64_t flags;
	int32_t nice;
	uint32_t priority;
	uint64_t turn_ns;
	uint64_t deadline_ns;
	uint64_t period_ns;
};

__thread bool strobe_is_helper;

void strobe_turn_helper(void)
{
	struct attributes attributes = { .size = sizeof(attributes) };

	strobe_is_helper = true;
	if (syscall(SYS_sched_getattr, 0, &attributes, sizeof(attributes), 0) !=
		    0 ||
	    attributes.policy != SCHED_OTHER)
		return;
	attributes.turn_ns = STROBE_TURN_NS;
	syscall(SYS_sched_setattr, 0, &attributes, 0);
}
