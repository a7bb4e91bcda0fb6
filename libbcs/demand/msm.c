/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Message scheduling: receives that were posted meet the messages that came,
 * and the pairs go to the point-to-point microphase.  A message that finds no
 * receive leaves the board, for it may have to wait long.
 */
#include <stdlib.h>
#include <string.h>

#include "libbcs/demand/base/kept.h"
#include "libbcs/demand/engine.h"

static void schedule(struct engine *engine, struct op *op,
		     struct board_cell *cell, struct message *message)
{
	op->cell = cell;
	op->message = message;
	op_list_add(&engine->matched, op);
}

static void posted_was_due(struct engine *engine)
{
	if (!atomic_load_explicit(&engine->posted_is_due, memory_order_relaxed))
		return;
	engine_local_remove(engine);
	atomic_store_explicit(&engine->posted_is_due, false,
			      memory_order_relaxed);
}

static void post_all(struct engine *engine)
{
	struct op *op = engine->posted.first;
	struct match_message *message;
	struct op *next;

	op_list_clear(&engine->posted);
	posted_was_due(engine);
	for (; op; op = next) {
		next = op->next;
		message = match_post(engine->match, &op->key, &op->recv);
		if (message)
			schedule(engine, op, NULL, (struct message *)message);
	}
}

static struct message *spare_get(struct engine *engine)
{
	if (!engine->spare)
		engine->spare = malloc(sizeof(*engine->spare));
	return engine->spare;
}

static uint64_t inline_bytes(const struct board_cell *cell)
{
	return cell->kind == BOARD_OFFER ? 0 : cell->bytes;
}

/* Room for its payload first, so that nothing has to be undone. */
static bool message_fill(struct engine *engine, struct message *message,
			 struct board_cell *cell)
{
	const uint64_t n = inline_bytes(cell);

	message->payload = n > sizeof(message->few) ? kept_room_get(engine, n)
						    : message->few;
	if (!message->payload)
		return false;
	memcpy(&message->head, cell, sizeof(message->head));
	board_read(cell, message->payload, n);
	return true;
}

/*
 * Returns false if the message is better left in the inbox.  Either another was
 * matched, and the thread that waited for that one may next post the receive
 * for this one, which saves a copy.  Or there is no memory to keep it.
 */
static bool arrive(struct engine *engine, struct board_cell *cell)
{
	const struct match_key key = { cell->context, cell->source, cell->tag };
	struct message *message = spare_get(engine);
	struct match_recv *recv;

	if (!message)
		return false;
	recv = match_arrive(engine->match, &key, &message->match);
	if (recv) {
		schedule(
			engine,
			(struct op *)((char *)recv - offsetof(struct op, recv)),
			cell, NULL);
		return true;
	}
	if (engine->matched.first || !message_fill(engine, message, cell)) {
		match_withdraw(engine->match, &message->match);
		return false;
	}
	engine->spare = NULL;
	return true;
}

static bool nothing_is_queued(const struct engine *engine)
{
	return !match_next_posted(engine->match, NULL) &&
	       !match_next_unexpected(engine->match, NULL);
}

/*
 * Most messages come in the order of their receives.  Where nothing is queued,
 * the receive that was posted first is the oldest there is.
 */
static bool arrive_in_order(struct engine *engine, struct board_cell *cell)
{
	const struct op *op = engine->posted.first;

	if (!op || op->key.context != cell->context ||
	    (op->key.source != cell->source && op->key.source != MATCH_ANY) ||
	    (op->key.tag != cell->tag && op->key.tag != MATCH_ANY))
		return false;
	schedule(engine, op_list_take(&engine->posted), cell, NULL);
	return true;
}

void msm_run(struct engine *engine)
{
	bool in_order = nothing_is_queued(engine);
	struct board_cell *cell;

	if (!in_order)
		post_all(engine);
	for (unsigned i = 0; i < engine->n_cells; i++) {
		cell = engine->cells[i];
		if (!board_is_message(cell))
			continue;
		if (in_order && arrive_in_order(engine, cell))
			continue;
		if (in_order)
			post_all(engine);
		in_order = false;
		if (!arrive(engine, cell)) {
			engine->n_cells = i;
			return;
		}
	}
	posted_was_due(engine);
}
