/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Large messages, which are copied from process to process, a piece at a time
 * and without the token, by whoever is blocked: the receiver reads them, or the
 * sender writes them when only it is blocked.  When both are, both may have a
 * part in it (p2p_both.c).
 */
#include "libbcs/base/copy.h"
#include "libbcs/base/wake.h"
#include "libbcs/demand/coll/coll.h"
#include "libbcs/demand/p2p/p2p.h"
#include "libbcs/demand/slice.h"

/* What one copies alone between looks whether the other has come. */
#define ALONE_BYTES 131072u

bool p2p_is_blocked(const struct board_slot *slot)
{
	return atomic_load_explicit(&slot->blocked, memory_order_relaxed) != 0;
}

bool p2p_waits(const struct board_slot *slot, unsigned looks)
{
	while (!p2p_is_blocked(slot) && --looks)
		__builtin_ia32_pause();
	return looks &&
	       !atomic_load_explicit(&slot->asleep, memory_order_relaxed);
}

/*
 * A copy that ended is mostly looked for; but of a collective the next round
 * may wait for it, on which others wait, while its process is in a call of
 * MPI's.
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
		.source = op->prompt,
		.tag = op->far.tag,
		.bytes = op->length,
		.address = (uintptr_t)op->buf,
		.sender_op = send ? (uintptr_t)op : op->their_op,
		.receiver_op = send ? op->their_op : (uintptr_t)op,
	};
}

static void tell(struct engine *engine, const struct op *op,
		 const struct board_cell *head)
{
	engine_tell(engine, op->peer, head);
	if (cannot_wait(op, head->kind))
		engine_rouse(engine, op->peer);
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

/* What may not be read is asked for, once the sender is free to push it. */
static void push_rest(struct engine *engine, struct op *op)
{
	if (!op->refused || op->parts > 1)
		return;
	op->refused = false;
	p2p_tell_part(engine, op, BOARD_PUSH, op->moved, op->length);
}

/*
 * The kernel no longer lets one side at the other's memory, as after setuid:
 * from here on what there is between the two goes through the board.
 */
static void job_refused(struct engine *engine, struct op *op)
{
	engine->copies[op->peer] = -1;
	op->shared.pace = NULL;
	if (op->kind == OP_SEND) {
		op->pushing = true;
		op->alone = false;
		p2p_job_put(engine, op);
	} else {
		op->refused = true;
		push_rest(engine, op);
	}
}

static bool is_refused(const struct engine *engine, const struct op *op,
		       int error)
{
	return error && !op->far.tag &&
	       copy_is_refused(engine->slots[op->peer]->pid, error);
}

void p2p_part_done(struct engine *engine, struct op *op, int error)
{
	const bool lands = p2p_lands(op);

	if (error) {
		op->error = error;
		op->shared.pace = NULL;
	}
	if (--op->parts) {
		push_rest(engine, op);
		return;
	}
	if (op->kind == OP_SEND)
		p2p_offers(engine, op->peer, -1);
	if (op->kind == OP_SEND && op->peer == engine->me)
		p2p_to_self(engine, -1);
	p2p_share_end(op);
	p2p_way_end(&op->coming);
	engine_show_done(engine, op);
	if (lands)
		p2p_landed(engine);
}

/* A copy ended that this process made. */
void p2p_job_finish(struct engine *engine, struct op *op, int error)
{
	if (op->far.tag)
		op->far.tag = 0; /* the other side has seen it, too */
	else if (op->kind == OP_RECV)
		p2p_tell(engine, op, BOARD_TAKEN, error);
	else if (!op->pushing)
		p2p_tell(engine, op, BOARD_WRITTEN, error);
	p2p_part_done(engine, op, error);
}

/* To be given back to a receiver that waits, or does soon (p2p_both.c). */
static bool is_urgent(const struct engine *engine, const struct op *op)
{
	return op->alone && engine_streams(engine) &&
	       (op->moved == 0 || p2p_is_blocked(engine->slots[op->peer]));
}

void p2p_job_put(struct engine *engine, struct op *op)
{
	if (op->kind == OP_RECV)
		p2p_share_ready(engine, op);
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
	engine_token_take(engine);
	for (op = engine->jobs.first; op; op = op->next)
		if (op->pushing || op->coll ||
		    !engine_is_near(engine, op->peer) ||
		    p2p_is_blocked(engine->slots[op->peer]))
			break;
	engine_token_give(engine);
	return !op;
}

void p2p_job_send(struct engine *engine, struct op *op,
		  const struct board_cell *cell)
{
	op->address = cell->address;
	op->their_op = cell->receiver_op;
	op->length = cell->bytes;
	op->pushing = cell->kind == BOARD_PUSH &&
		      engine_is_near(engine, op->peer);
	op->far = (struct far_piece){ .tag = cell->kind == BOARD_PUSH
						     ? cell->tag
						     : 0 };
	op->moved = cell->begin;
	op->alone = cell->kind == BOARD_WRITE;
	if (cell->kind == BOARD_SHARE)
		op->parts++;
	p2p_job_put(engine, op);
}

/* Up to the budget, or until the inbox is full. */
static void push(struct engine *engine, struct op *op, uint64_t budget)
{
	struct board_cell head = { .kind = BOARD_PART,
				   .receiver_op = op->their_op };
	const uint64_t end = op->moved + budget;

	while (op->moved < op->length && op->moved < end) {
		head.begin = op->moved;
		head.bytes = copy_at_most(op->length - op->moved, BOARD_INLINE);
		head.source = op->moved + head.bytes == op->length;
		if (!engine_put(engine, op->peer, &head, op->buf + op->moved,
				head.bytes, false))
			break;
		op->moved += head.bytes;
	}
}

static int copy_piece(struct engine *engine, struct op *op, uint64_t n)
{
	const struct iovec here = { op->buf + op->moved, n };
	const struct iovec there = {
		(void *)(uintptr_t)(op->address + op->moved), n
	};
	const pid_t pid = engine->slots[op->peer]->pid;
	int rc;

	if (op->kind == OP_RECV)
		rc = copy_read(pid, &here, 1, &there, 1);
	else
		rc = copy_write(pid, &here, 1, &there, 1);
	if (rc == 0)
		op->moved += n;
	return rc;
}

static int n_waiting(const struct engine *engine, const struct op *op)
{
	return p2p_is_blocked(engine->slot) +
	       p2p_is_blocked(engine->slots[op->peer]);
}

/* Until one more of the two waits, which may have a part in it. */
static int copy(struct engine *engine, struct op *op, uint64_t budget)
{
	const uint64_t n = copy_at_most(op->length - op->moved, budget);
	const uint64_t end = op->moved + n;
	const int waiting = n_waiting(engine, op);
	const bool looks = waiting < 2;
	int rc;

	do
		rc = copy_piece(
			engine, op,
			copy_at_most(end - op->moved, looks ? ALONE_BYTES : n));
	while (rc == 0 && op->moved < end && n_waiting(engine, op) <= waiting);
	return rc;
}

/* It is moved by MPI; whether it has been is seen now or later. */
static int move_far(struct engine *engine, struct op *op, uint64_t budget)
{
	const struct far_ops *ops = engine->options.far;
	struct far_piece *piece = &op->far;
	bool is_done = false;
	int rc = 0;

	if (!piece->bytes) {
		piece->bytes = copy_at_most(op->length - op->moved, budget);
		rc = ops->begin(piece, op->kind, op->buf + op->moved,
				op->peer - engine->n_slots);
	}
	if (rc == 0)
		rc = ops->test(piece, &is_done);
	if (rc == 0 && is_done) {
		op->moved += piece->bytes;
		piece->bytes = 0;
	}
	return rc;
}

static void job_again(struct engine *engine, struct op *op)
{
	p2p_job_put(engine, op);
	engine->row.value[EMDS_CARRIED]++;
}

bool p2p_copy(struct engine *engine)
{
	const uint64_t budget = engine->options.budget;
	uint64_t before;
	uint64_t since;
	struct op *op;
	bool got_further;
	bool finished;
	bool refused;
	int rc = 0;

	if (!atomic_load_explicit(&engine->n_jobs, memory_order_relaxed))
		return false;
	engine_token_take(engine);
	op = op_list_take(&engine->jobs);
	engine_token_give(engine);
	if (!op)
		return false;
	atomic_fetch_sub_explicit(&engine->n_jobs, 1, memory_order_relaxed);
	if (p2p_share(engine, op, budget) || p2p_give_back(engine, op))
		return true;

	before = op->moved;
	since = slice_stamp(engine);
	if (op->far.tag)
		rc = move_far(engine, op, budget);
	else if (op->pushing)
		push(engine, op, budget);
	else
		rc = copy(engine, op, budget);

	engine_token_take(engine);
	slice_spent(engine, EMDS_COPY, since);
	if (rc == 0 && op->parts == 1)
		p2p_share_end(op);
	got_further = rc != 0 || op->moved != before;
	refused = is_refused(engine, op, rc);
	finished = !refused && (rc != 0 || op->moved == op->length);
	if (finished)
		p2p_job_finish(engine, op, rc);
	else if (refused)
		job_refused(engine, op);
	else
		job_again(engine, op);
	coll_run(engine);
	engine_token_give(engine);
	if (finished)
		wake_slot(engine->slot);
	return got_further;
}
