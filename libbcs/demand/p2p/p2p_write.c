/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Write: the sender copies the bytes into the receiver's memory, because only
 * the sender is blocked.  A process that posts a receive for what another waits
 * to send may compute next.  Mostly it waits soon, once it has posted the rest
 * of an exchange; the sender then gives the rest of the bytes back to it.
 */
#include "libbcs/demand/p2p/p2p_protocol.h"

static void begin(struct engine *engine, struct op *op)
{
	p2p_tell(engine, op, BOARD_WRITE, 0);
}

void p2p_write_told(struct engine *engine, struct op *op,
		    const struct board_cell *cell)
{
	p2p_offer_note_receiver(engine, op->peer, false);
	p2p_offer_told(op, cell);
	op->offer.protocol = &p2p_protocol_write;
	p2p_job_put(engine, op);
}

void p2p_write_give_back(struct engine *engine, struct op *op)
{
	p2p_tell_part(engine, op, BOARD_REST, op->offer.moved,
		      op->offer.length);
}

void p2p_write_returned(struct engine *engine, struct op *op,
			const struct board_cell *cell)
{
	op->offer.protocol = &p2p_protocol_read;
	op->offer.moved = cell->begin;
	p2p_job_put(engine, op);
}

const struct p2p_protocol p2p_protocol_write = {
	.begin = begin,
	.step = p2p_direct_step,
	.end = p2p_direct_end,
	.gives_back = true,
};
