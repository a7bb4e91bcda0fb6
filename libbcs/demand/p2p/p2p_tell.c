/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Descriptors that tell the other side of a message something about it.
 */
#include "libbcs/demand/base/outbox.h"
#include "libbcs/demand/base/rouse.h"
#include "libbcs/demand/p2p/p2p_protocol.h"

/*
 * True if the peer's helper has to be woken.  The peer mostly looks for the end
 * of a copy itself.  In a collective in the background it may be in a call of
 * MPI's instead, and others wait for its next round.
 */
static bool cannot_wait(const struct op *op, enum board_kind kind)
{
	return (kind != BOARD_TAKEN && kind != BOARD_WRITTEN) ||
	       (op->coll && op->coll->in_background);
}

static struct board_cell head_of(const struct op *op, enum board_kind kind)
{
	const bool send = op->kind == OP_SEND;

	return (struct board_cell){
		.kind = (uint8_t)kind,
		.source = op->offer.receiver_waits,
		.tag = op->remote.tag,
		.bytes = op->offer.length,
		.address = (uintptr_t)op->buf,
		.sender_op = send ? (uintptr_t)op : op->offer.their_op,
		.receiver_op = send ? op->offer.their_op : (uintptr_t)op,
	};
}

static void tell(struct engine *engine, const struct op *op,
		 const struct board_cell *head)
{
	outbox_tell(engine, op->peer, head);
	if (cannot_wait(op, head->kind))
		rouse_peer(engine, op->peer);
}

void p2p_tell(struct engine *engine, const struct op *op, enum board_kind kind,
	      int error)
{
	struct board_cell head = head_of(op, kind);

	head.error = (uint32_t)-error;
	tell(engine, op, &head);
}

void p2p_tell_part(struct engine *engine, const struct op *op,
		   enum board_kind kind, uint64_t begin, uint64_t end)
{
	struct board_cell head = head_of(op, kind);

	head.begin = begin;
	head.bytes = end;
	tell(engine, op, &head);
}
