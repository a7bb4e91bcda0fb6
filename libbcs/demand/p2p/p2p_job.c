/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The list of operations that this process moves bytes of (p2p_move.c).
 */
#include "libbcs/demand/base/token.h"
#include "libbcs/demand/p2p/p2p_protocol.h"
#include "mds/base/clock.h"

/*
 * Streams go one after the other, but copies of two sides at a time.  So in an
 * exchange each is timed from when it might have begun.
 */
static void note_ready(struct engine *engine, struct op *op)
{
	const bool exchanges = !op->coll && engine_is_local(engine, op->peer) &&
			       engine->outboxes[op->peer].n_offers &&
			       board_is_blocked(engine->slot);

	op->both.ready = exchanges ? clock_ticks() : 0;
}

/* True if a receiver that waits, or does soon, is to have it back. */
static bool is_urgent(const struct engine *engine, const struct op *op)
{
	return op->offer.protocol->gives_back && engine_streams(engine) &&
	       (op->offer.moved == 0 ||
		board_is_blocked(engine->slots[op->peer]));
}

void p2p_job_put(struct engine *engine, struct op *op)
{
	if (op->kind == OP_RECV)
		note_ready(engine, op);
	if (is_urgent(engine, op))
		op_list_add_first(&engine->jobs, op);
	else
		op_list_add(&engine->jobs, op);
	atomic_fetch_add_explicit(&engine->n_jobs, 1, memory_order_relaxed);
}

struct op *p2p_job_take(struct engine *engine)
{
	struct op *op;

	token_take(engine);
	op = op_list_take(&engine->jobs);
	token_give(engine);
	if (op)
		atomic_fetch_sub_explicit(&engine->n_jobs, 1,
					  memory_order_relaxed);
	return op;
}

bool p2p_jobs_can_wait(struct engine *engine)
{
	const struct op *op;

	if (!atomic_load_explicit(&engine->n_jobs, memory_order_relaxed))
		return false;
	token_take(engine);
	for (op = engine->jobs.first; op; op = op->next)
		if (op->offer.protocol->is_awaited || op->coll ||
		    board_is_blocked(engine->slots[op->peer]))
			break;
	token_give(engine);
	return !op;
}
