/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_FABRIC_H
#define BCS_FABRIC_H

#include <stddef.h>
#include <stdint.h>

#include "libbcs/core/core.h"

/*
 * What carries the core primitives: between the processes of a node shared
 * memory (fabric_node.h), between nodes MPI (fabric_net.h).  Only core.c calls
 * these, with places, sets and alignments that are valid; whoever makes a
 * fabric fills in struct fabric, mostly as the beginning of a struct of its
 * own.
 *
 * An operation is enter, reach, then compare, put and signal as it takes, and
 * leave; and wake where there were signals.  All that is done on a set is
 * handed over as a set, so that a network may do it with one multicast, in a
 * tree, or with many messages under way at a time.
 */
struct fabric_ops {
	/*
	 * Between these two, no operation of another member is seen, nor does
	 * any see this one.  What was put is there when leave returns, or will
	 * be before anybody can tell that it is not.  enter waits for its
	 * turn, and returns 0 or -ENOTRECOVERABLE.
	 */
	int (*enter)(struct fabric *fabric);
	void (*leave)(struct fabric *fabric);

	/*
	 * 0 if all of the set are there, or -ESRCH.  What follows within the
	 * operation reaches them, or what is left of them.
	 */
	int (*reach)(struct fabric *fabric, const struct core_set *set);

	/* An aligned word of eight bytes is never seen half written. */
	void (*put)(struct fabric *fabric, const struct core_set *set,
		    uint64_t offset, const void *block, uint64_t bytes);

	/* Whether it holds on all of the set.  May stop where it does not. */
	bool (*compare)(struct fabric *fabric, const struct core_set *set,
			const struct core_condition *condition);

	/* Adds a signal to the event, behind all that was put before. */
	void (*signal)(struct fabric *fabric, const struct core_set *set,
		       uint64_t event);

	/* Wakes who sleeps on an event that was signalled.  After leave. */
	void (*wake)(struct fabric *fabric, const struct core_set *set,
		     uint64_t event);

	/* As core_test_event. */
	int (*wait)(struct fabric *fabric, uint64_t event,
		    uint64_t deadline_ns);
};

static inline bool fabric_holds(const struct core_condition *condition,
				int64_t left)
{
	switch (condition->relation) {
	case CORE_GE:
		return left >= condition->value;
	case CORE_LT:
		return left < condition->value;
	case CORE_EQ:
		return left == condition->value;
	case CORE_NE:
		return left != condition->value;
	}
	return false;
}

struct fabric {
	const struct fabric_ops *ops;
	uint32_t n_members;
	uint32_t me;
	struct core_set self;  /* of n_members, with me in it */
	unsigned char *memory; /* my own global memory */
	uint64_t bytes;
};

#endif
