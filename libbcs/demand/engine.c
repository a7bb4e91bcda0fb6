/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The engine of a process: its start and end, posting, turns, tests and probes,
 * and the token that one thread at a time holds.
 */
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

#include "libbcs/base/copy.h"
#include "libbcs/base/wake.h"
#include "libbcs/demand/beside.h"
#include "libbcs/demand/coll/coll.h"
#include "libbcs/demand/engine.h"
#include "libbcs/demand/helper.h"
#include "libbcs/demand/net/net.h"
#include "libbcs/demand/p2p/p2p.h"
#include "libbcs/demand/slice.h"
#include "libbcs/demand/wait.h"
#include "mds/path.h"

/* On the way of every message. */
#define ENGINE_HOT __attribute__((always_inline)) static inline

#define VAIN_MOST  500 /* looks for the other side of a stream */
#define PROBE_WORD UINT64_C(0x6263732d70726f62)

bool engine_token_try(struct engine *engine)
{
	return !atomic_load_explicit(&engine->token, memory_order_relaxed) &&
	       !atomic_exchange_explicit(&engine->token, 1,
					 memory_order_acquire);
}

static __attribute__((noinline)) void token_wait(struct engine *engine)
{
	for (unsigned turns = 0; !engine_token_try(engine); turns++)
		if (turns > 100)
			sched_yield();
}

ENGINE_HOT void token_take(struct engine *engine)
{
	if (!engine_token_try(engine))
		token_wait(engine);
}

void engine_token_take(struct engine *engine)
{
	token_take(engine);
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

/* With the token; others may look. */
static void open_add(struct engine *engine, uint32_t n)
{
	atomic_store_explicit(
		&engine->n_open,
		atomic_load_explicit(&engine->n_open, memory_order_relaxed) + n,
		memory_order_relaxed);
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
		 uint32_t n_slots, uint32_t me,
		 const struct engine_options *options)
{
	int rc;

	*engine = (struct engine){ .options = *options,
				   .slots = slots,
				   .n_slots = n_slots,
				   .me = me,
				   .slot = slots[me],
				   .from = ENGINE_ALL };
	op_list_clear(&engine->posted);
	op_list_clear(&engine->matched);
	op_list_clear(&engine->jobs);
	op_list_clear(&engine->streams);
	coll_list_clear(&engine->moved);
	coll_list_clear(&engine->work);
	coll_list_clear(&engine->callers_work);
	engine->slates = UINT32_MAX;
	engine->copies = calloc(n_slots, sizeof(*engine->copies));
	engine->outboxes = calloc(n_slots + 1, sizeof(*engine->outboxes));
	rc = engine->copies && engine->outboxes ? match_new(&engine->match)
						: -ENOMEM;
	if (rc == 0)
		wait_start(options->crowded);
	if (rc == 0 && !options->crowded)
		beside_start(engine);
	if (rc == 0)
		rc = slot_start(engine);
	if (rc == 0)
		rc = helper_start(engine);
	if (rc != 0)
		engine_stop(engine);
	return rc;
}

/* Such rooms malloc gives back to the system, and their pages with them. */
static bool is_large(uint64_t bytes)
{
	return bytes > BOARD_INLINE / 2;
}

static void kept_change(struct engine *engine, uint64_t by)
{
	uint32_t behind;

	engine->kept += by;
	behind = engine->kept > ENGINE_ROOMS * BOARD_INLINE;
	if (behind !=
	    atomic_load_explicit(&engine->slot->behind, memory_order_relaxed))
		atomic_store_explicit(&engine->slot->behind, behind,
				      memory_order_relaxed);
}

unsigned char *engine_room_get(struct engine *engine, uint64_t bytes)
{
	unsigned char *room;

	if (is_large(bytes) && engine->n_rooms)
		room = engine->rooms[--engine->n_rooms];
	else
		room = malloc(is_large(bytes) ? BOARD_INLINE : bytes);
	if (room)
		kept_change(engine, bytes);
	return room;
}

static void room_put(struct engine *engine, unsigned char *room, uint64_t bytes)
{
	kept_change(engine, -bytes);
	if (is_large(bytes) && engine->n_rooms < ENGINE_ROOMS)
		engine->rooms[engine->n_rooms++] = room;
	else
		free(room);
}

void engine_message_free(struct engine *engine, struct message *message)
{
	if (message->payload != message->few)
		room_put(engine, message->payload, message->head.bytes);
	if (engine->spare)
		free(message);
	else
		engine->spare = message;
}

void engine_stop(struct engine *engine)
{
	struct match_message *left;

	copy_forbid();
	helper_stop(engine);
	slice_end(engine);
	while (engine->match &&
	       (left = match_next_unexpected(engine->match, NULL))) {
		match_withdraw(engine->match, left);
		engine_message_free(engine, (struct message *)left);
	}
	slates_free(engine);
	match_free(engine->match);
	while (engine->n_rooms)
		free(engine->rooms[--engine->n_rooms]);
	free(engine->spare);
	free(engine->outboxes);
	free(engine->copies);
}

void engine_show_done(struct engine *engine, struct op *op)
{
	const bool is_part = op->coll != NULL;

	open_add(engine, UINT32_MAX);
	engine->n_completed++;
	engine->n_moved++;
	/* Orders the outcome before the word: the last that is written. */
	atomic_store_explicit(&op->done, 1, memory_order_release);
	if (is_part)
		op->part_done(engine, op);
}

void engine_complete(struct engine *engine, struct op *op, int error)
{
	if (error)
		op->error = error;
	engine_show_done(engine, op);
}

static struct board_cell send_head(struct engine *engine,
				   const struct match_key *key, uint64_t bytes,
				   uint32_t signature, uint64_t path)
{
	return (struct board_cell){ .kind = BOARD_EAGER,
				    .from = engine->me,
				    .context = key->context,
				    .source = key->source,
				    .tag = key->tag,
				    .error = signature,
				    .bytes = bytes,
				    .eager_path = path };
}

/*
 * Between nodes less, for leaders copy it twice more; and to who is behind, so
 * that what is kept there is not without bounds.
 */
static bool fits_descriptor(const struct engine *engine, uint32_t peer,
			    uint64_t bytes)
{
	if (bytes <= NET_INLINE)
		return true;
	return bytes <= BOARD_INLINE && engine_is_near(engine, peer) &&
	       !atomic_load_explicit(&engine->slots[peer]->behind,
				     memory_order_relaxed);
}

bool engine_send_now(struct engine *engine, uint32_t peer,
		     const struct match_key *key, uint32_t signature,
		     const void *buf, uint64_t bytes)
{
	const struct board_cell head = send_head(engine, key, bytes, signature,
						 path_now());

	if (!fits_descriptor(engine, peer, bytes) ||
	    p2p_may_offer(engine, peer, bytes) ||
	    !engine_outbox_is_empty(engine, peer) ||
	    !engine_put(engine, peer, &head, buf, bytes, false))
		return false;
	if (!engine_is_near(engine, peer))
		engine_far(engine);
	return true;
}

static void post_offer(struct engine *engine, struct op *op,
		       struct board_cell *head, uint64_t path)
{
	head->kind = BOARD_OFFER;
	head->address = (uintptr_t)op->buf;
	head->sender_op = (uintptr_t)op;
	head->offer_path = path;
	engine_tell(engine, op->peer, head);
}

/*
 * A small synchronous send goes in its descriptor, and is acknowledged.  False
 * if it has to be offered, as all are between nodes.
 */
static bool post_sync(struct engine *engine, struct op *op,
		      struct board_cell *head)
{
	if (op->bytes > P2P_BUFFERED || !engine_is_near(engine, op->peer) ||
	    !engine_outbox_is_empty(engine, op->peer))
		return false;
	head->kind = BOARD_SYNC;
	head->sender_op = (uintptr_t)op;
	return engine_put(engine, op->peer, head, op->buf, op->bytes, false);
}

/* Apart, so that a receive needs no room for a descriptor. */
static __attribute__((noinline)) void post_send(struct engine *engine,
						struct op *op)
{
	const uint64_t path = op->coll ? op->path : path_now();
	struct board_cell head = send_head(engine, &op->key, op->bytes,
					   op->signature, path);

	if (op->synchronous || !fits_descriptor(engine, op->peer, op->bytes) ||
	    p2p_is_offered(engine, op)) {
		p2p_offer_begin(op);
		p2p_offers(engine, op->peer, 1);
		if (!op->synchronous || !post_sync(engine, op, &head))
			post_offer(engine, op, &head, path);
		if (!op->coll)
			engine_rouse_later(engine, op->peer);
	} else if (engine_outbox_is_empty(engine, op->peer) &&
		   engine_put(engine, op->peer, &head, op->buf, op->bytes,
			      op->crossed)) {
		engine_complete(engine, op, 0);
	} else {
		engine_tell_later(engine, op->peer, &head, op);
	}
}

/* It may, or one came that its sender waits for, when nothing was open here. */
ENGINE_HOT bool may_have_come(struct engine *engine)
{
	return match_next_unexpected(engine->match, NULL) || engine->called ||
	       atomic_load_explicit(&engine->slot->called,
				    memory_order_relaxed);
}

ENGINE_HOT bool is_posted_due(const struct engine *engine)
{
	return atomic_load_explicit(&engine->posted_is_due,
				    memory_order_relaxed);
}

/*
 * It waits for the slice that what it matches comes with; only if there are
 * messages that came before is one worth while for it.
 */
ENGINE_HOT void post_recv(struct engine *engine, struct op *op)
{
	op_list_add(&engine->posted, op);
	if (!is_posted_due(engine) && may_have_come(engine)) {
		atomic_store_explicit(&engine->posted_is_due, true,
				      memory_order_relaxed);
		engine_local_add(engine);
	}
}

ENGINE_HOT void op_begin(struct op *op)
{
	op->error = 0;
	atomic_store_explicit(&op->landing, false, memory_order_relaxed);
	op->recv.item.link.next = NULL;
	atomic_store_explicit(&op->done, 0, memory_order_relaxed);
}

ENGINE_HOT void post_begun(struct engine *engine, struct op *op)
{
	op_begin(op);
	open_add(engine, 1);
	if (op->kind == OP_SEND)
		post_send(engine, op);
	else
		post_recv(engine, op);
}

void engine_post_begun(struct engine *engine, struct op *op)
{
	post_begun(engine, op);
}

ENGINE_HOT void post(struct engine *engine, struct op *op)
{
	token_take(engine);
	post_begun(engine, op);
	engine_token_give(engine);
}

ENGINE_HOT bool is_left(struct engine *engine)
{
	return atomic_load_explicit(&engine->local, memory_order_relaxed) ||
	       atomic_load_explicit(&engine->n_jobs, memory_order_relaxed) ||
	       atomic_load_explicit(&engine->work.n, memory_order_relaxed);
}

bool engine_has_work(struct engine *engine)
{
	return board_peek(&engine->inbox) || is_left(engine);
}

static bool has_streams(struct engine *engine)
{
	return atomic_load_explicit(&engine->n_streams, memory_order_relaxed);
}

bool engine_has_more(struct engine *engine)
{
	return engine_has_work(engine) || has_streams(engine);
}

bool engine_far(struct engine *engine)
{
	return engine->options.net && net_turn(engine->options.net);
}

ENGINE_HOT bool is_left_far(struct engine *engine)
{
	return engine->options.net && net_has_work(engine->options.net);
}

static void hand_over(struct engine *engine)
{
	if (wake_lasts)
		wake_lasts();
	engine_turn(engine);
	engine_far(engine);
	if (engine_has_more(engine) || is_left_far(engine))
		wake_helper(engine->slot);
}

ENGINE_HOT void leave(struct engine *engine)
{
	if (is_left(engine) || has_streams(engine) || is_left_far(engine))
		hand_over(engine);
}

void engine_leave(struct engine *engine)
{
	leave(engine);
}

void engine_post(struct engine *engine, struct op *op)
{
	post(engine, op);
	leave(engine);
}

void engine_run(struct engine *engine, struct op *op)
{
	post(engine, op);
	engine_wait(engine, op);
}

void engine_block(struct engine *engine)
{
	atomic_fetch_add(&engine->slot->blocked, 1);
}

/*
 * The other side of a stream waits, and would have to for the helper of the
 * last who leaves, piece by piece.  It may have left, too.
 */
static void end_streams(struct engine *engine)
{
	unsigned vain = 0;

	while (has_streams(engine) && vain < VAIN_MOST &&
	       atomic_load_explicit(&engine->slot->blocked,
				    memory_order_relaxed) == 1) {
		vain = p2p_stream(engine) ? 0 : vain + 1;
		__builtin_ia32_pause();
	}
}

void engine_unblock(struct engine *engine)
{
	end_streams(engine);
	/* Before the look: who saw it as it was did not wake the helper. */
	atomic_fetch_sub(&engine->slot->blocked, 1);
	if ((atomic_load_explicit(&engine->n_open, memory_order_relaxed) &&
	     engine_has_more(engine)) ||
	    is_left_far(engine))
		hand_over(engine);
}

void engine_slice(struct engine *engine)
{
	engine->n_completed = 0;
	engine->n_moved = 0;
	engine->slice++;
	slice_run(engine);
}

bool engine_turn(struct engine *engine)
{
	unsigned completed;
	unsigned moved;

	if (!engine_has_work(engine))
		return false;
	if (!engine_token_try(engine)) {
		/* Another thread runs one. */
		slice_missed(engine);
		return false;
	}
	engine_slice(engine);
	completed = engine->n_completed;
	moved = engine->n_moved;
	engine_token_give(engine);
	if (completed)
		wake_slot(engine->slot);
	return moved != 0;
}

bool engine_work(struct engine *engine, unsigned what)
{
	return p2p_stream(engine) ||
	       ((what & ENGINE_COPIES) && p2p_copy(engine)) ||
	       coll_work(engine, what & ENGINE_OPERATIONS);
}

bool engine_tidy(struct engine *engine)
{
	if (board_is_tidy(&engine->inbox) || !engine_token_try(engine))
		return false;
	board_tidy(&engine->inbox);
	engine_token_give(engine);
	return true;
}

void engine_help(struct engine *engine)
{
	if (!engine_turn(engine) && !engine_work(engine, ENGINE_WHOLE) &&
	    !engine_far(engine))
		wait_idle(engine);
	engine_leave(engine);
}

/* A test that is in vain so far. */
struct test {
	struct engine *engine;
	bool (*ready)(void *arg);
	bool (*soon)(void *arg);
	void *arg;
	uint64_t tail; /* of the inbox, at the call */
};

static bool has_come(struct test *test)
{
	struct board_inbox *inbox = &test->engine->inbox;

	return board_peek(inbox) &&
	       (int64_t)(test->tail -
			 atomic_load_explicit(&inbox->at,
					      memory_order_relaxed)) > 0;
}

static bool is_any(_Atomic uint32_t *n)
{
	return atomic_load_explicit(n, memory_order_relaxed) != 0;
}

/*
 * A thread that took what there was before the first look holds the token until
 * the outcome is there: so that is looked at after what may be taken, and
 * before what comes of it.
 */
static bool is_coming(struct test *test)
{
	struct engine *engine = test->engine;

	return has_come(test) || is_posted_due(engine) ||
	       is_any(&engine->n_to_self) ||
	       atomic_load_explicit(&engine->token, memory_order_acquire) ||
	       (is_any(&engine->n_landing) && test->soon(test->arg));
}

static bool is_settled(void *arg)
{
	struct test *test = arg;

	return !is_coming(test) || test->ready(test->arg);
}

/*
 * Mostly a turn is enough for what comes just now.  Others move the tail, which
 * is not looked at before that.
 */
bool engine_settle(struct engine *engine, bool (*ready)(void *arg),
		   bool (*soon)(void *arg), void *arg)
{
	struct test test = { engine, ready, soon, arg, INT64_MAX };

	if (!is_coming(&test))
		return false;
	if (engine_turn(engine) && ready(arg)) {
		engine_leave(engine);
		return true;
	}
	test.tail = atomic_load_explicit(&engine->slot->tail,
					 memory_order_relaxed);
	engine_wait_until(engine, is_settled, &test);
	return true;
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
	engine->n_completed = 0;
	engine->n_moved = 0;
	if (engine_has_work(engine))
		engine_slice(engine);
	return !engine->posted.first;
}

/* Wakes others only if there is news, for the thread may be going to sleep. */
static void look_end(struct engine *engine)
{
	const bool moved = engine->n_completed || engine->n_moved;

	engine_token_give(engine);
	if (moved)
		wake_slot(engine->slot);
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
	open_add(engine, 1);
	p2p_receive(engine, op);
	engine_token_give(engine);
	engine_leave(engine);
}

static struct op **posted_find(struct engine *engine, const struct op *op)
{
	struct op **link = &engine->posted.first;

	while (*link && *link != op)
		link = &(*link)->next;
	return link;
}

/* One that has not been scheduled yet is not with the matching. */
static bool posted_remove(struct engine *engine, struct op *op)
{
	struct op **link = posted_find(engine, op);

	if (!*link)
		return false;
	*link = op->next;
	if (!*link)
		engine->posted.end = link;
	return true;
}

bool engine_withdraw(struct engine *engine, struct op *op)
{
	return posted_remove(engine, op) ||
	       match_cancel(engine->match, &op->recv);
}

struct posted {
	struct engine *engine;
	struct op *op;
};

static bool is_scheduled(void *arg)
{
	const struct posted *posted = arg;
	struct engine *engine = posted->engine;
	bool is;

	engine_token_take(engine);
	is = !is_posted_due(engine) || !*posted_find(engine, posted->op);
	engine_token_give(engine);
	return is;
}

/*
 * What came before a receive is received by it, which may take a slice: a
 * program that has probed it counts on that.  Nothing moves when it is
 * cancelled, so no slice has to end: some programs test it only once.
 */
bool engine_cancel(struct engine *engine, struct op *op)
{
	bool cancelled;

	if (op->kind == OP_RECV)
		engine_wait_until(engine, is_scheduled,
				  &(struct posted){ engine, op });
	engine_token_take(engine);
	cancelled = op->kind == OP_RECV && !op_is_done(op) &&
		    engine_withdraw(engine, op);
	if (cancelled) {
		op->error = -ECANCELED;
		engine_show_done(engine, op);
	}
	engine_token_give(engine);
	return cancelled;
}
