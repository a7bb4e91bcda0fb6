/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "libbcs/copy.h"
#include "libbcs/engine.h"
#include "libbcs/helper.h"
#include "libbcs/wait.h"

#define PROBE_WORD UINT64_C(0x6263732d70726f62)

bool engine_token_try(struct engine *engine)
{
	return !atomic_load_explicit(&engine->token, memory_order_relaxed) &&
	       !atomic_exchange_explicit(&engine->token, 1,
					 memory_order_acquire);
}

void engine_token_take(struct engine *engine)
{
	for (unsigned turns = 0; !engine_token_try(engine); turns++)
		if (turns > 100)
			sched_yield();
}

void engine_token_give(struct engine *engine)
{
	/* What was done with the token is seen by who takes it next. */
	atomic_store_explicit(&engine->token, 0, memory_order_release);
}

/* What makes a slice worth while beside what is in the inbox. */
void engine_local_add(struct engine *engine)
{
	atomic_fetch_add_explicit(&engine->local, 1, memory_order_relaxed);
}

void engine_local_remove(struct engine *engine)
{
	atomic_fetch_sub_explicit(&engine->local, 1, memory_order_relaxed);
}

static void count(_Atomic uint64_t *counter, uint64_t n)
{
	/* One writer at a time: with the token. */
	atomic_store_explicit(
		counter,
		atomic_load_explicit(counter, memory_order_relaxed) + n,
		memory_order_relaxed);
}

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static uint64_t slice_now(const struct engine *engine)
{
	return now_ns() / engine->options.slice_ns;
}

static int slot_start(struct engine *engine)
{
	struct board_slot *slot = engine->slot;

	slot->pid = getpid();
	slot->probe_word = PROBE_WORD ^ (uint64_t)slot->pid << 32 ^ engine->me;
	slot->probe = (uintptr_t)&slot->probe_word;
	engine->inbox.slot = slot;
	return copy_allow();
}

int engine_start(struct engine *engine, struct board_slot **slots,
		 uint16_t n_slots, uint16_t me,
		 const struct engine_options *options)
{
	int rc;

	*engine = (struct engine){ .options = *options,
				   .slots = slots,
				   .n_slots = n_slots,
				   .me = me,
				   .slot = slots[me] };
	op_list_clear(&engine->posted);
	op_list_clear(&engine->matched);
	op_list_clear(&engine->jobs);
	op_list_clear(&engine->closing);
	engine->copies = calloc(n_slots, sizeof(*engine->copies));
	engine->outboxes = calloc(n_slots, sizeof(*engine->outboxes));
	rc = engine->copies && engine->outboxes ? match_new(&engine->match)
						: -ENOMEM;
	if (rc == 0)
		wait_start();
	if (rc == 0)
		rc = slot_start(engine);
	if (rc == 0)
		rc = helper_start(engine);
	if (rc != 0)
		engine_stop(engine);
	return rc;
}

void engine_message_free(struct engine *engine, struct message *message)
{
	if (message->payload != message->few)
		free(message->payload);
	if (engine->spare)
		free(message);
	else
		engine->spare = message;
}

void engine_stop(struct engine *engine)
{
	struct match_message *left;

	helper_stop(engine);
	while (engine->match &&
	       (left = match_next_unexpected(engine->match, NULL))) {
		match_withdraw(engine->match, left);
		engine_message_free(engine, (struct message *)left);
	}
	match_free(engine->match);
	free(engine->spare);
	free(engine->outboxes);
	free(engine->copies);
}

/* By time, it is done with the slice that is under way. */
void engine_complete(struct engine *engine, struct op *op, int error)
{
	if (error)
		op->error = error;
	engine->n_completed++;
	engine->n_moved++;
	if (engine->options.slice_ns) {
		op->due = engine->slice + 1;
		op_list_add(&engine->closing, op);
		engine_local_add(engine);
		return;
	}
	/* Orders the outcome before the word: the last that is written. */
	atomic_store_explicit(&op->done, 1, memory_order_release);
}

static void close_due(struct engine *engine)
{
	struct op *op;

	while (engine->closing.first &&
	       engine->closing.first->due <= engine->slice) {
		op = op_list_take(&engine->closing);
		engine_local_remove(engine);
		engine->n_completed++;
		engine->n_moved++;
		atomic_store_explicit(&op->done, 1, memory_order_release);
	}
}

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

static bool outbox_is_empty(struct engine *engine, uint16_t to)
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

static void tell_later(struct engine *engine, uint16_t to,
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
	if (!outbox_is_empty(engine, to) ||
	    !engine_put(engine, to, head, NULL, 0))
		tell_later(engine, to, head, NULL);
	if (head->kind != BOARD_TAKEN && head->kind != BOARD_WRITTEN)
		helper_wake(engine->slots[to]);
}

static struct board_cell send_head(struct engine *engine,
				   const struct match_key *key, uint64_t bytes)
{
	return (struct board_cell){ .kind = BOARD_EAGER,
				    .from = engine->me,
				    .context = key->context,
				    .source = key->source,
				    .tag = key->tag,
				    .bytes = bytes };
}

bool engine_send_now(struct engine *engine, uint16_t peer,
		     const struct match_key *key, const void *buf,
		     uint64_t bytes)
{
	const struct board_cell head = send_head(engine, key, bytes);

	return bytes <= BOARD_INLINE && !engine->options.slice_ns &&
	       outbox_is_empty(engine, peer) &&
	       engine_put(engine, peer, &head, buf, bytes);
}

static void post_send(struct engine *engine, struct op *op)
{
	struct board_cell head = send_head(engine, &op->key, op->bytes);

	if (op->synchronous || op->bytes > BOARD_INLINE) {
		head.kind = BOARD_OFFER;
		head.address = (uintptr_t)op->buf;
		head.sender_op = (uintptr_t)op;
		engine_tell(engine, op->peer, &head);
	} else if (outbox_is_empty(engine, op->peer) &&
		   engine_put(engine, op->peer, &head, op->buf, op->bytes)) {
		engine_complete(engine, op, 0);
	} else {
		tell_later(engine, op->peer, &head, op);
	}
}

/*
 * It waits for the slice that what it matches comes with; only if there are
 * messages that came before is one worth while for it.
 */
static void post_recv(struct engine *engine, struct op *op)
{
	op_list_add(&engine->posted, op);
	if (!engine->posted_is_due &&
	    match_next_unexpected(engine->match, NULL)) {
		engine->posted_is_due = true;
		engine_local_add(engine);
	}
}

static void op_begin(struct op *op)
{
	op->error = 0;
	op->pushing = false;
	op->parts = 1;
	atomic_store_explicit(&op->done, 0, memory_order_relaxed);
}

/* By time, what is posted now is executed in the next slice. */
static void slice_begin(struct engine *engine)
{
	if (engine->options.slice_ns)
		engine->slice = slice_now(engine) + 1;
}

static void post(struct engine *engine, struct op *op)
{
	op_begin(op);
	engine_token_take(engine);
	slice_begin(engine);
	if (op->kind == OP_SEND)
		post_send(engine, op);
	else
		post_recv(engine, op);
	engine_token_give(engine);
}

void engine_post(struct engine *engine, struct op *op)
{
	post(engine, op);
	engine_leave(engine);
}

void engine_run(struct engine *engine, struct op *op)
{
	post(engine, op);
	engine_wait(engine, op);
}

static bool is_left(struct engine *engine)
{
	return atomic_load_explicit(&engine->local, memory_order_relaxed) ||
	       atomic_load_explicit(&engine->n_jobs, memory_order_relaxed);
}

bool engine_has_work(struct engine *engine)
{
	return board_peek(&engine->inbox) || is_left(engine);
}

static void hand_over(struct engine *engine)
{
	if (!engine->options.slice_ns)
		engine_turn(engine);
	if (engine_has_work(engine))
		helper_wake(engine->slot);
}

void engine_leave(struct engine *engine)
{
	if (is_left(engine))
		hand_over(engine);
}

void engine_block(struct engine *engine)
{
	atomic_fetch_add(&engine->slot->blocked, 1);
}

void engine_unblock(struct engine *engine)
{
	/* Before the look: who saw it as it was did not wake the helper. */
	atomic_fetch_sub(&engine->slot->blocked, 1);
	if (engine_has_work(engine))
		hand_over(engine);
}

/* Where slices begin by time, whether another has. */
static bool is_time(struct engine *engine)
{
	uint64_t slice;

	if (!engine->options.slice_ns)
		return true;
	slice = slice_now(engine);
	if (slice == engine->last)
		return false;
	engine->last = slice;
	engine->slice = slice;
	engine->left = engine->options.budget;
	close_due(engine);
	return true;
}

static void slice_run(struct engine *engine)
{
	do {
		dem_run(engine);
		engine->n_moved += engine->n_cells;
		msm_run(engine);
		p2p_run(engine);
	} while (engine->n_cells == ENGINE_BATCH);
	engine_flush(engine);
	count(&engine->stats.slices, 1);
}

/* With the token. */
static void turn(struct engine *engine)
{
	engine->n_completed = 0;
	engine->n_moved = 0;
	if (is_time(engine))
		slice_run(engine);
}

bool engine_turn(struct engine *engine)
{
	unsigned completed;
	unsigned moved;

	if (!engine_has_work(engine) || !engine_token_try(engine))
		return false;
	turn(engine);
	completed = engine->n_completed;
	moved = engine->n_moved;
	engine_token_give(engine);
	if (completed)
		wait_wake(engine->slot);
	return moved != 0;
}

void engine_help(struct engine *engine)
{
	if (!engine_turn(engine) && !p2p_copy(engine))
		wait_idle(engine);
	engine_leave(engine);
}

bool engine_test(struct engine *engine, struct op *op)
{
	if (op_is_done(op))
		return true;
	engine_help(engine);
	return op_is_done(op);
}

static void found_fill(struct engine_found *found,
		       const struct message *message)
{
	if (message)
		*found = (struct engine_found){ message->head.source,
						message->head.tag,
						message->head.bytes };
}

/*
 * With the token, after a slice.  False if receives wait for the next, that
 * were posted before this look: what there is may be theirs.
 */
static bool look_begin(struct engine *engine)
{
	engine_token_take(engine);
	if (engine_has_work(engine))
		turn(engine);
	return !engine->posted.first;
}

static void look_end(struct engine *engine)
{
	engine_token_give(engine);
	wait_wake(engine->slot);
	engine_leave(engine);
}

bool engine_probe(struct engine *engine, const struct match_key *key,
		  struct engine_found *found)
{
	struct message *message = NULL;

	if (look_begin(engine))
		message = (struct message *)match_probe(engine->match, key);
	found_fill(found, message);
	look_end(engine);
	return message != NULL;
}

struct message *engine_take(struct engine *engine, const struct match_key *key,
			    struct engine_found *found)
{
	struct message *message = NULL;

	if (look_begin(engine))
		message = (struct message *)match_take(engine->match, key);
	found_fill(found, message);
	look_end(engine);
	return message;
}

void engine_post_taken(struct engine *engine, struct op *op,
		       struct message *message)
{
	op_begin(op);
	op->message = message;
	engine_token_take(engine);
	slice_begin(engine);
	p2p_receive(engine, op);
	engine_token_give(engine);
	engine_leave(engine);
}

/* One that has not been scheduled yet is not with the matching. */
static bool posted_remove(struct engine *engine, struct op *op)
{
	struct op **link = &engine->posted.first;

	while (*link && *link != op)
		link = &(*link)->next;
	if (!*link)
		return false;
	*link = op->next;
	if (!*link)
		engine->posted.end = link;
	return true;
}

bool engine_cancel(struct engine *engine, struct op *op)
{
	bool cancelled;

	engine_token_take(engine);
	cancelled = op->kind == OP_RECV && !op_is_done(op) &&
		    (posted_remove(engine, op) ||
		     match_cancel(engine->match, &op->recv));
	if (cancelled)
		engine_complete(engine, op, -ECANCELED);
	engine_token_give(engine);
	return cancelled;
}
