/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_P2P_H
#define BCS_P2P_H

/*
 * What p2p.c, which receives messages, p2p_protocol.c, which says which of them
 * are offered, p2p_copy.c, which copies those, and p2p_both.c, where both sides
 * take part in that, have in common.  All with the token, but for p2p_share.
 */
#include "libbcs/demand/base/state.h"

/* Bytes, above which sends may wait: MPICH buffers 8240; programs rely on it.
 */
#define P2P_BUFFERED 8448u

/*
 * Its owner is blocked and awake.  Looks several times: who sent something
 * mostly waits soon.
 */
static inline bool p2p_waits(const struct board_slot *slot, unsigned looks)
{
	while (!board_is_blocked(slot) && --looks)
		__builtin_ia32_pause();
	return looks &&
	       !atomic_load_explicit(&slot->asleep, memory_order_relaxed);
}

/* Tells the other side of a message something about it. */
void p2p_tell(struct engine *engine, const struct op *op, enum board_kind kind,
	      int error);
/* The same of a part of it. */
void p2p_tell_part(struct engine *engine, const struct op *op,
		   enum board_kind kind, uint64_t begin, uint64_t end);

/* Both sides of a message that is offered begin so. */
void p2p_offer_begin(struct op *op);

/* So many more of them are under way. */
static inline void p2p_offers(struct engine *engine, uint32_t peer, int n)
{
	const uint32_t box = engine_is_local(engine, peer) ? peer
							   : engine->n_slots;

	engine->outboxes[box].n_offers += (uint32_t)n;
}

/* The same of those from this process to itself that were matched. */
static inline void p2p_to_self(struct engine *engine, int n)
{
	atomic_fetch_add_explicit(&engine->n_to_self, (uint32_t)n,
				  memory_order_relaxed);
}

/* A receive that a test may wait for was matched. */
static inline void p2p_land(struct engine *engine, struct op *op)
{
	atomic_store_explicit(&op->landing, true, memory_order_relaxed);
	atomic_fetch_add_explicit(&engine->n_landing, 1, memory_order_relaxed);
}

/* It is done, and may be gone: so a test still sees that it is under way. */
static inline void p2p_landed(struct engine *engine)
{
	atomic_fetch_sub_explicit(&engine->n_landing, 1, memory_order_relaxed);
}

static inline bool p2p_lands(const struct op *op)
{
	return atomic_load_explicit(&op->landing, memory_order_relaxed);
}

/* Puts an operation to those that this process has copies to make for. */
void p2p_job_put(struct engine *engine, struct op *op);
/* The same for a sender, which was told what its part is. */
void p2p_job_send(struct engine *engine, struct op *op,
		  const struct board_cell *cell);
/* Without it: some copies are left, and no process may wait for any. */
bool p2p_jobs_can_wait(struct engine *engine);
/*
 * The kernel no longer lets one side at the other's memory, as after setuid:
 * what is left goes through the board.
 */
void p2p_job_refused(struct engine *engine, struct op *op);
/* Ends one whose copy was made here. */
void p2p_job_finish(struct engine *engine, struct op *op, int error);

/* One of those who copy it is done. */
void p2p_part_done(struct engine *engine, struct op *op, int error);

/*
 * A receive, of which a piece would be copied next: both sides may have a part
 * in that.  True if it goes by a stream.
 */
bool p2p_share(struct engine *engine, struct op *op, uint64_t budget);
/*
 * A send, all of which this process was told to write: true if its receiver
 * waits by now, and sees to the rest.
 */
bool p2p_give_back(struct engine *engine, struct op *op);
/* For the sender, which was told of a part. */
void p2p_stream_send(struct engine *engine, struct op *op,
		     const struct board_cell *cell);

/* For both directions: one is slow while the other goes the other way. */
struct tuner *p2p_tuner(struct engine *engine, uint32_t peer, bool both_ways,
			uint64_t bytes);
struct tuner_turns *p2p_turns(struct engine *engine, uint32_t peer,
			      bool both_ways, uint64_t bytes);

/*
 * Whether a message that fits into a descriptor may be offered, without the
 * token, or goes in it, which is its turn then; and whether it is offered.
 */
bool p2p_may_offer(struct engine *engine, uint32_t peer, uint64_t bytes);
bool p2p_is_offered(struct engine *engine, const struct op *op);
/* One of them was matched; and is received. */
void p2p_protocol_begin(struct engine *engine, struct op *op,
			const struct board_cell *head);
void p2p_protocol_end(struct tuner_run *run);
/* To the sender of one: whether it was waited for. */
void p2p_protocol_taken(struct engine *engine, uint32_t peer,
			bool receiver_waits);

/* The microphase; and one receive that was matched. */
void p2p_run(struct engine *engine);
void p2p_receive(struct engine *engine, struct op *op);

/*
 * Copies a piece of a large message; or what there is of one that goes by a
 * stream.  Without the token; whether it did.  Collectives whose round is over
 * with it are left in engine->moved.
 */
bool p2p_copy(struct engine *engine);
bool p2p_stream(struct engine *engine);

#endif
