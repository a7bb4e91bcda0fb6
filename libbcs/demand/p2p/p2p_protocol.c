/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Messages that fit into a descriptor, but are not small.  In it they go to a
 * process that does not wait yet, so that the sender need not wait for it.
 * Where both wait they may as well be offered, for to be read from the sender's
 * memory: the kernel is asked, but from one core to the other the bytes move
 * once, not twice.  Each pair takes what was faster between the two (tuner.h).
 */
#include "libbcs/base/tuning.h"
#include "libbcs/demand/p2p/p2p.h"
#include "mds/clock.h"

enum protocol { PROTOCOL_INLINE, PROTOCOL_OFFER };

struct tuner *p2p_tuner(struct engine *engine, uint32_t peer, bool both_ways,
			uint64_t bytes)
{
	const bool below = engine->me < peer;
	const uint32_t low = below ? engine->me : peer;
	const uint32_t high = below ? peer : engine->me;

	return board_tuner(engine->slots[low], high, both_ways, bytes);
}

struct tuner_turns *p2p_turns(struct engine *engine, uint32_t peer,
			      bool both_ways, uint64_t bytes)
{
	return &engine->outboxes[peer].turns[both_ways][board_size(bytes)];
}

static bool has_two_protocols(const struct engine *engine, uint32_t peer,
			      uint64_t bytes)
{
	return bytes > P2P_BUFFERED && bytes <= BOARD_INLINE &&
	       engine_streams(engine) && engine_is_local(engine, peer) &&
	       peer != engine->me;
}

bool p2p_may_offer(struct engine *engine, uint32_t peer, uint64_t bytes)
{
	struct tuner_turns *turns;
	struct tuner *tuner;

	if (!has_two_protocols(engine, peer, bytes))
		return false;
	tuner = p2p_tuner(engine, peer, false, bytes);
	turns = p2p_turns(engine, peer, false, bytes);
	return tuner_next(tuner, turns) == PROTOCOL_OFFER ||
	       tuner_choose(tuner, turns) == PROTOCOL_OFFER;
}

/* Who waited for the last does so mostly for the next. */
static bool receiver_waits(const struct engine *engine, uint32_t peer)
{
	return atomic_load_explicit(&engine->outboxes[peer].receiver_waits,
				    memory_order_relaxed) ||
	       p2p_waits(engine->slots[peer], P2P_PROTOCOL_LOOKS);
}

/*
 * What is both_ways is so once for a collective as a whole, by all its members:
 * who is read from pays for it later, when it writes there again.  Each of them
 * has as many turns.
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
	return all->way == PROTOCOL_OFFER;
}

static bool message_offers(struct engine *engine, const struct op *op)
{
	struct tuner *tuner = p2p_tuner(engine, op->peer, false, op->bytes);

	return tuner_choose(tuner, p2p_turns(engine, op->peer, false,
					     op->bytes)) == PROTOCOL_OFFER &&
	       receiver_waits(engine, op->peer);
}

bool p2p_is_offered(struct engine *engine, const struct op *op)
{
	if (!has_two_protocols(engine, op->peer, op->bytes))
		return false;
	return op->both_ways ? coll_offers(engine, op->coll, op->bytes)
			     : message_offers(engine, op);
}

void p2p_protocol_taken(struct engine *engine, uint32_t peer,
			bool receiver_waits)
{
	if (engine_is_local(engine, peer))
		atomic_store_explicit(&engine->outboxes[peer].receiver_waits,
				      receiver_waits, memory_order_relaxed);
}

/* What came before it was waited for tells nothing of the way. */
static bool is_just_sent(const struct op *op)
{
	return !op->message && board_is_early(op->cell) &&
	       !board_is_whole(op->cell);
}

/* Of a way that nothing is known of, anything is worth to know. */
static bool tells(const struct engine *engine, const struct op *op,
		  const struct tuner *tuner, enum protocol way)
{
	if (way == PROTOCOL_INLINE)
		return board_is_blocked(engine->slot) && is_just_sent(op);
	return board_is_blocked(engine->slot) ||
	       !atomic_load_explicit(&tuner->cost[way], memory_order_relaxed);
}

void p2p_protocol_begin(struct engine *engine, struct op *op,
			const struct board_cell *head)
{
	const enum protocol way = head->kind == BOARD_EAGER ? PROTOCOL_INLINE
							    : PROTOCOL_OFFER;
	struct tuner *tuner;

	op->coming.tuner = NULL;
	if (op->both_ways || !has_two_protocols(engine, op->peer, head->bytes))
		return;
	tuner = p2p_tuner(engine, op->peer, false, head->bytes);
	if (tells(engine, op, tuner, way))
		op->coming = (struct tuner_run){
			tuner, p2p_turns(engine, op->peer, false, head->bytes),
			way, clock_ticks(), head->bytes
		};
}

void p2p_protocol_end(struct tuner_run *run)
{
	if (run->tuner)
		tuner_end(run, clock_ticks());
}
