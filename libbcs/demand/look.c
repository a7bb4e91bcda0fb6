/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Tests, probes and what they found, and cancelling: none of it waits for
 * others.
 */
#include <errno.h>

#include "libbcs/base/wake.h"
#include "libbcs/demand/base/token.h"
#include "libbcs/demand/engine.h"
#include "libbcs/demand/p2p/p2p.h"
#include "libbcs/demand/p2p/p2p_post.h"
#include "libbcs/demand/wait.h"

void engine_help(struct engine *engine)
{
	if (!engine_turn(engine) && !engine_work(engine, ENGINE_WHOLE) &&
	    !engine_remote(engine))
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
 * The order of the looks matters.  A thread that emptied the inbox before the
 * first look holds the token until the outcome is there.  So the token is
 * looked at after all that may be taken, and before the outcome.
 */
static bool is_coming(struct test *test)
{
	struct engine *engine = test->engine;

	return has_come(test) || p2p_is_posted_due(engine) ||
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
						message->head.bytes,
						message->head.site };
}

/*
 * With the token, after a slice.  False if receives wait for the next, that
 * were posted before this look: what there is may be theirs.
 */
static bool look_begin(struct engine *engine)
{
	token_take(engine);
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

	token_give(engine);
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
	p2p_begin(op);
	op->message = message;
	token_take(engine);
	op_open_add(engine, 1);
	p2p_receive(engine, op);
	token_give(engine);
	engine_leave(engine);
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

	token_take(engine);
	is = !p2p_is_posted_due(engine) ||
	     !*p2p_posted_find(engine, posted->op);
	token_give(engine);
	return is;
}

/*
 * The receive still gets a message that came before it, which may take a slice:
 * a program that has probed that message counts on it.  The cancel itself moves
 * nothing, so it waits for no slice: some programs test it only once.
 */
bool engine_cancel(struct engine *engine, struct op *op)
{
	bool cancelled;

	if (op->kind == OP_RECV)
		engine_wait_until(engine, is_scheduled,
				  &(struct posted){ engine, op });
	token_take(engine);
	cancelled = op->kind == OP_RECV && !op_is_done(op) &&
		    p2p_withdraw(engine, op);
	if (cancelled) {
		op->error = -ECANCELED;
		op_complete_show(engine, op);
	}
	token_give(engine);
	return cancelled;
}
