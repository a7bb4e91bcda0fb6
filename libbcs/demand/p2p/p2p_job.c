/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Operations that this process has copies to make for: the list of them, what
 * the other side is told, and their end.
 */
#include "libbcs/base/copy.h"
#include "libbcs/demand/base/op_complete.h"
#include "libbcs/demand/base/outbox.h"
#include "libbcs/demand/base/rouse.h"
#include "libbcs/demand/base/token.h"
#include "libbcs/demand/p2p/p2p.h"
#include "mds/clock.h"

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
		.source = op->receiver_waits,
		.tag = op->remote.tag,
		.bytes = op->length,
		.address = (uintptr_t)op->buf,
		.sender_op = send ? (uintptr_t)op : op->their_op,
		.receiver_op = send ? op->their_op : (uintptr_t)op,
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

/* Asks the sender to push bytes that may not be read, once it has no other part
 * to copy. */
static void push_rest(struct engine *engine, struct op *op)
{
	if (!op->refused || op->parts > 1)
		return;
	op->refused = false;
	p2p_tell_part(engine, op, BOARD_PUSH, op->moved, op->length);
}

void p2p_part_done(struct engine *engine, struct op *op, int error)
{
	const bool lands = p2p_lands(op);

	if (error) {
		op->error = error;
		op->shared.tuner = NULL;
	}
	if (--op->parts) {
		push_rest(engine, op);
		return;
	}
	if (op->kind == OP_SEND)
		p2p_offers(engine, op->peer, -1);
	if (op->kind == OP_SEND && op->peer == engine->me)
		p2p_to_self(engine, -1);
	p2p_protocol_end(&op->shared);
	p2p_protocol_end(&op->coming);
	op_complete_show(engine, op);
	if (lands)
		p2p_landed(engine);
}

/* A copy ended that this process made. */
void p2p_job_finish(struct engine *engine, struct op *op, int error)
{
	if (op->remote.tag)
		op->remote.tag = 0; /* the other side has seen it, too */
	else if (op->kind == OP_RECV)
		p2p_tell(engine, op, BOARD_TAKEN, error);
	else if (!op->pushing)
		p2p_tell(engine, op, BOARD_WRITTEN, error);
	p2p_part_done(engine, op, error);
}

/*
 * Streams go one after the other, but copies of two sides at a time.  So in an
 * exchange each is timed from when it might have begun.
 */
static void share_ready(struct engine *engine, struct op *op)
{
	const bool exchanges = !op->coll && engine_is_local(engine, op->peer) &&
			       engine->outboxes[op->peer].n_offers &&
			       board_is_blocked(engine->slot);

	op->ready = exchanges ? clock_ticks() : 0;
}

/* To be given back to a receiver that waits, or does soon (p2p_both.c). */
static bool is_urgent(const struct engine *engine, const struct op *op)
{
	return op->alone && engine_streams(engine) &&
	       (op->moved == 0 || board_is_blocked(engine->slots[op->peer]));
}

void p2p_job_put(struct engine *engine, struct op *op)
{
	if (op->kind == OP_RECV)
		share_ready(engine, op);
	if (is_urgent(engine, op))
		op_list_add_first(&engine->jobs, op);
	else
		op_list_add(&engine->jobs, op);
	atomic_fetch_add_explicit(&engine->n_jobs, 1, memory_order_relaxed);
}

bool p2p_jobs_can_wait(struct engine *engine)
{
	const struct op *op;

	if (!atomic_load_explicit(&engine->n_jobs, memory_order_relaxed))
		return false;
	token_take(engine);
	for (op = engine->jobs.first; op; op = op->next)
		if (op->pushing || op->coll ||
		    !engine_is_local(engine, op->peer) ||
		    board_is_blocked(engine->slots[op->peer]))
			break;
	token_give(engine);
	return !op;
}

void p2p_job_send(struct engine *engine, struct op *op,
		  const struct board_cell *cell)
{
	op->address = cell->address;
	op->their_op = cell->receiver_op;
	op->length = cell->bytes;
	op->pushing = cell->kind == BOARD_PUSH &&
		      engine_is_local(engine, op->peer);
	op->remote = (struct remote_piece){ .tag = cell->kind == BOARD_PUSH
							   ? cell->tag
							   : 0 };
	op->moved = cell->begin;
	op->alone = cell->kind == BOARD_WRITE;
	if (cell->kind == BOARD_SHARE)
		op->parts++;
	p2p_job_put(engine, op);
}

/*
 * The kernel no longer lets one side access the other's memory, for example
 * after setuid.  From here on all bytes between the two go through the board.
 */
void p2p_job_refused(struct engine *engine, struct op *op)
{
	engine->copies[op->peer] = -1;
	op->shared.tuner = NULL;
	if (op->kind == OP_SEND) {
		op->pushing = true;
		op->alone = false;
		p2p_job_put(engine, op);
	} else {
		op->refused = true;
		push_rest(engine, op);
	}
}
