/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Several messages between one process and many are done one after the other.
 * Message i is done at e(i) = max(e(i-1) + step, ready(i) + rest).  If ready(i)
 * is linear in i, this has a closed form, since its greatest term is the first
 * or the last.
 */
#include <math.h>

#include "sim/sim_transfer.h"

struct sim_moment sim_transfer_turns(double now, double step, uint32_t n)
{
	return (struct sim_moment){ now, now + step * (n - 1) };
}

double sim_transfer_slot(const struct sim_policy *policy, double ready,
			 double seconds)
{
	double slice;
	double slices;

	switch (policy->strobe) {
	case SIM_FIXED:
		slice = floor(ready / policy->period) + 1;
		slices = ceil(seconds / policy->period);
		return (slice + fmax(1, slices)) * policy->period;
	case SIM_DEMAND:
		return ready + policy->slice + seconds;
	default:
		return ready + seconds;
	}
}

/* Computes e(0) and e(n-1) from `now` on.  Returns false if the values between
 * them are not on one straight line. */
static bool in_turn(double now, struct sim_moment ready, double step,
		    double rest, uint32_t n, struct sim_moment *end)
{
	const double busy = now + step * n;
	const double begun = ready.first + rest + step * (n - 1);
	const double late = ready.last + rest;

	end->first = fmax(now + step, ready.first + rest);
	end->last = fmax(fmax(busy, begun), late);
	return n < 3 || late <= fmax(busy, begun) ||
	       ready.first + rest >= now + step;
}

/* Each pair by itself.  Returns false if some pairs end when side a is ready
 * and others when side b is. */
static bool each(struct sim_moment a, double a_rest, struct sim_moment b,
		 double b_rest, struct sim_moment *end)
{
	const double first = a.first + a_rest - b.first - b_rest;
	const double last = a.last + a_rest - b.last - b_rest;

	end->first = fmax(a.first + a_rest, b.first + b_rest);
	end->last = fmax(a.last + a_rest, b.last + b_rest);
	return !((first < 0 && last > 0) || (first > 0 && last < 0));
}

static bool eager_end(const struct sim_transfer *transfer, double wire,
		      struct sim_moment *receiver)
{
	const struct sim_cost *cost = &transfer->cost;

	if (transfer->senders > 1 && transfer->receivers == 1) {
		in_turn(transfer->taken.first, transfer->sent, cost->receive,
			wire, transfer->senders, receiver);
		receiver->first = receiver->last;
		return true;
	}
	return each(transfer->taken, cost->receive, transfer->sent, wire,
		    receiver);
}

/* The one side handles the messages of the many in turn. */
static bool meeting_end(const struct sim_transfer *transfer, double wire,
			struct sim_moment *sender, struct sim_moment *receiver)
{
	bool known;

	if (transfer->senders > 1 && transfer->receivers == 1) {
		known = in_turn(transfer->taken.first, transfer->sent, wire,
				wire, transfer->senders, sender);
		*receiver = (struct sim_moment){ sender->last, sender->last };
	} else if (transfer->receivers > 1 && transfer->senders == 1) {
		known = in_turn(transfer->sent.first, transfer->taken, wire,
				wire, transfer->receivers, receiver);
		*sender = (struct sim_moment){ receiver->last, receiver->last };
	} else {
		known = each(transfer->sent, wire, transfer->taken, wire,
			     receiver);
		*sender = *receiver;
	}
	return known;
}

static bool slots_end(const struct sim_transfer *transfer,
		      const struct sim_policy *policy,
		      struct sim_moment *sender, struct sim_moment *receiver)
{
	const double wire = transfer->cost.wire;
	const uint32_t n = transfer->senders > transfer->receivers
				   ? transfer->senders
				   : transfer->receivers;
	struct sim_moment ready;
	bool known = each(transfer->sent, 0, transfer->taken, 0, &ready);

	receiver->first = sim_transfer_slot(policy, ready.first, wire);
	receiver->last = sim_transfer_slot(policy, ready.last, wire * n);
	known = known && (n == 1 || receiver->first == receiver->last);
	if (transfer->receivers == 1)
		receiver->first = receiver->last;
	*sender = *receiver;
	if (transfer->senders == 1)
		sender->first = sender->last;
	return known;
}

bool sim_transfer_end(const struct sim_transfer *transfer,
		      const struct sim_policy *policy,
		      struct sim_moment *sender, struct sim_moment *receiver)
{
	double wire = transfer->cost.wire;
	struct sim_moment eager_sender;

	if (policy->strobe == SIM_FIXED)
		return slots_end(transfer, policy,
				 transfer->eager ? &eager_sender : sender,
				 receiver);
	if (policy->strobe == SIM_DEMAND)
		wire += policy->slice;
	return transfer->eager ? eager_end(transfer, wire, receiver)
			       : meeting_end(transfer, wire, sender, receiver);
}
