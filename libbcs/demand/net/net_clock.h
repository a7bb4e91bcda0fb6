/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_NET_CLOCK_H
#define BCS_NET_CLOCK_H

#include <stdint.h>

/*
 * When slice 0 began, by the clock of this node, so that slices by time have
 * the same number on all nodes though clocks run at different rates.  Nothing
 * is sent for it: each block carries a stamp.  It came after it was sent, and
 * what the stamp says of an earlier one that went the other way was there after
 * that was sent.  So each of the two gives a bound, and what is known is the
 * interval that all bounds allow; it widens as clocks may drift, and what
 * narrows it moves its middle.  The clock of the first node is right.
 */
struct net_stamp {
	uint64_t sent;     /* by the sender's clock, which is in all of these */
	uint64_t zero_ns;  /* when slice 0 began, */
	uint64_t error_ns; /* and by how much that may be wrong */
	uint64_t echo; /* what was sent here last, by the receiver's clock; */
	uint64_t echo_there; /* when it came; 0: nothing did */
	uint32_t from;       /* node */
	uint32_t unused;
};

/* What came last from a node. */
struct net_heard {
	uint64_t sent;
	uint64_t came; /* by the clock of this node; 0: nothing did */
};

struct net_clock {
	uint64_t zero_ns;
	uint64_t error_ns;
	uint64_t at;             /* when they were true */
	uint32_t me;             /* node */
	struct net_heard *heard; /* by node; the caller's */
};

/* Of a block that is being sent to a node. */
void net_clock_stamp(const struct net_clock *clock, uint32_t to, uint64_t now,
		     struct net_stamp *stamp);
/* Of one that came. */
void net_clock_hear(struct net_clock *clock, uint64_t now,
		    const struct net_stamp *stamp);

#endif
