/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_OP_COMPLETE_H
#define BCS_OP_COMPLETE_H

/* Counts open operations and completes them.  All functions need the token. */
#include "libbcs/demand/base/state.h"

/* Threads without the token may read the count. */
static inline void op_open_add(struct engine *engine, uint32_t n)
{
	atomic_store_explicit(
		&engine->n_open,
		atomic_load_explicit(&engine->n_open, memory_order_relaxed) + n,
		memory_order_relaxed);
}

/* Shows that the operation is done.  Its error and outcome are set. */
static inline void op_complete_show(struct engine *engine, struct op *op)
{
	struct op_coll *coll = op->coll;

	op_open_add(engine, UINT32_MAX);
	engine->n_completed++;
	engine->n_moved++;
	/* Orders the outcome before the word: the last that is written. */
	atomic_store_explicit(&op->done, 1, memory_order_release);
	if (coll)
		coll->part_done(engine, op);
}

/* Sets the error, unless it is 0, and shows that the operation is done. */
static inline void op_complete(struct engine *engine, struct op *op, int error)
{
	if (error)
		op->error = error;
	op_complete_show(engine, op);
}

#endif
