/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Messages whose payload lies in their descriptor, or in a buffer if the
 * descriptor came before the receive.  A large one may be shown early: board.c
 * then waits for each piece while the sender writes the next.
 */
#include "libbcs/base/copy.h"
#include "libbcs/demand/base/op_complete.h"
#include "libbcs/demand/base/outbox.h"
#include "libbcs/demand/p2p/p2p_protocol.h"

/*
 * A small synchronous send goes in its descriptor, and is acknowledged. Returns
 * false if it has to be offered, as all are between nodes.
 */
bool p2p_inline_post_sync(struct engine *engine, struct op *op,
			  struct board_cell *head)
{
	if (op->bytes > P2P_BUFFERED || !engine_is_local(engine, op->peer) ||
	    !outbox_is_empty(engine, op->peer))
		return false;
	head->kind = BOARD_SYNC;
	head->sender_op = (uintptr_t)op;
	return outbox_put(engine, op->peer, head, op->buf, op->bytes, false);
}

static void read_payload(struct op *op)
{
	if (op->message)
		copy_here(op->buf, op->message->payload, op->got);
	else
		board_read(op->cell, op->buf, op->got);
}

void p2p_inline_receive(struct engine *engine, struct op *op,
			const struct board_cell *head)
{
	const bool is_small = head->bytes <= P2P_BUFFERED;

	if (!is_small)
		p2p_tune_arrival(engine, op, head);
	read_payload(op);
	if (!is_small)
		p2p_tune_end(&op->arrival);
	op_complete(engine, op, 0);
}

/* The sender is told, as the sender of an offer is. */
void p2p_inline_receive_sync(struct engine *engine, struct op *op,
			     const struct board_cell *head)
{
	p2p_offer_match(engine, op, head);
	read_payload(op);
	p2p_tell(engine, op, BOARD_TAKEN, 0);
	op_complete(engine, op, 0);
}
