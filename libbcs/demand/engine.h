/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_ENGINE_H
#define BCS_ENGINE_H

/*
 * The engine of a process.  Threads post descriptors, and slices execute them:
 * descriptor exchange (dem.c), scheduling (msm.c) and point-to-point (p2p.c).
 * Then collectives whose messages are there get on (coll.c, bbm.c, rm.c).  The
 * thread that holds the token runs a slice: a blocked one, one that tests, or
 * the helper (helper.c) while all others compute.  Large copies are made
 * between slices, without the token.
 *
 * Four files drive the rooms below: engine.c starts, stops and posts, turn.c
 * runs turns, wait.c waits, look.c tests and probes.
 */
#include "libbcs/demand/base/state.h"

/*
 * Starts the engine of process `me` of a node.  `slots` are those of all its
 * processes, zero at first.  The array stays the caller's and has to last.  All
 * processes have to start before the first message.  Returns 0 or -errno.
 */
int engine_start(struct engine *engine, struct board_slot **slots,
		 uint32_t n_slots, uint32_t me,
		 const struct engine_options *options);

/* All operations have to be done.  Frees messages that nobody received. */
void engine_stop(struct engine *engine);

/*
 * Posts an operation.  The caller fills in its kind, buf, bytes and key, and
 * for a send also peer and synchronous.  A send may be done on return.
 */
void engine_post(struct engine *engine, struct op *op);

/* Posts an operation and waits until it is done. */
void engine_run(struct engine *engine, struct op *op);

/* The thread leaves the engine: the helper does what is left. */
void engine_leave(struct engine *engine);

/*
 * Between the two the thread takes messages itself, and nobody wakes the
 * helper.
 */
void engine_block(struct engine *engine);
void engine_unblock(struct engine *engine);

/* A send that needs no op: true if the buffer is free again on return. */
bool engine_send_now(struct engine *engine, uint32_t peer,
		     const struct match_key *key, uint32_t signature,
		     const void *buf, uint64_t bytes);

/*
 * True if a slice would have something to do; the second, also if streams go
 * on.
 */
bool engine_has_work(struct engine *engine);
bool engine_has_more(struct engine *engine);

/*
 * Runs a slice if there is anything to do.  Returns true if anything got
 * further.
 */
bool engine_turn(struct engine *engine);
/* Runs one, with the token. */
void engine_slice(struct engine *engine);

/*
 * Does what was put off until there is nothing else to do.  Returns true if
 * there was anything.
 */
bool engine_tidy(struct engine *engine);

/* For a test in vain: works on what there is, or gives up the core. */
void engine_help(struct engine *engine);

void engine_wait(struct engine *engine, struct op *op);

/* The `ready` that engine_wait waits with; its argument is the op. */
bool engine_op_ready(void *op);

/*
 * Waits until `ready` returns true.  The function is called after each turn,
 * until it has returned true.
 */
void engine_wait_until(struct engine *engine, bool (*ready)(void *arg),
		       void *arg);

/*
 * Waits for what other processes show without a turn of this one.  It mostly
 * comes very soon.  Showing first that this process waits would take longer,
 * because the others must then see all that it wrote.
 */
void engine_wait_shown(struct engine *engine, bool (*ready)(void *arg),
		       void *arg);

/*
 * For a test that would say no, after engine_help.  Receives what came before
 * the call, and what this process sent to itself, so that the test sees a
 * message that was there.  `ready` tells whether the operations are done, and
 * `soon` whether one of them is done soon (engine_is_soon).  False if nothing
 * had come.
 */
bool engine_settle(struct engine *engine, bool (*ready)(void *arg),
		   bool (*soon)(void *arg), void *arg);

static inline bool engine_is_soon(const struct op *op)
{
	return atomic_load_explicit(&op->landing, memory_order_relaxed);
}

/* A message that a receive with this key would match. */
struct engine_found {
	int32_t source;
	int32_t tag;
	uint64_t bytes;
	uint32_t site; /* the sender's place (path.h); 0: unknown */
};
bool engine_probe(struct engine *engine, const struct match_key *key,
		  struct engine_found *found);

/*
 * Takes the message that a receive with this key would match, so that no other
 * receive gets it.  NULL if there is none.  engine_post_taken() posts the
 * receive for it.
 */
struct message *engine_take(struct engine *engine, const struct match_key *key,
			    struct engine_found *found);
void engine_post_taken(struct engine *engine, struct op *op,
		       struct message *message);

/* True if the receive had not been matched; it is done, with -ECANCELED. */
bool engine_cancel(struct engine *engine, struct op *op);

/* Work that is done between slices, besides streams: */
enum engine_work {
	ENGINE_COPIES = 1,     /* large ones, of messages */
	ENGINE_OPERATIONS = 2, /* the program's own, in threads of its own */
	ENGINE_WHOLE = ENGINE_COPIES | ENGINE_OPERATIONS,
};

/* Does such work.  Needs no token.  Returns true if there was any. */
bool engine_work(struct engine *engine, unsigned what);

/* The microphases that begin a slice; with the token only. */
void dem_run(struct engine *engine);
void msm_run(struct engine *engine);

#endif
