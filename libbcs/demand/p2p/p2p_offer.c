/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * A message that is offered: its sender tells where the bytes lie and waits
 * until they are moved.  This is what its protocols have in common: the
 * beginning at both sides, the parts that are not done yet, and the end.
 */
#include "libbcs/base/copy.h"
#include "libbcs/demand/base/op_complete.h"
#include "libbcs/demand/p2p/p2p_protocol.h"

void p2p_offer_begin(struct op *op)
{
	op->offer.receiver_waits = false;
	op->offer.parts = 1;
	op->offer.protocol = NULL;
	op->remote.tag = 0;
	op->arrival.tuner = NULL;
	op->both.run.tuner = NULL;
}

void p2p_offer_count(struct engine *engine, uint32_t peer, int n)
{
	const uint32_t box = engine_is_local(engine, peer) ? peer
							   : engine->n_slots;

	engine->outboxes[box].n_offers += (uint32_t)n;
}

void p2p_offer_note_receiver(struct engine *engine, uint32_t peer, bool waited)
{
	if (engine_is_local(engine, peer))
		atomic_store_explicit(&engine->outboxes[peer].receiver_waits,
				      waited, memory_order_relaxed);
}

/* Counts offers to this process itself that were matched. */
static void to_self_add(struct engine *engine, int n)
{
	atomic_fetch_add_explicit(&engine->n_to_self, (uint32_t)n,
				  memory_order_relaxed);
}

/* A test may wait for this receive. */
static void landing_begin(struct engine *engine, struct op *op)
{
	atomic_store_explicit(&op->landing, true, memory_order_relaxed);
	atomic_fetch_add_explicit(&engine->n_landing, 1, memory_order_relaxed);
}

/* After the operation is done, so that a test still sees its copy under way. */
static void landing_end(struct engine *engine)
{
	atomic_fetch_sub_explicit(&engine->n_landing, 1, memory_order_relaxed);
}

void p2p_offer_match(struct engine *engine, struct op *op,
		     const struct board_cell *head)
{
	p2p_offer_begin(op);
	op->offer.receiver_waits = !op->message &&
				   board_is_blocked(engine->slot);
	op->offer.address = head->address;
	op->offer.their_op = head->sender_op;
	op->offer.length = op->got;
	op->offer.moved = 0;
	if (op->peer == engine->me)
		to_self_add(engine, 1);
}

void p2p_offer_land(struct engine *engine, struct op *op)
{
	if (op->offer.length <= ENGINE_SOON)
		landing_begin(engine, op);
}

void p2p_offer_told(struct op *op, const struct board_cell *cell)
{
	op->offer.address = cell->address;
	op->offer.their_op = cell->receiver_op;
	op->offer.length = cell->bytes;
	op->offer.moved = cell->begin;
}

static void end(struct engine *engine, struct op *op)
{
	const bool lands = atomic_load_explicit(&op->landing,
						memory_order_relaxed);

	if (op->kind == OP_SEND)
		p2p_offer_count(engine, op->peer, -1);
	if (op->kind == OP_SEND && op->peer == engine->me)
		to_self_add(engine, -1);
	p2p_tune_end(&op->both.run);
	p2p_tune_end(&op->arrival);
	op_complete_show(engine, op);
	if (lands)
		landing_end(engine);
}

bool p2p_offer_part_done(struct engine *engine, struct op *op, int error)
{
	if (error) {
		op->error = error;
		op->both.run.tuner = NULL;
	}
	if (--op->offer.parts)
		return false;
	end(engine, op);
	return true;
}

void p2p_offer_taken(struct engine *engine, struct op *op, int error)
{
	p2p_tell(engine, op, BOARD_TAKEN, error);
	p2p_offer_part_done(engine, op, error);
}

void p2p_offer_written(struct engine *engine, struct op *op, int error)
{
	p2p_tell(engine, op, BOARD_WRITTEN, error);
	p2p_offer_part_done(engine, op, error);
}
