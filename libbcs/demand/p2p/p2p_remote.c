/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Remote: the two sides are on different nodes, and MPI moves the bytes.  Each
 * side posts its part of one piece after the other, with a tag that both know.
 */
#include "libbcs/base/copy.h"
#include "libbcs/demand/p2p/p2p_protocol.h"

#define TAGS (1 << 20)

static void begin(struct engine *engine, struct op *op)
{
	engine->remote_tag = engine->remote_tag % TAGS + 1;
	op->remote = (struct remote_piece){ .tag = engine->remote_tag };
	p2p_tell(engine, op, BOARD_BY_MPI, 0);
	p2p_job_put(engine, op);
}

void p2p_remote_told(struct engine *engine, struct op *op,
		     const struct board_cell *cell)
{
	p2p_offer_told(op, cell);
	op->offer.protocol = &p2p_protocol_remote;
	op->remote = (struct remote_piece){ .tag = cell->tag };
	p2p_job_put(engine, op);
}

/* Whether MPI has moved the piece is seen in this step or in a later one. */
static int step(struct engine *engine, struct op *op, uint64_t budget)
{
	const struct remote_ops *ops = engine->options.remote;
	struct remote_piece *piece = &op->remote;
	bool is_done = false;
	int rc = 0;

	if (!piece->bytes) {
		piece->bytes = copy_at_most(op->offer.length - op->offer.moved,
					    budget);
		rc = ops->begin(piece, op->kind, op->buf + op->offer.moved,
				op->peer - engine->n_slots);
	}
	if (rc == 0)
		rc = ops->test(piece, &is_done);
	if (rc == 0 && is_done) {
		op->offer.moved += piece->bytes;
		piece->bytes = 0;
	}
	return rc;
}

/* Nothing is told: the other side sees the end itself. */
static void end(struct engine *engine, struct op *op, int error)
{
	p2p_offer_part_done(engine, op, error);
}

const struct p2p_protocol p2p_protocol_remote = {
	.begin = begin,
	.step = step,
	.end = end,
	.is_awaited = true,
};
