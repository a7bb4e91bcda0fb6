/* SPDX-License-Identifier: BSD-3-Clause */

/* The operations of a process that are not done. */
#include "libbcs/strobe/base/strobe_state.h"

void strobe_op_done(struct strobe *strobe, struct op *op)
{
	/* Orders the outcome before the word: the last that is written. */
	atomic_store_explicit(&op->done, 1, memory_order_release);
	atomic_fetch_sub(&strobe->n_open, 1);
}

void strobe_coll_done(struct strobe *strobe, struct coll *coll)
{
	/* Orders the outcome before the word. */
	atomic_store_explicit(&coll->done, 1, memory_order_release);
	atomic_fetch_sub(&strobe->n_open, 1);
}

uint32_t strobe_engine_n_open(struct strobe *strobe)
{
	return atomic_load(&strobe->n_open);
}
