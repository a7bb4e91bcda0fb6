/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Shows the results of a slice when the slice is over by the clock: its
 * operations and collectives are done for the threads of the program.
 */
#include "libbcs/strobe/process/strobe_dma.h"

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

bool strobe_dma_is_over(const struct strobe *strobe)
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

bool strobe_dma_close(struct strobe *strobe)
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
