/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Moves large messages, a piece at a time and without the token.  A thread that
 * is blocked makes the steps.  Streams have a loop of their own.
 */
#include "libbcs/base/wake.h"
#include "libbcs/demand/base/row.h"
#include "libbcs/demand/base/token.h"
#include "libbcs/demand/p2p/p2p_protocol.h"

/* Returns true if the job is over. */
static bool step_end(struct engine *engine, struct op *op, int error)
{
	const bool is_over = error || op->offer.moved == op->offer.length;

	if (!error && op->offer.parts == 1)
		p2p_tune_end(&op->both.run);
	if (is_over) {
		op->offer.protocol->end(engine, op, error);
	} else {
		p2p_job_put(engine, op);
		engine->row.value[EMDS_CARRIED]++;
	}
	return is_over;
}

static __attribute__((noinline)) bool move(struct engine *engine)
{
	struct op *op = p2p_job_take(engine);
	bool got_further;
	uint64_t before;
	uint64_t since;
	bool is_over;
	int rc;

	if (!op)
		return false;
	if (p2p_choose_both(engine, op))
		return true;
	before = op->offer.moved;
	since = row_stamp(engine);
	rc = op->offer.protocol->step(engine, op, engine->options.budget);
	got_further = rc != 0 || op->offer.moved != before;
	token_take(engine);
	row_spent(engine, EMDS_COPY, since);
	is_over = step_end(engine, op, rc);
	token_give(engine);
	if (is_over)
		wake_slot(engine->slot);
	return got_further || is_over;
}

bool p2p_move(struct engine *engine)
{
	return atomic_load_explicit(&engine->n_jobs, memory_order_relaxed) &&
	       move(engine);
}
