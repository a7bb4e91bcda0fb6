/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Halves: both sides wait, each on a core of its own.  The receiver reads the
 * first half of what is left while the sender writes the second.
 */
#include "libbcs/demand/p2p/p2p_protocol.h"

#define PAGE 4096u

/* The receiver's own half is the job that it is just running. */
static void begin(struct engine *engine, struct op *op)
{
	const uint64_t left = op->offer.length - op->offer.moved;
	const uint64_t middle = op->offer.moved + left / 2 / PAGE * PAGE;

	op->offer.parts = 2;
	p2p_tell_part(engine, op, BOARD_SHARE, middle, op->offer.length);
	op->offer.length = middle;
}

void p2p_halves_told(struct engine *engine, struct op *op,
		     const struct board_cell *cell)
{
	p2p_offer_told(op, cell);
	op->offer.protocol = &p2p_protocol_halves;
	op->offer.parts++;
	p2p_job_put(engine, op);
}

const struct p2p_protocol p2p_protocol_halves = {
	.begin = begin,
	.step = p2p_direct_step,
	.end = p2p_direct_end,
};
