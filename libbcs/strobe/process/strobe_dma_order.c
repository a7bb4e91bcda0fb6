/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Orders of the leader to the DMA Helper: copies of messages, parts of large
 * copies, and work of collectives.  Each ends an operation or a collective,
 * which is shown when its slice is over (strobe_dma_close.c).
 */
#include <string.h>

#include "libbcs/base/copy.h"
#include "libbcs/strobe/process/strobe_dma.h"

static void close_later(struct strobe *strobe, struct op *op, uint64_t slice)
{
	atomic_store_explicit(&op->due, slice, memory_order_relaxed);
	op_list_add(&strobe->closing, op);
}

static void copy_end(struct strobe *strobe, struct op *op,
		     const struct strobe_order *order)
{
	op->source = order->source;
	op->tag = order->tag;
	op->got = order->got;
	op->path = order->path;
	op->site = order->site;
	op->whole = order->whole;
	if (order->error)
		op->error = order->error;
	else if (!op->error && order->signature != op->signature &&
		 order->signature && op->signature)
		op->error = (int)order->signature;
	close_later(strobe, op, order->slice);
}

static void run_copy(struct strobe *strobe, const struct strobe_order *order)
{
	struct op *op = (struct op *)(uintptr_t)order->op;
	const uint64_t block = order->block ? order->block + order->skip : 0;
	const int rc = strobe_dma_fetch(strobe, order->from, order->address,
					block, op->buf + order->begin,
					order->bytes);

	if (rc != 0)
		op->error = rc;
	if (order->frees)
		strobe_arena_put(
			strobe->memory,
			order->from == STROBE_REMOTE
				? &strobe->head->returned
				: &strobe_slot(strobe, order->from)->returned,
			order->block);
	if (order->last)
		copy_end(strobe, op, order);
}

/* The sender may still write its last piece. */
static void run_split(struct strobe *strobe, const struct strobe_order *order)
{
	struct op *op = (struct op *)(uintptr_t)order->op;
	int rc = strobe_split_read(strobe, order, op->buf + order->begin);

	if (rc != 0)
		op->error = rc;
	strobe->split[strobe->n_split++] = *order;
}

void strobe_dma_end_splits(struct strobe *strobe)
{
	const struct strobe_order *order;
	struct op *op;
	int rc;

	for (uint32_t i = 0; i < strobe->n_split; i++) {
		order = &strobe->split[i];
		op = (struct op *)(uintptr_t)order->op;
		rc = strobe_split_end(strobe, order, op->buf + order->begin);
		if (rc != 0)
			op->error = rc;
		if (order->last)
			copy_end(strobe, op, order);
	}
	strobe->n_split = 0;
}

static void run_found(struct strobe *strobe, const struct strobe_order *order)
{
	struct op *op = (struct op *)(uintptr_t)order->op;

	op->source = order->source;
	op->tag = order->tag;
	op->got = order->got;
	op->site = order->site;
	op->message = (struct message *)(uintptr_t)order->message;
	op->error = order->error;
	close_later(strobe, op, order->slice);
}

static void run_done(struct strobe *strobe, const struct strobe_order *order)
{
	struct op *op = (struct op *)(uintptr_t)order->op;

	if (order->error)
		op->error = order->error;
	close_later(strobe, op, order->slice);
}

static void callers_add(struct strobe *strobe, struct coll *coll)
{
	coll_list_add(&strobe->callers, coll);
	atomic_fetch_add(&strobe->callers.n, 1);
}

static void run_coll(struct strobe *strobe, const struct strobe_order *order)
{
	struct coll *coll = (struct coll *)(uintptr_t)order->op;
	const uint64_t *shares = strobe_at(strobe, order->block);
	int rc = 0;

	if (order->kind == STROBE_MOVE || order->kind == STROBE_FOLD)
		strobe_collective_path(strobe, coll, shares);
	if (order->kind == STROBE_MOVE)
		rc = strobe_collective_move(strobe, coll, shares);
	else if (order->kind == STROBE_SUM)
		rc = strobe_reduce_sum(strobe, coll, shares);
	else if (order->kind == STROBE_MERGE)
		rc = strobe_reduce_merge(strobe, coll, shares);
	else if (order->kind == STROBE_FOLD)
		rc = strobe_reduce_fold(strobe, coll, shares);
	else if (order->kind == STROBE_KEEP)
		strobe_reduce_keep(coll);
	if (order->kind == STROBE_FAIL) {
		coll->error = order->error;
		coll->culprit = order->source;
	} else if (rc < 0) {
		coll->error = rc;
	}
	if (!order->last)
		return;
	coll->round = (uint32_t)order->slice;
	if (coll->pending)
		callers_add(strobe, coll);
	else
		coll_list_add(&strobe->colls, coll);
}

void strobe_dma_run_order(struct strobe *strobe,
			  const struct strobe_order *order)
{
	switch (order->kind) {
	case STROBE_COPY:
		if (order->split)
			run_split(strobe, order);
		else
			run_copy(strobe, order);
		break;
	case STROBE_PUSH:
		strobe_split_write(strobe, order);
		break;
	case STROBE_DONE:
		run_done(strobe, order);
		break;
	case STROBE_FOUND:
		run_found(strobe, order);
		break;
	default:
		run_coll(strobe, order);
		break;
	}
}
