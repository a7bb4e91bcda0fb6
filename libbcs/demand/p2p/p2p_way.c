/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Messages that fit into a descriptor, but are not small.  In it they go to a
 * process that does not wait yet, so that the sender need not wait for it.
 * Where both wait they may as well be offered, for to be read from the sender's
 * memory: the kernel is asked, but from one core to the other the bytes move
 * once, not twice.  Each pair takes what was faster between the two (pace.h).
 */
#include "libbcs/base/tuning.h"
#include "libbcs/demand/p2p/p2p.h"
#include "mds/clock.h"

enum way { WAY_INLINE, WAY_OFFER };

struct pace *p2p_pace(struct engine *engine, uint32_t peer, bool crossed,
		      uint64_t bytes)
{
	const bool below = engine->me < peer;
	const uint32_t low = below ? engine->me : peer;
	const uint32_t high = below ? peer : engine->me;

	return board_pace(engine->slots[low], high, crossed, bytes);
}

struct pace_turns *p2p_turns(struct engine *engine, uint32_t peer, bool crossed,
			     uint64_t bytes)
{
	return &engine->outboxes[peer].turns[crossed][board_size(bytes)];
}

static bool has_two_ways(const struct engine *engine, uint32_t peer,
			 uint64_t bytes)
{
	return bytes > P2P_BUFFERED && bytes <= BOARD_INLINE &&
	       engine_streams(engine) && engine_is_near(engine, peer) &&
	       peer != engine->me;
}

bool p2p_may_offer(struct engine *engine, uint32_t peer, uint64_t bytes)
{
	struct pace_turns *turns;
	struct pace *pace;

	if (!has_two_ways(engine, peer, bytes))
		return false;
	pace = p2p_pace(engine, peer, false, bytes);
	turns = p2p_turns(engine, peer, false, bytes);
	return pace_next(pace, turns) == WAY_OFFER ||
	       pace_choose(pace, turns) == WAY_OFFER;
}

/* Who waited for the last does so mostly for the next. */
static bool is_prompt(const struct engine *engine, uint32_t peer)
{
	return atomic_load_explicit(&engine->outboxes[peer].prompt,
				    memory_order_relaxed) ||
	       p2p_waits(engine->slots[peer], P2P_WAY_LOOKS);
}

/*
 * What is crossed is so once for a collective as a whole, by all its members:
 * who is read from pays for it later, when it writes there again.  Each of them
 * has as many turns.
 */
static bool coll_offers(struct engine *engine, struct op_coll *coll,
			uint64_t bytes)
{
	const uint32_t row = coll->context % BOARD_PACES;
	const unsigned size = board_size(bytes);
	struct pace_run *all = &coll->all;

	if (coll->in_background)
		return false;
	if (!all->pace) {
		all->pace = &engine->slots[0]
				     ->coll_paces[row][coll->folds][size];
		all->turns = &engine->turns[row][coll->folds][size];
		all->way = pace_choose(all->pace, all->turns);
		all->since = clock_ticks();
		all->bytes = 0;
	}
	all->bytes += bytes;
	return all->way == WAY_OFFER;
}

static bool message_offers(struct engine *engine, const struct op *op)
{
	struct pace *pace = p2p_pace(engine, op->peer, false, op->bytes);

	return pace_choose(pace, p2p_turns(engine, op->peer, false,
					   op->bytes)) == WAY_OFFER &&
	       is_prompt(engine, op->peer);
}

bool p2p_is_offered(struct engine *engine, const struct op *op)
{
	if (!has_two_ways(engine, op->peer, op->bytes))
		return false;
	return op->crossed ? coll_offers(engine, op->coll, op->bytes)
			   : message_offers(engine, op);
}

void p2p_way_taken(struct engine *engine, uint32_t peer, bool prompt)
{
	if (engine_is_near(engine, peer))
		atomic_store_explicit(&engine->outboxes[peer].prompt, prompt,
				      memory_order_relaxed);
}

/* What came before it was waited for tells nothing of the way. */
static bool is_just_sent(const struct op *op)
{
	return !op->message && board_is_early(op->cell) &&
	       !board_is_whole(op->cell);
}

/* Of a way that nothing is known of, anything is worth to know. */
static bool tells(const struct engine *engine, const struct op *op,
		  const struct pace *pace, enum way way)
{
	if (way == WAY_INLINE)
		return board_is_blocked(engine->slot) && is_just_sent(op);
	return board_is_blocked(engine->slot) ||
	       !atomic_load_explicit(&pace->cost[way], memory_order_relaxed);
}

void p2p_way_begin(struct engine *engine, struct op *op,
		   const struct board_cell *head)
{
	const enum way way = head->kind == BOARD_EAGER ? WAY_INLINE : WAY_OFFER;
	struct pace *pace;

	op->coming.pace = NULL;
	if (op->crossed || !has_two_ways(engine, op->peer, head->bytes))
		return;
	pace = p2p_pace(engine, op->peer, false, head->bytes);
	if (tells(engine, op, pace, way))
		op->coming = (struct pace_run){
			pace, p2p_turns(engine, op->peer, false, head->bytes),
			way, clock_ticks(), head->bytes
		};
}

void p2p_way_end(struct pace_run *run)
{
	if (run->pace)
		pace_end(run, clock_ticks());
}
