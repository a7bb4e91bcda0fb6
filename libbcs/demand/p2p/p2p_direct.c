/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Copies between the memories of two processes, by either of them.  Three
 * protocols consist of such copies: read, write and halves.
 */
#include "libbcs/base/copy.h"
#include "libbcs/base/tuning.h"
#include "libbcs/demand/p2p/p2p_protocol.h"

bool p2p_direct_is_allowed(struct engine *engine, uint32_t peer)
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

static int copy_piece(struct engine *engine, struct op *op, uint64_t n)
{
	const uint64_t at = op->offer.address + op->offer.moved;
	const struct iovec here = { op->buf + op->offer.moved, n };
	const struct iovec there = { (void *)(uintptr_t)at, n };
	const pid_t pid = engine->slots[op->peer]->pid;
	int rc;

	if (op->kind == OP_RECV)
		rc = copy_read(pid, &here, 1, &there, 1);
	else
		rc = copy_write(pid, &here, 1, &there, 1);
	if (rc == 0)
		op->offer.moved += n;
	return rc;
}

static int n_waiting(const struct engine *engine, const struct op *op)
{
	return board_is_blocked(engine->slot) +
	       board_is_blocked(engine->slots[op->peer]);
}

/* Stops early if one more of the two waits, which may take a part then. */
int p2p_direct_step(struct engine *engine, struct op *op, uint64_t budget)
{
	const uint64_t n = copy_at_most(op->offer.length - op->offer.moved,
					budget);
	const uint64_t end = op->offer.moved + n;
	const int waiting = n_waiting(engine, op);
	const uint64_t piece = waiting < 2 ? P2P_ALONE_BYTES : n;
	int rc;

	do
		rc = copy_piece(engine, op,
				copy_at_most(end - op->offer.moved, piece));
	while (rc == 0 && op->offer.moved < end &&
	       n_waiting(engine, op) <= waiting);
	return rc;
}

/*
 * True if the kernel no longer lets one side access the other's memory, for
 * example after setuid.  From here on nothing is copied between the two.
 */
static bool is_refused(struct engine *engine, const struct op *op, int error)
{
	if (!error || !copy_is_refused(engine->slots[op->peer]->pid, error))
		return false;
	engine->copies[op->peer] = -1;
	return true;
}

void p2p_direct_end(struct engine *engine, struct op *op, int error)
{
	if (is_refused(engine, op, error))
		p2p_push_instead(engine, op);
	else if (op->kind == OP_RECV)
		p2p_offer_taken(engine, op, error);
	else
		p2p_offer_written(engine, op, error);
}
