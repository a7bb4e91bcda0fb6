/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_P2P_H
#define BCS_P2P_H

/*
 * Messages that were matched: their bytes go where they belong.  All functions
 * need the token unless they say otherwise.
 */
#include "libbcs/demand/base/state.h"

/* Bytes, above which sends may wait: MPICH buffers 8240; programs rely on it.
 */
#define P2P_BUFFERED 8448u

/* The microphase. */
void p2p_run(struct engine *engine);
/* Receives one message that was matched. */
void p2p_receive(struct engine *engine, struct op *op);

/*
 * Moves a piece of a large message.  Needs no token.  Returns true if it got
 * further.  Collectives whose round ended by it are left in engine->moved.
 */
bool p2p_move(struct engine *engine);
/* Does the same for what goes through a stream. */
bool p2p_stream(struct engine *engine);
/*
 * True if there are messages to move and no process may be waiting for any of
 * them.  Takes the token.
 */
bool p2p_jobs_can_wait(struct engine *engine);

/*
 * True if a message that fits into a descriptor may be offered instead.  If
 * not, it is counted as one that goes in its descriptor.  Needs no token.
 */
bool p2p_may_offer(struct engine *engine, uint32_t peer, uint64_t bytes);
/* True if this one is offered. */
bool p2p_is_offered(struct engine *engine, const struct op *op);

/*
 * The tuner of a pair of processes for messages of that size, and this
 * process's turns at it.  A copy in one direction slows one in the other, so
 * exchanges have tuners of their own.
 */
struct tuner *p2p_tuner(struct engine *engine, uint32_t peer, bool both_ways,
			uint64_t bytes);
struct tuner_turns *p2p_turns(struct engine *engine, uint32_t peer,
			      bool both_ways, uint64_t bytes);
/* True if descriptor and offer are measured against each other for those. */
static inline bool p2p_is_tuned(const struct engine *engine, uint32_t peer,
				uint64_t bytes)
{
	return bytes > P2P_BUFFERED && bytes <= BOARD_INLINE &&
	       engine_streams(engine) && engine_is_local(engine, peer) &&
	       peer != engine->me;
}

/* Begins to time how such a message arrives, if that tells anything. */
void p2p_tune_arrival(struct engine *engine, struct op *op,
		      const struct board_cell *head);
/* Ends a run, if one is being timed. */
void p2p_tune_end(struct tuner_run *run);

#endif
