/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The microphase P2P.  Each message that was matched is received: its payload
 * is in the descriptor, or it was offered and gets a protocol.  Descriptors
 * that tell about a message under way go to the protocol that they belong to.
 */
#include <errno.h>

#include "libbcs/base/copy.h"
#include "libbcs/demand/base/kept.h"
#include "libbcs/demand/base/op_complete.h"
#include "libbcs/demand/p2p/p2p_protocol.h"
#include "mds/base/clock.h"

/* Apart, so that a word or two are soon there. */
static __attribute__((noinline)) void
receive_offer(struct engine *engine, struct op *op,
	      const struct board_cell *head)
{
	p2p_offer_match(engine, op, head);
	if (head->bytes > P2P_BUFFERED)
		p2p_tune_arrival(engine, op, head);
	p2p_offer_land(engine, op);
	p2p_choose_matched(engine, op);
}

/* So little that it is in the descriptor's first line, early or not. */
static bool is_few(const struct op *op)
{
	return !op->message && op->got <= COPY_FEW;
}

static bool is_of_coll(const struct op *op)
{
	return op->coll || op->signature & 1;
}

/* The sides do not have the same signature; a message's may be unknown. */
static __attribute__((noinline)) int unlike(const struct board_cell *head,
					    const struct op *op)
{
	if (is_of_coll(op) || head->error & 1)
		return -EPROTO;
	if (op->error || !head->error || !op->signature)
		return op->error;
	return (int)head->error;
}

void p2p_receive(struct engine *engine, struct op *op)
{
	struct message *message = op->message;
	const struct board_cell *head = message ? &message->head : op->cell;

	op->source = head->source;
	op->tag = head->tag;
	op->peer = head->from;
	op->got = copy_at_most(head->bytes, op->bytes);
	op->path = board_path(head);
	op->site = head->site;
	if (!engine_is_local(engine, head->from))
		op->path = clock_of_ns(op->path);
	op->error = head->bytes > op->bytes ? -EMSGSIZE : 0;
	if (op->error)
		op->whole = head->bytes;
	engine->row.value[EMDS_P2P_MSM] += !is_of_coll(op);
	engine->row.value[EMDS_BYTES] += op->got;
	if (head->error != op->signature)
		op->error = unlike(head, op);
	if (head->kind == BOARD_OFFER) {
		receive_offer(engine, op, head);
	} else if (head->kind == BOARD_SYNC) {
		p2p_inline_receive_sync(engine, op, head);
	} else if (is_few(op)) {
		copy_few(op->buf, board_payload(op->cell), op->got);
		op_complete(engine, op, 0);
	} else {
		p2p_inline_receive(engine, op, head);
	}
	if (message)
		kept_message_free(engine, message);
}

/* A protocol tells the other side by a descriptor; messages are received. */
static void control(struct engine *engine, const struct board_cell *cell)
{
	struct op *send = (struct op *)(uintptr_t)cell->sender_op;
	struct op *recv = (struct op *)(uintptr_t)cell->receiver_op;

	switch (cell->kind) {
	case BOARD_TAKEN:
		p2p_offer_note_receiver(engine, send->peer, cell->source);
		p2p_offer_part_done(engine, send, -(int)cell->error);
		break;
	case BOARD_WRITE:
		p2p_write_told(engine, send, cell);
		break;
	case BOARD_SHARE:
		p2p_halves_told(engine, send, cell);
		break;
	case BOARD_STREAM:
		p2p_stream_told(engine, send, cell);
		break;
	case BOARD_PUSH:
		p2p_push_told(engine, send, cell);
		break;
	case BOARD_BY_MPI:
		p2p_remote_told(engine, send, cell);
		break;
	case BOARD_PART:
		p2p_push_came(engine, recv, cell);
		break;
	case BOARD_WRITTEN:
		p2p_push_part_done(engine, recv, -(int)cell->error);
		break;
	case BOARD_REST:
		p2p_write_returned(engine, recv, cell);
		break;
	default: /* a message or a pad */
		break;
	}
}

void p2p_run(struct engine *engine)
{
	struct op *op;

	while ((op = op_list_take(&engine->matched)))
		p2p_receive(engine, op);
	for (unsigned i = 0; i < engine->n_cells; i++) {
		control(engine, engine->cells[i]);
		/* Where nothing of it was wanted, too. */
		board_await(engine->cells[i]);
		board_done(&engine->inbox, board_lines_of(engine->cells[i]));
	}
}
