/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The DMA Helper works in the process that owns the buffer.  It copies what the
 * leader ordered, and shows at the end of the slice what is done.
 */
#include <string.h>

#include "libbcs/base/copy.h"
#include "libbcs/base/tuning.h"
#include "libbcs/strobe/strobe_state.h"
#include "mds/futex.h"

int strobe_dma_fetch(struct strobe *strobe, uint32_t from, uint64_t address,
		     uint64_t block, void *to, uint64_t bytes)
{
	if (bytes == 0)
		return 0;
	if (!block && from != strobe->me)
		return strobe_read(strobe, from, address, to, bytes);
	if (block)
		copy_here(to, strobe_at(strobe, block), bytes);
	else
		memmove(to, (void *)(uintptr_t)address, bytes);
	return 0;
}

int strobe_part_fetch(struct strobe *strobe, const uint64_t *shares, int rank,
		      int me, uint64_t begin, void *to, uint64_t bytes)
{
	const struct strobe_part *part = strobe_part(strobe, shares, rank, me);
	const uint64_t block = part->inlined
				       ? shares[rank] + part->inlined + begin
				       : 0;

	return strobe_dma_fetch(strobe,
				strobe_share(strobe, shares, rank)->slot,
				part->address + begin, block, to, bytes);
}

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

/* The pieces of senders are waited for once: behind the last order. */
static void end_splits(struct strobe *strobe)
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

static void run_order(struct strobe *strobe, const struct strobe_order *order)
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

static struct strobe_end end_at(const struct strobe *strobe, unsigned i)
{
	const uint64_t end = atomic_load(&strobe->slot->ends[i]);

	return (struct strobe_end){ (uint32_t)(end >> 32), (uint32_t)end };
}

static bool is_new(const struct strobe *strobe, struct strobe_end end)
{
	return (int32_t)(end.slice - atomic_load(&strobe->closed)) > 0;
}

/* The last slice that is over by the clock, if it is new. */
static bool end_find(const struct strobe *strobe, struct strobe_end *last)
{
	const struct strobe_end ends[] = { end_at(strobe, 0),
					   end_at(strobe, 1) };
	bool found = false;
	uint32_t now;

	if (!is_new(strobe, ends[0]) && !is_new(strobe, ends[1]))
		return false;
	now = (uint32_t)strobe_slice_now(strobe);
	for (unsigned i = 0; i < 2; i++) {
		if (!is_new(strobe, ends[i]) ||
		    (int32_t)(now - ends[i].slice) <= 0 ||
		    (found && (int32_t)(ends[i].slice - last->slice) < 0))
			continue;
		*last = ends[i];
		found = true;
	}
	return found;
}

static bool is_over(const struct strobe *strobe)
{
	struct strobe_end last;

	return end_find(strobe, &last);
}

uint64_t strobe_dma_due(const struct strobe *strobe)
{
	const uint64_t now = strobe_slice_now(strobe);
	uint64_t due = 0;

	for (unsigned i = 0; i < 2; i++) {
		const struct strobe_end end = end_at(strobe, i);
		const int32_t ahead = (int32_t)(end.slice - (uint32_t)now);
		const uint64_t at = strobe_begin_of(
			strobe, now + (uint64_t)(int64_t)ahead + 1);

		if (is_new(strobe, end) && (!due || at < due))
			due = at;
	}
	return due;
}

bool strobe_dma_is_wanted(struct strobe *strobe)
{
	struct strobe_slot *slot = strobe->slot;

	return atomic_load(&slot->asked) ||
	       atomic_load(&slot->given) != atomic_load(&slot->done) ||
	       is_over(strobe);
}

bool strobe_dma_is_free(struct strobe *strobe)
{
	return strobe_dma_is_wanted(strobe) && !atomic_load(&strobe->copying);
}

/* The next order keeps a thread from its program. */
static bool is_long(const struct strobe *strobe)
{
	struct strobe_slot *slot = strobe->slot;
	const uint32_t at = atomic_load(&slot->done);
	const struct strobe_order *order = &slot->orders[at % STROBE_ORDERS];

	return at != atomic_load(&slot->given) &&
	       order->bytes >= STROBE_LONG_COPY;
}

/* The leader sleeps while it waits for what takes long. */
void strobe_tell_leader(struct strobe *strobe)
{
	struct strobe_head *head = strobe->head;

	if (!atomic_load(&head->awaits))
		return;
	atomic_fetch_add(&head->progress, 1);
	futex_wake(&head->progress);
}

/* The oldest order; whether there was one. */
static bool run_next(struct strobe *strobe)
{
	struct strobe_slot *slot = strobe->slot;
	const uint32_t at = atomic_load(&slot->done);

	if (at == atomic_load(&slot->given))
		return false;
	run_order(strobe, &slot->orders[at % STROBE_ORDERS]);
	if (at + 1 == atomic_load(&slot->given))
		end_splits(strobe);
	atomic_store(&slot->done, at + 1);
	if (at + 1 == atomic_load(&slot->given))
		strobe_tell_leader(strobe);
	return true;
}

/* Sends whose payload went with their descriptors, of slices that are over. */
static bool close_eager(struct strobe *strobe, uint32_t over)
{
	uint32_t at = atomic_load(&strobe->over);
	bool any = false;
	uintptr_t what;

	for (; at != over; at++) {
		what = strobe->eager[at % STROBE_RING];
		any = any || what;
		if (what & STROBE_EAGER_COLL)
			strobe_coll_done(strobe,
					 (struct coll *)(what & ~(uintptr_t)1));
		else if (what)
			strobe_op_done(strobe, (struct op *)what);
	}
	atomic_store(&strobe->over, at);
	return any;
}

static bool close_ops(struct strobe *strobe, uint32_t closed)
{
	struct op *op;
	bool any = false;

	while ((op = strobe->closing.first) &&
	       (int32_t)((uint32_t)op->due - closed) <= 0) {
		strobe_op_done(strobe, op_list_take(&strobe->closing));
		any = true;
	}
	return any;
}

static bool close_colls(struct strobe *strobe, uint32_t closed)
{
	struct coll *coll;
	bool any = false;

	while ((coll = strobe->colls.first) &&
	       (int32_t)(coll->round - closed) <= 0) {
		coll_list_take(&strobe->colls);
		strobe_block_put(strobe, coll->work);
		strobe_coll_done(strobe, coll);
		any = true;
	}
	return any;
}

static bool close_all(struct strobe *strobe)
{
	struct strobe_end last;
	bool eager;
	bool colls;
	bool ops;

	if (!end_find(strobe, &last))
		return false;
	eager = close_eager(strobe, last.over);
	ops = close_ops(strobe, last.slice);
	colls = close_colls(strobe, last.slice);
	atomic_store(&strobe->closed, last.slice);
	return colls || ops || eager;
}

/* Others of the process may wait for what is done now. */
static void tell_threads(struct strobe *strobe)
{
	atomic_fetch_add(&strobe->slot->event, 1);
	if (atomic_load(&strobe->slot->blocked))
		futex_wake(&strobe->slot->event);
}

/*
 * Runs one order.  The results of the last slice are shown first.  So a thread
 * that waits for them goes on, however long the copies of the next slice take.
 */
static bool run_once(struct strobe *strobe, bool *closed)
{
	bool ran;

	*closed = false;
	if (atomic_exchange(&strobe->copying, 1))
		return strobe_lend(strobe);
	strobe_lend(strobe);
	*closed = close_all(strobe);
	if (*closed)
		tell_threads(strobe);
	ran = !*closed && run_next(strobe);
	atomic_store(&strobe->copying, 0);
	return ran || *closed;
}

/* A thread that finds `copying` held relies on its holder to look once more. */
bool strobe_dma_run(struct strobe *strobe)
{
	bool any = strobe_lend(strobe);
	bool closed;

	while (strobe_dma_is_free(strobe))
		any = run_once(strobe, &closed) || any;
	return any;
}

bool strobe_dma_run_some(struct strobe *strobe)
{
	bool any = strobe_lend(strobe);
	bool closed = false;

	while (!closed && strobe_dma_is_free(strobe))
		any = run_once(strobe, &closed) || any;
	return any;
}

void strobe_dma_leave(struct strobe *strobe)
{
	bool closed;

	while (strobe_dma_is_free(strobe) && !is_long(strobe))
		run_once(strobe, &closed);
	if (strobe_dma_is_free(strobe))
		strobe_call(strobe, strobe->slot);
}
