/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Point-to-point: the bytes go where they belong.  Small ones are in the
 * descriptor; large ones are copied, by whoever is blocked (p2p_copy.c).  Where
 * the kernel does not allow that, or no longer, the sender pushes them through
 * the board.
 */
#include <errno.h>
#include <string.h>

#include "libbcs/base/copy.h"
#include "libbcs/demand/base/kept.h"
#include "libbcs/demand/base/op_complete.h"
#include "libbcs/demand/p2p/p2p.h"
#include "mds/clock.h"

static bool can_copy(struct engine *engine, uint32_t peer)
{
	const struct board_slot *slot = engine->slots[peer];

	if (engine->copies[peer] == 0)
		engine->copies[peer] = copy_probe(
					       slot->pid,
					       (void *)(uintptr_t)slot->probe,
					       slot->probe_word) == 0
					       ? 1
					       : -1;
	return engine->copies[peer] > 0;
}

#define REMOTE_TAGS (1 << 20)

/* Both sides have their part in it. */
static void receive_remote(struct engine *engine, struct op *op)
{
	engine->remote_tag = engine->remote_tag % REMOTE_TAGS + 1;
	op->remote = (struct remote_piece){ .tag = engine->remote_tag };
	p2p_tell(engine, op, BOARD_PUSH, 0);
	p2p_job_put(engine, op);
}

void p2p_offer_begin(struct op *op)
{
	op->receiver_waits = false;
	op->pushing = false;
	op->refused = false;
	op->alone = false;
	op->parts = 1;
	op->remote.tag = 0;
	op->coming.tuner = NULL;
	op->shared.tuner = NULL;
}

/* Apart, as the next, so that a word or two are soon there. */
static __attribute__((noinline)) void
receive_offer(struct engine *engine, struct op *op,
	      const struct board_cell *head)
{
	p2p_offer_begin(op);
	op->receiver_waits = !op->message && board_is_blocked(engine->slot);
	if (head->bytes > P2P_BUFFERED)
		p2p_protocol_begin(engine, op, head);
	op->address = head->address;
	op->their_op = head->sender_op;
	if (op->peer == engine->me)
		p2p_to_self(engine, 1);
	op->length = copy_at_most(head->bytes, op->bytes);
	op->moved = 0;
	if (op->length <= ENGINE_SOON)
		p2p_land(engine, op);
	if (op->length == 0)
		p2p_job_finish(engine, op, 0);
	else if (!engine_is_local(engine, op->peer))
		receive_remote(engine, op);
	else if (!can_copy(engine, op->peer))
		p2p_tell(engine, op, BOARD_PUSH, 0);
	else if (!board_is_blocked(engine->slot) &&
		 board_is_blocked(engine->slots[op->peer]))
		p2p_tell(engine, op, BOARD_WRITE, 0);
	else
		p2p_job_put(engine, op);
}

static void receive_bytes(struct op *op)
{
	if (op->message)
		copy_here(op->buf, op->message->payload, op->got);
	else
		board_read(op->cell, op->buf, op->got);
}

static __attribute__((noinline)) void
receive_all(struct engine *engine, struct op *op, const struct board_cell *head)
{
	const bool is_small = head->bytes <= P2P_BUFFERED;

	if (!is_small)
		p2p_protocol_begin(engine, op, head);
	receive_bytes(op);
	if (!is_small)
		p2p_protocol_end(&op->coming);
	op_complete(engine, op, 0);
}

/* Its sender hears of it, as the sender of an offer does. */
static __attribute__((noinline)) void
receive_sync(struct engine *engine, struct op *op,
	     const struct board_cell *head)
{
	p2p_offer_begin(op);
	op->receiver_waits = !op->message && board_is_blocked(engine->slot);
	op->their_op = head->sender_op;
	op->length = op->got;
	if (op->peer == engine->me)
		p2p_to_self(engine, 1);
	receive_bytes(op);
	p2p_tell(engine, op, BOARD_TAKEN, 0);
	op_complete(engine, op, 0);
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
	if (!engine_is_local(engine, head->from))
		op->path = clock_of_ns(op->path);
	op->error = head->bytes > op->bytes ? -EMSGSIZE : 0;
	engine->row.value[EMDS_P2P_MSM] += !is_of_coll(op);
	engine->row.value[EMDS_BYTES] += op->got;
	if (head->error != op->signature)
		op->error = unlike(head, op);
	if (head->kind == BOARD_OFFER) {
		receive_offer(engine, op, head);
	} else if (head->kind == BOARD_SYNC) {
		receive_sync(engine, op, head);
	} else if (is_few(op)) {
		copy_few(op->buf, board_payload(op->cell), op->got);
		op_complete(engine, op, 0);
	} else {
		receive_all(engine, op, head);
	}
	if (message)
		kept_message_free(engine, message);
}

/* The last is marked. */
static void receive_part(struct engine *engine, struct op *op,
			 struct board_cell *cell)
{
	board_read(cell, op->buf + cell->begin, cell->bytes);
	if (cell->source)
		p2p_part_done(engine, op, 0);
}

static void control(struct engine *engine, struct board_cell *cell)
{
	struct op *send = (struct op *)(uintptr_t)cell->sender_op;
	struct op *recv = (struct op *)(uintptr_t)cell->receiver_op;

	switch (cell->kind) {
	case BOARD_TAKEN:
		p2p_protocol_taken(engine, send->peer, cell->source);
		p2p_part_done(engine, send, -(int)cell->error);
		break;
	case BOARD_WRITE:
		p2p_protocol_taken(engine, send->peer, false);
		p2p_job_send(engine, send, cell);
		break;
	case BOARD_SHARE:
	case BOARD_PUSH:
		p2p_job_send(engine, send, cell);
		break;
	case BOARD_STREAM:
		p2p_stream_send(engine, send, cell);
		break;
	case BOARD_PART:
		receive_part(engine, recv, cell);
		break;
	case BOARD_WRITTEN:
		p2p_part_done(engine, recv, -(int)cell->error);
		break;
	case BOARD_REST:
		recv->moved = cell->begin;
		p2p_job_put(engine, recv);
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
