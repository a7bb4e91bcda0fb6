/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Several messages between one process and many are done one after the other.
 * Message i is done at e(i) = max(e(i-1) + step, ready(i) + rest).  If ready(i)
 * is linear in i, this has a closed form, since its greatest term is the first
 * or the last.
 */
#include <math.h>

#include "sim/sim_transfer.h"

static const struct sim_path nothing;

struct sim_moment sim_moment_later(struct sim_moment a, struct sim_moment b)
{
	struct sim_moment later = b.last > a.last ? b : a;

	later.first = fmax(a.first, b.first);
	return later;
}

struct sim_moment sim_moment_after(struct sim_moment moment, double seconds,
				   const struct sim_path *path)
{
	moment.first += seconds;
	moment.last += seconds;
	moment.path.messages += path->messages;
	moment.path.bytes += path->bytes;
	moment.path.moving += path->moving;
	return moment;
}

struct sim_moment sim_transfer_turns(double now, double step, uint32_t n)
{
	return (struct sim_moment){ .first = now,
				    .last = now + step * (n - 1) };
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

/* Each pair by itself: when both sides are done.  Returns false if some pairs
 * end with side a and others with side b. */
static bool each(struct sim_moment a, struct sim_moment b,
		 struct sim_moment *end)
{
	const double first = a.first - b.first;
	const double last = a.last - b.last;

	*end = sim_moment_later(a, b);
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
	return each(sim_moment_after(transfer->taken, cost->receive, &nothing),
		    sim_moment_after(transfer->sent, wire, &cost->path),
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
		*receiver = (struct sim_moment){ .first = sender->last,
						 .last = sender->last };
	} else if (transfer->receivers > 1 && transfer->senders == 1) {
		known = in_turn(transfer->sent.first, transfer->taken, wire,
				wire, transfer->receivers, receiver);
		*sender = (struct sim_moment){ .first = receiver->last,
					       .last = receiver->last };
	} else {
		known = each(transfer->sent, transfer->taken, receiver);
		*receiver = sim_moment_after(*receiver, wire,
					     &transfer->cost.path);
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
	bool known = each(transfer->sent, transfer->taken, &ready);

	*receiver = ready;
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
