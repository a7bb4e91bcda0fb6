/* SPDX-License-Identifier: BSD-3-Clause */
#include "libbcs/demand/net/net_clock.h"

/*
 * Two clocks drift apart by a ns in so many, at most: NTP makes one faster or
 * slower by 500 ppm while it sets it right, and a quartz is less off by itself.
 */
#define DRIFT 1000

static uint64_t drift(uint64_t ns)
{
	return ns / DRIFT + 1;
}

static uint64_t error_at(const struct net_clock *clock, uint64_t now)
{
	return clock->me ? clock->error_ns + drift(now - clock->at) : 0;
}

void net_clock_stamp(const struct net_clock *clock, uint32_t to, uint64_t now,
		     struct net_stamp *stamp)
{
	const struct net_heard *heard = &clock->heard[to];

	*stamp = (struct net_stamp){
		.sent = now,
		.zero_ns = clock->zero_ns,
		.error_ns = error_at(clock, now),
		.echo = heard->sent,
		.echo_there = heard->came,
		.from = clock->me,
	};
}

/* What the zero may be behind and ahead of what it was taken for. */
struct interval {
	int64_t low;
	int64_t high;
};

/* The zero is where it is for the sender, but for its error. */
static void bound_high(struct interval *zero, int64_t most)
{
	if (zero->high > most)
		zero->high = most;
	if (zero->low > most)
		zero->low = most; /* the clock was set, or stood still */
}

static void bound_low(struct interval *zero, int64_t least)
{
	if (zero->low < least)
		zero->low = least;
	if (zero->high < least)
		zero->high = least;
}

/*
 * A moment is so long after the zero on all nodes.  `sent` of the stamp was
 * before now, so the zero is no later than by these two; `echo_there` was after
 * `echo` here, so it is no earlier than by those.
 */
static void bound(const struct net_clock *clock, struct interval *zero,
		  uint64_t now, const struct net_stamp *stamp)
{
	const int64_t error = (int64_t)stamp->error_ns;
	const uint64_t since_sent = stamp->sent - stamp->zero_ns;
	const uint64_t since_echo = stamp->echo_there - stamp->zero_ns;

	bound_high(zero, (int64_t)(now - since_sent - clock->zero_ns) + error);
	if (stamp->echo_there)
		bound_low(zero,
			  (int64_t)(stamp->echo - since_echo - clock->zero_ns) -
				  error - (int64_t)drift(now - stamp->echo));
}

void net_clock_hear(struct net_clock *clock, uint64_t now,
		    const struct net_stamp *stamp)
{
	const int64_t error = (int64_t)error_at(clock, now);
	struct interval zero = { -error, error };

	clock->heard[stamp->from] = (struct net_heard){ stamp->sent, now };
	if (clock->me == 0)
		return;
	bound(clock, &zero, now, stamp);
	clock->zero_ns += (uint64_t)((zero.low + zero.high) / 2);
	clock->error_ns = (uint64_t)(zero.high - zero.low + 1) / 2;
	clock->at = now;
}
