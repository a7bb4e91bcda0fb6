/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Chooses the protocol of a message.  A message that is posted goes in its
 * descriptor or is offered.  An offer that is matched gets a protocol by the
 * table below.  Before each step of an offer, the choice may change if both
 * sides wait by then.
 */
#include "libbcs/base/copy.h"
#include "libbcs/base/tuning.h"
#include "libbcs/demand/base/token.h"
#include "libbcs/demand/p2p/p2p_protocol.h"
#include "mds/base/clock.h"
#include "mds/base/cpu.h"

/*
 * True if the owner of the slot is blocked and awake.  Looks several times,
 * because a process that has just sent something mostly waits soon.
 */
static bool waits(const struct board_slot *slot, unsigned looks)
{
	while (!board_is_blocked(slot) && --looks)
		cpu_pause();
	return looks &&
	       !atomic_load_explicit(&slot->asleep, memory_order_relaxed);
}

/*
 * Posted.  A larger message that still fits into a descriptor goes in it if the
 * receiver does not wait yet.  So the sender need not wait for the receiver.
 * If both wait, an offer may be faster: it costs a system call, but the bytes
 * move once from one core to the other, not twice.
 */
bool p2p_may_offer(struct engine *engine, uint32_t peer, uint64_t bytes)
{
	struct tuner_turns *turns;
	struct tuner *tuner;

	if (!p2p_is_tuned(engine, peer, bytes))
		return false;
	tuner = p2p_tuner(engine, peer, false, bytes);
	turns = p2p_turns(engine, peer, false, bytes);
	return tuner_next(tuner, turns) == P2P_OFFER ||
	       tuner_choose(tuner, turns) == P2P_OFFER;
}

/* A receiver that waited for the last offer mostly waits for the next. */
static bool receiver_waits(const struct engine *engine, uint32_t peer)
{
	return atomic_load_explicit(&engine->outboxes[peer].receiver_waits,
				    memory_order_relaxed) ||
	       waits(engine->slots[peer], P2P_PROTOCOL_LOOKS);
}

/*
 * All messages of a collective that go both ways take one protocol, and all
 * members choose the same.  The reason: a process whose memory is read pays for
 * that later, when it writes there again.  Each member has had the same number
 * of turns.
 */
static bool coll_offers(struct engine *engine, struct op_coll *coll,
			uint64_t bytes)
{
	const uint32_t row = coll->context % BOARD_TUNERS;
	const unsigned size = board_size(bytes);
	struct tuner_run *all = &coll->all;

	if (coll->in_background)
		return false;
	if (!all->tuner) {
		all->tuner = &engine->slots[0]
				      ->coll_tuners[row][coll->folds][size];
		all->turns = &engine->turns[row][coll->folds][size];
		all->way = tuner_choose(all->tuner, all->turns);
		all->since = clock_ticks();
		all->bytes = 0;
	}
	all->bytes += bytes;
	return all->way == P2P_OFFER;
}

static bool message_offers(struct engine *engine, const struct op *op)
{
	struct tuner *tuner = p2p_tuner(engine, op->peer, false, op->bytes);

	return tuner_choose(tuner, p2p_turns(engine, op->peer, false,
					     op->bytes)) == P2P_OFFER &&
	       receiver_waits(engine, op->peer);
}

bool p2p_is_offered(struct engine *engine, const struct op *op)
{
	if (!p2p_is_tuned(engine, op->peer, op->bytes))
		return false;
	return op->both_ways ? coll_offers(engine, op->coll, op->bytes)
			     : message_offers(engine, op);
}

static bool is_remote(struct engine *engine, const struct op *op)
{
	return !engine_is_local(engine, op->peer);
}

static bool is_forbidden(struct engine *engine, const struct op *op)
{
	return !p2p_direct_is_allowed(engine, op->peer);
}

static bool only_sender_waits(struct engine *engine, const struct op *op)
{
	return !board_is_blocked(engine->slot) &&
	       board_is_blocked(engine->slots[op->peer]);
}

/* Matched.  The first of these that fits carries the message. */
static const struct {
	bool (*fits)(struct engine *engine, const struct op *op); /* or NULL */
	const struct p2p_protocol *protocol;
} protocols[] = {
	{ is_remote, &p2p_protocol_remote },
	{ is_forbidden, &p2p_protocol_push },
	{ only_sender_waits, &p2p_protocol_write },
	{ NULL, &p2p_protocol_read },
};

static void begin(struct engine *engine, struct op *op,
		  const struct p2p_protocol *protocol)
{
	op->offer.protocol = protocol;
	protocol->begin(engine, op);
}

void p2p_choose_matched(struct engine *engine, struct op *op)
{
	unsigned i = 0;

	if (op->offer.length == 0) {
		p2p_offer_taken(engine, op, 0);
		return;
	}
	while (protocols[i].fits && !protocols[i].fits(engine, op))
		i++;
	begin(engine, op, protocols[i].protocol);
}

/* Before a step.  Only what is read or written may change its protocol. */
static bool is_open(const struct op *op)
{
	return op->kind == OP_RECV ? !op->offer.protocol->is_awaited
				   : op->offer.protocol->gives_back;
}

static bool both_wait(struct engine *engine, const struct op *op)
{
	return op->offer.parts == 1 &&
	       op->offer.length - op->offer.moved >= P2P_BOTH_LEAST &&
	       op->peer != engine->me && engine_streams(engine) &&
	       board_is_blocked(engine->slot) &&
	       waits(engine->slots[op->peer],
		     op->offer.moved ? 1 : P2P_BOTH_LOOKS);
}

/* The sender has such a message to read as well. */
static bool is_both_ways(const struct op *op)
{
	return op->both_ways || op->both.ready;
}

/* The two ways of a tuner above BOARD_INLINE bytes. */
enum { COPY, STREAM };

/*
 * True if the receiver has taken the sender's stream, because that is faster.
 * The run that measures it begins, or that of a copy.
 */
static bool takes_stream(struct engine *engine, struct op *op)
{
	const struct op_offer *offer = &op->offer;
	const bool both_ways = is_both_ways(op);
	struct tuner *tuner = p2p_tuner(engine, op->peer, both_ways,
					offer->length);
	struct tuner_turns *turns = p2p_turns(engine, op->peer, both_ways,
					      offer->length);
	const unsigned way = tuner_choose(tuner, turns);
	const uint64_t left = offer->length - offer->moved;
	const uint64_t part = copy_at_most(left, engine->options.budget);
	const bool streams = way == STREAM && p2p_stream_take(engine, op);

	if (streams || way == COPY)
		op->both.run = (struct tuner_run){
			tuner, turns, way,
			op->both.ready ? op->both.ready : clock_ticks(),
			streams || both_ways ? part : left
		};
	return streams;
}

/*
 * Returns true if the message goes by a stream.  If both sides have a message
 * to read, halves bring nothing.  A message that fits into a descriptor is
 * never streamed: it would have gone in the descriptor if that were as fast.
 */
static bool share(struct engine *engine, struct op *op)
{
	if (op->offer.length > BOARD_INLINE && takes_stream(engine, op)) {
		begin(engine, op, &p2p_protocol_stream);
		return true;
	}
	if (!is_both_ways(op))
		begin(engine, op, &p2p_protocol_halves);
	return false;
}

bool p2p_choose_both(struct engine *engine, struct op *op)
{
	bool is_handed_over = true;

	if (!is_open(op) || !both_wait(engine, op))
		return false;
	token_take(engine);
	if (op->kind == OP_RECV)
		is_handed_over = share(engine, op);
	else
		p2p_write_give_back(engine, op);
	token_give(engine);
	return is_handed_over;
}
