/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The Buffer Sender: puts descriptors into the inboxes of others.  What finds
 * an inbox full waits in an outbox, and what comes after it for the same
 * process waits behind it.
 */
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "libbcs/engine.h"
#include "libbcs/helper.h"
#include "libbcs/wait.h"

bool engine_put(struct engine *engine, uint16_t to,
		const struct board_cell *head, const void *payload,
		uint64_t n_payload)
{
	struct board_slot *slot = engine->slots[to];
	_Atomic uint64_t *seen = &engine->outboxes[to].head;
	/* Another thread may have seen it: orders the zeroes that it saw. */
	uint64_t known = atomic_load_explicit(seen, memory_order_acquire);
	const uint32_t lines = board_lines(head->kind, n_payload);
	struct board_cell *cell = board_reserve(slot, &known, lines);

	atomic_store_explicit(seen, known, memory_order_release);
	if (!cell)
		return false;
	board_fill(cell, head, payload, n_payload);
	board_show(cell, lines);
	wait_wake(slot);
	return true;
}

static void outgoing_add(struct engine *engine, uint16_t to,
			 struct outgoing *out)
{
	struct outbox *box = &engine->outboxes[to];

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

static bool outgoing_put(struct engine *engine, uint16_t to,
			 const struct outgoing *out)
{
	const bool eager = out->head.kind == BOARD_EAGER;

	return engine_put(engine, to, &out->head, eager ? out->op->buf : NULL,
			  eager ? out->op->bytes : 0);
}

/* As far as there is room; whether all went. */
static bool outbox_flush(struct engine *engine, struct outbox *box)
{
	const uint16_t to = (uint16_t)(box - engine->outboxes);
	struct outgoing *out;

	while ((out = box->first) && outgoing_put(engine, to, out)) {
		box->first = out->next;
		engine->n_moved++;
		atomic_fetch_sub_explicit(&box->n, 1, memory_order_relaxed);
		engine_local_remove(engine);
		if (out->op)
			engine_complete(engine, out->op, 0);
		free(out);
	}
	if (out)
		helper_wake(engine->slots[to]);
	return !out;
}

bool engine_outbox_is_empty(struct engine *engine, uint16_t to)
{
	return !atomic_load_explicit(&engine->outboxes[to].n,
				     memory_order_relaxed);
}

void engine_flush(struct engine *engine)
{
	struct outbox **link = &engine->full;

	while (*link) {
		if (outbox_flush(engine, *link))
			*link = (*link)->next;
		else
			link = &(*link)->next;
	}
}

void engine_tell_later(struct engine *engine, uint16_t to,
		       const struct board_cell *head, struct op *op)
{
	struct outgoing *out = malloc(sizeof(*out));

	if (!out) {
		/* The inbox will be emptied; waiting is all that is left. */
		while (!engine_put(engine, to, head, op ? op->buf : NULL,
				   op ? op->bytes : 0))
			sched_yield();
		if (op)
			engine_complete(engine, op, 0);
		return;
	}
	memcpy(&out->head, head, sizeof(out->head));
	out->op = op;
	outgoing_add(engine, to, out);
	helper_wake(engine->slots[to]);
}

void engine_tell(struct engine *engine, uint16_t to,
		 const struct board_cell *head)
{
	if (!engine_outbox_is_empty(engine, to) ||
	    !engine_put(engine, to, head, NULL, 0))
		engine_tell_later(engine, to, head, NULL);
}

void engine_rouse(struct engine *engine, uint16_t peer)
{
	helper_wake(engine->slots[peer]);
}
