/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The tuners of a pair of processes (tuner.h).  Up to BOARD_INLINE bytes they
 * compare a message in its descriptor with one that is offered.  Above, they
 * compare a copy with a stream.
 */
#include "libbcs/base/tuning.h"
#include "libbcs/demand/p2p/p2p_protocol.h"
#include "mds/base/clock.h"

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

/* The receiver waited for the message before all of it was there. */
static bool is_just_sent(const struct op *op)
{
	return !op->message && board_is_early(op->cell) &&
	       !board_is_whole(op->cell);
}

/*
 * True if the time of this message tells how fast its protocol is.  While
 * nothing is known of one, any time does.
 */
static bool tells(const struct engine *engine, const struct op *op,
		  const struct tuner *tuner, enum p2p_arrival way)
{
	if (way == P2P_INLINE)
		return board_is_blocked(engine->slot) && is_just_sent(op);
	return board_is_blocked(engine->slot) ||
	       !atomic_load_explicit(&tuner->cost[way], memory_order_relaxed);
}

void p2p_tune_arrival(struct engine *engine, struct op *op,
		      const struct board_cell *head)
{
	const enum p2p_arrival way = head->kind == BOARD_EAGER ? P2P_INLINE
							       : P2P_OFFER;
	struct tuner *tuner;

	op->arrival.tuner = NULL;
	if (op->both_ways || !p2p_is_tuned(engine, op->peer, head->bytes))
		return;
	tuner = p2p_tuner(engine, op->peer, false, head->bytes);
	if (tells(engine, op, tuner, way))
		op->arrival = (struct tuner_run){
			tuner, p2p_turns(engine, op->peer, false, head->bytes),
			way, clock_ticks(), head->bytes
		};
}

void p2p_tune_end(struct tuner_run *run)
{
	if (run->tuner)
		tuner_end(run, clock_ticks());
}
