/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Large messages, which are copied from process to process, a piece at a time
 * and without the token, by whoever is blocked: the receiver reads them, or the
 * sender writes them when only it is blocked.  When both are, both may have a
 * part in it (p2p_both.c).
 */
#include "libbcs/base/copy.h"
#include "libbcs/base/tuning.h"
#include "libbcs/base/wake.h"
#include "libbcs/demand/base/outbox.h"
#include "libbcs/demand/base/row.h"
#include "libbcs/demand/base/token.h"
#include "libbcs/demand/p2p/p2p.h"

static bool is_refused(const struct engine *engine, const struct op *op,
		       int error)
{
	return error && !op->remote.tag &&
	       copy_is_refused(engine->slots[op->peer]->pid, error);
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
		if (!outbox_put(engine, op->peer, &head, op->buf + op->moved,
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
	return board_is_blocked(engine->slot) +
	       board_is_blocked(engine->slots[op->peer]);
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
		rc = copy_piece(engine, op,
				copy_at_most(end - op->moved,
					     looks ? P2P_ALONE_BYTES : n));
	while (rc == 0 && op->moved < end && n_waiting(engine, op) <= waiting);
	return rc;
}

/* It is moved by MPI; whether it has been is seen now or later. */
static int move_remote(struct engine *engine, struct op *op, uint64_t budget)
{
	const struct remote_ops *ops = engine->options.remote;
	struct remote_piece *piece = &op->remote;
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
	token_take(engine);
	op = op_list_take(&engine->jobs);
	token_give(engine);
	if (!op)
		return false;
	atomic_fetch_sub_explicit(&engine->n_jobs, 1, memory_order_relaxed);
	if (p2p_share(engine, op, budget) || p2p_give_back(engine, op))
		return true;

	before = op->moved;
	since = row_stamp(engine);
	if (op->remote.tag)
		rc = move_remote(engine, op, budget);
	else if (op->pushing)
		push(engine, op, budget);
	else
		rc = copy(engine, op, budget);

	token_take(engine);
	row_spent(engine, EMDS_COPY, since);
	if (rc == 0 && op->parts == 1)
		p2p_protocol_end(&op->shared);
	got_further = rc != 0 || op->moved != before;
	refused = is_refused(engine, op, rc);
	finished = !refused && (rc != 0 || op->moved == op->length);
	if (finished)
		p2p_job_finish(engine, op, rc);
	else if (refused)
		p2p_job_refused(engine, op);
	else
		job_again(engine, op);
	token_give(engine);
	if (finished)
		wake_slot(engine->slot);
	return got_further;
}
