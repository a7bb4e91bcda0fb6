/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_FABRIC_H
#define BCS_FABRIC_H

#include <stddef.h>
#include <stdint.h>

#include "libbcs/core/core.h"

/*
 * A fabric carries the core primitives: shared memory between the processes of
 * a node (fabric_node.h), MPI between nodes (fabric_net.h).  Only core.c calls
 * these functions, with valid offsets, sets and alignments.  A fabric embeds
 * struct fabric, usually as the first field of its own struct.
 *
 * An operation calls enter and reach, then compare, put and signal as needed,
 * then leave, and wake after signals.  Each function gets the whole set, so
 * that a network may use one multicast, a tree, or many messages at once.
 */
struct fabric_ops {
	/*
	 * Operations are isolated from each other between enter and leave.
	 * After leave, no member can see a state without this operation's
	 * writes.  enter waits for its turn; 0 or -ENOTRECOVERABLE.
	 */
	int (*enter)(struct fabric *fabric);
	void (*leave)(struct fabric *fabric);

	/*
	 * 0 if all members of the set have attached and none left, else
	 * -ESRCH.  A member that dies later in the operation is skipped.
	 */
	int (*reach)(struct fabric *fabric, const struct core_set *set);

	/* An aligned word of eight bytes is never seen half written. */
	void (*put)(struct fabric *fabric, const struct core_set *set,
		    uint64_t offset, const void *block, uint64_t bytes);

	/* Sets `holds` of each: on all of its set. */
	void (*compare)(struct fabric *fabric, struct core_query *queries,
			uint32_t n);
	/* Makes the assignments of those that hold. */
	void (*assign)(struct fabric *fabric, const struct core_query *queries,
		       uint32_t n);

	/* Adds a signal to the event, ordered after earlier puts. */
	void (*signal)(struct fabric *fabric, const struct core_set *set,
		       uint64_t event);

	/* Wakes the sleepers of a signalled event.  After leave. */
	void (*wake)(struct fabric *fabric, const struct core_set *set,
		     uint64_t event);

	/* Implements core_test_event. */
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
	struct core_set self;  /* this member alone */
	unsigned char *memory; /* this member's global memory */
	uint64_t bytes;
};

#endif
