/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The Buffer Sender: puts descriptors into the inboxes of others.  A descriptor
 * that finds the inbox full waits in an outbox.  Later ones for the same
 * process queue behind it.
 */
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "libbcs/base/copy.h"
#include "libbcs/base/tuning.h"
#include "libbcs/base/wake.h"
#include "libbcs/demand/base/op_complete.h"
#include "libbcs/demand/base/outbox.h"
#include "libbcs/demand/base/rouse.h"
#include "mds/base/clock.h"

/* All other nodes share one outbox. */
static struct outbox *outbox_of(struct engine *engine, uint32_t to)
{
	return &engine->outboxes[engine_is_local(engine, to) ? to
							     : engine->n_slots];
}

static struct board_cell *reserve(struct board_slot *slot, struct outbox *box,
				  uint32_t lines)
{
	/* Another thread may have seen it: orders the zeroes that it saw. */
	uint64_t known = atomic_load_explicit(&box->head, memory_order_acquire);
	struct board_cell *cell = board_reserve(slot, &known, lines);

	atomic_store_explicit(&box->head, known, memory_order_release);
	return cell;
}

/* Ticks are those of a node: between nodes nanoseconds are carried. */
static void path_out(struct board_cell *cell)
{
	if (cell->kind == BOARD_EAGER)
		cell->eager_path = clock_to_ns(cell->eager_path);
	else if (cell->kind == BOARD_OFFER)
		cell->offer_path = clock_to_ns(cell->offer_path);
}

/* A record (net.h), as the payload of a descriptor to the gateway. */
static bool put_remote(struct engine *engine, uint32_t to,
		       const struct board_cell *head, const void *payload,
		       uint64_t n_payload)
{
	const uint64_t n_head = board_head(head->kind);
	struct net_record record = { .to = to - engine->n_slots,
				     .bytes = (uint32_t)net_record_bytes(
					     head->kind, n_payload) };
	const struct board_cell remote = { .kind = BOARD_REMOTE,
					   .context = record.to,
					   .bytes = record.bytes };
	const uint32_t lines = board_lines(BOARD_REMOTE, record.bytes);
	struct board_cell *cell = reserve(engine->options.gateway,
					  outbox_of(engine, to), lines);

	if (!cell)
		return false;
	memcpy(&record.cell, head, n_head);
	record.cell.from = engine->options.world;
	path_out(&record.cell);
	board_fill(cell, &remote, &record, NET_RECORD_HEAD + n_head);
	if (n_payload)
		copy_here((char *)board_payload(cell) + NET_RECORD_HEAD +
				  n_head,
			  payload, n_payload);
	/* Before it can be handed out: base/board_blocked.h. */
	atomic_fetch_add(&engine->slot->waits.sent, 1);
	board_show(cell, lines);
	rouse_leader(engine);
	return true;
}

/*
 * True if the receiver has a core to read the pieces while they are written.  A
 * receiver that is writing as much itself reads nothing meanwhile, and one
 * whole copy is faster.
 */
static bool is_early(const struct engine *engine, uint64_t n_payload,
		     bool both_ways)
{
	return n_payload >= OUTBOX_EARLY_LEAST && !engine->options.crowded &&
	       !(both_ways && n_payload >= COPY_WHOLE);
}

bool outbox_put(struct engine *engine, uint32_t to,
		const struct board_cell *head, const void *payload,
		uint64_t n_payload, bool both_ways)
{
	const bool early = is_early(engine, n_payload, both_ways);
	const uint32_t lines = early ? board_lines_early(head->kind, n_payload)
				     : board_lines(head->kind, n_payload);
	struct board_slot *slot;
	struct board_cell *cell;

	if (!engine_is_local(engine, to))
		return put_remote(engine, to, head, payload, n_payload);
	slot = engine->slots[to];
	cell = reserve(slot, &engine->outboxes[to], lines);
	if (!cell)
		return false;
	if (early) {
		board_write_early(cell, head, payload, n_payload);
	} else {
		board_fill(cell, head, payload, n_payload);
		board_show(cell, lines);
	}
	wake_slot(slot);
	return true;
}

static void outgoing_add(struct engine *engine, uint32_t to,
			 struct outgoing *out)
{
	struct outbox *box = outbox_of(engine, to);

	out->to = to;
	out->next = NULL;
	if (!box->first) {
		box->end = &box->first;
		box->next = engine->full;
		engine->full = box;
	}
	*box->end = out;
	box->end = &out->next;
	atomic_fetch_add_explicit(&box->n, 1, memory_order_relaxed);
	engine_local_add(engine);
}

/* With the payload of a send, unless NULL. */
static bool put_op(struct engine *engine, uint32_t to,
		   const struct board_cell *head, const struct op *op)
{
	return outbox_put(engine, to, head, op ? op->buf : NULL,
			  op ? op->bytes : 0, op && op->both_ways);
}

static bool outgoing_put(struct engine *engine, const struct outgoing *out)
{
	const bool eager = out->head.kind == BOARD_EAGER;

	return put_op(engine, out->to, &out->head, eager ? out->op : NULL);
}

/* Sends what is queued, as far as there is room; true if all went. */
static bool flush(struct engine *engine, struct outbox *box)
{
	struct outgoing *out;

	while ((out = box->first) && outgoing_put(engine, out)) {
		box->first = out->next;
		engine->n_moved++;
		atomic_fetch_sub_explicit(&box->n, 1, memory_order_relaxed);
		engine_local_remove(engine);
		if (out->op)
			op_complete(engine, out->op, 0);
		free(out);
	}
	if (out)
		rouse_peer(engine, out->to);
	return !out;
}

bool outbox_is_empty(struct engine *engine, uint32_t to)
{
	return !atomic_load_explicit(&outbox_of(engine, to)->n,
				     memory_order_relaxed);
}

void outbox_flush(struct engine *engine)
{
	struct outbox **link = &engine->full;

	while (*link) {
		if (flush(engine, *link))
			*link = (*link)->next;
		else
			link = &(*link)->next;
	}
}

void outbox_tell_later(struct engine *engine, uint32_t to,
		       const struct board_cell *head, struct op *op)
{
	struct outgoing *out = malloc(sizeof(*out));

	if (!out) {
		/* The inbox will be emptied; waiting is all that is left. */
		while (!put_op(engine, to, head, op))
			sched_yield();
		if (op)
			op_complete(engine, op, 0);
		return;
	}
	memcpy(&out->head, head, sizeof(out->head));
	out->op = op;
	outgoing_add(engine, to, out);
	rouse_peer(engine, to);
}

void outbox_tell(struct engine *engine, uint32_t to,
		 const struct board_cell *head)
{
	if (!outbox_is_empty(engine, to) || !put_op(engine, to, head, NULL))
		outbox_tell_later(engine, to, head, NULL);
}
