/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Push: the sender puts the bytes into the receiver's inbox, in descriptors of
 * up to BOARD_INLINE bytes.  The kernel does not let one of the two access the
 * other's memory, from the start or from some moment on.
 */
#include "libbcs/base/copy.h"
#include "libbcs/demand/base/outbox.h"
#include "libbcs/demand/p2p/p2p_protocol.h"

static void begin(struct engine *engine, struct op *op)
{
	p2p_tell_part(engine, op, BOARD_PUSH, op->offer.moved,
		      op->offer.length);
}

void p2p_push_told(struct engine *engine, struct op *op,
		   const struct board_cell *cell)
{
	p2p_offer_told(op, cell);
	op->offer.protocol = &p2p_protocol_push;
	p2p_job_put(engine, op);
}

/* Until the inbox is full, or the budget is spent. */
static int step(struct engine *engine, struct op *op, uint64_t budget)
{
	struct board_cell head = { .kind = BOARD_PART,
				   .receiver_op = op->offer.their_op };
	const uint64_t length = op->offer.length;
	const uint64_t end = op->offer.moved + budget;

	while (op->offer.moved < length && op->offer.moved < end) {
		head.begin = op->offer.moved;
		head.bytes = copy_at_most(length - op->offer.moved,
					  BOARD_INLINE);
		head.source = op->offer.moved + head.bytes == length;
		if (!outbox_put(engine, op->peer, &head,
				op->buf + op->offer.moved, head.bytes, false))
			break;
		op->offer.moved += head.bytes;
	}
	return 0;
}

/* The receiver sees it by the part that is marked as the last. */
static void end(struct engine *engine, struct op *op, int error)
{
	p2p_offer_part_done(engine, op, error);
}

void p2p_push_came(struct engine *engine, struct op *op,
		   const struct board_cell *cell)
{
	board_read(cell, op->buf + cell->begin, cell->bytes);
	if (cell->source)
		p2p_push_part_done(engine, op, 0);
}

/*
 * A sender goes on with the bytes that it was told to move.  A receiver asks
 * for its own once the sender has no other part to move.
 */
void p2p_push_instead(struct engine *engine, struct op *op)
{
	op->offer.protocol = &p2p_protocol_push;
	op->both.run.tuner = NULL;
	if (op->kind == OP_SEND)
		p2p_job_put(engine, op);
	else if (op->offer.parts == 1)
		begin(engine, op);
}

void p2p_push_part_done(struct engine *engine, struct op *op, int error)
{
	if (!p2p_offer_part_done(engine, op, error) &&
	    op->offer.protocol == &p2p_protocol_push)
		begin(engine, op);
}

const struct p2p_protocol p2p_protocol_push = {
	.begin = begin,
	.step = step,
	.end = end,
	.is_awaited = true,
};
