/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_ENGINE_H
#define BCS_ENGINE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "libbcs/base/board.h"
#include "libbcs/base/match.h"
#include "mds/emds.h"

/*
 * The engine of a process.  Descriptors are buffered by whoever posts them, and
 * executed in slices: descriptor exchange (dem.c), scheduling (msm.c) and
 * point-to-point (p2p.c); then collectives whose messages are there get on
 * (coll.c, bbm.c, rm.c).  A slice is run by whichever thread holds the token:
 * one that is blocked, one that tests, or the helper (helper.c) while all of
 * them compute.  Large copies are done between slices, without the token.
 */

struct engine;

enum op_kind { OP_SEND, OP_RECV };

/*
 * Large messages between nodes, which MPI moves piece by piece: the sender's
 * part and the receiver's, with a tag that both know.
 */
struct far_piece {
	int64_t handle;
	uint64_t bytes; /* 0: none is */
	int32_t tag;
};

struct far_ops {
	/* These two return 0 or -errno. */
	int (*begin)(struct far_piece *piece, enum op_kind kind, void *at,
		     uint32_t world);
	int (*test)(struct far_piece *piece, bool *is_done);
};

/*
 * One send or receive, the caller's until it is done.  What a message takes
 * that comes at once lies together, in two lines.
 */
struct op {
	/* The last that the engine writes: error and outcome are there. */
	_Atomic uint32_t done;
	enum op_kind kind;
	/*
	 * 0 or -errno: -EMSGSIZE if the message was longer.  Of a receive, the
	 * message's signature if that is another one.
	 */
	int error;
	bool synchronous;
	bool crossed;         /* each side has as much for the other */
	_Atomic bool landing; /* a receive: its copy is under way */
	uint32_t peer;        /* slot; of another node, see engine_is_near */

	struct match_key key;
	unsigned char *buf;
	uint64_t bytes;    /* of the buffer */
	struct coll *coll; /* that it is a part of; or NULL */
	/*
	 * Of a collective: odd, and the same at both sides.  Of a message what
	 * the bytes are: even, below 2^31, and 0 for anything.
	 */
	uint32_t signature;

	/* The outcome of a receive. */
	int32_t source;
	int32_t tag;
	uint64_t got;
	uint64_t path; /* the sender's path clock; of a part, to be sent, too */

	/* The engine's. */
	struct op *next;
	struct board_cell *cell; /* what it was matched with: one of them */
	struct message *message;
	struct match_recv recv;
	/* By the strobe: the slice with whose end it is done. */
	_Atomic uint64_t due;
	struct pace_run coming; /* a receive, from the match on (p2p_way.c) */

	/* Of one that is offered: */
	uint64_t address; /* at the other side */
	uint64_t their_op;
	uint64_t length; /* to be copied, and how much of it was */
	uint64_t moved;
	bool prompt;   /* a receive: it was waited for */
	bool pushing;  /* through the board */
	bool alone;    /* a send, all of which is its process's to write */
	bool refused;  /* a receive that may not be read, but is written to */
	uint8_t parts; /* not done yet: more, if both sides copy */
	struct far_piece far; /* that is under way between nodes */

	/* While both sides take part (p2p_both.c): */
	uint64_t begin; /* of the part that is in the stream; and its end */
	uint64_t end;
	uint64_t ready; /* ticks: when, if the sender has one to make, too */
	struct pace_run shared;

	/*
	 * Called with the token, after `done`.  Only where `coll` is set, so
	 * that a message of the program touches no third line for it.
	 */
	void (*part_done)(struct engine *engine, struct op *op);
};

/* First in, first out. */
struct op_list {
	struct op *first;
	struct op **end;
};

/* First in, first out; coll.h. */
struct coll_list {
	struct coll *first;
	struct coll **end;
	_Atomic uint32_t n; /* of those that are counted */
};

/* A message that came before its receive. */
struct message {
	struct match_message match;
	struct board_cell head;
	unsigned char *payload;
	unsigned char few[64];
};

/* A descriptor for an inbox that is full. */
struct outgoing {
	struct outgoing *next;
	uint32_t to;
	struct board_cell head;
	struct op *op; /* BOARD_EAGER: done, when this is sent */
};

struct outbox {
	struct outbox *next; /* that has something left, too */
	struct outgoing *first;
	struct outgoing **end;
	_Atomic uint64_t head; /* of the inbox, as last seen */
	_Atomic bool prompt;   /* who took the last offer waited for it */
	uint32_t n_offers;     /* of messages, that are not done */
	_Atomic uint64_t owes; /* a call of the helper there, since: ticks */
	struct pace_turns turns[2][BOARD_SIZES]; /* as there are paces */
	_Atomic uint32_t n;
};

struct engine_options {
	uint64_t budget; /* bytes of a large message that are copied at once */
	bool crowded;    /* more processes than cores */
	/* Now and then, while a thread waits: whether it moved anything. */
	bool (*poke)(void); /* or NULL */
	/* Whether it may be needed at any moment, so that nobody sleeps. */
	bool (*must_poke)(void); /* or NULL */
	/* Once, when a thread has begun what it waits for; or NULL. */
	void (*meanwhile)(void);
	/* A thread begins to wait in vain, or ends to; or NULL. */
	void (*idle)(bool begins);
	/*
	 * Before it gives up its core for long, while `ready` of
	 * engine_wait_until is not yet: again and again, `first` after
	 * something moved; or NULL.
	 */
	void (*blocked)(bool first, bool (*ready)(void *arg), void *arg);
	struct emds *emds; /* takes what slices did; or NULL */

	/* Where there are other nodes, else 0: */
	uint32_t world;             /* my number among all processes; */
	struct board_slot *gateway; /* takes what is for other nodes, */
	struct board_slot *leader;  /* of whose process this sees to it */
	struct net *net;            /* the leader's */
	const struct far_ops *far;
};

#define ENGINE_BATCH 8
#define ENGINE_ROOMS 8
#define ENGINE_ALL   UINT32_MAX

struct engine {
	struct engine_options options;
	struct board_slot **slots;
	uint32_t n_slots;
	uint32_t me;
	struct board_slot *slot; /* mine */

	_Atomic uint32_t token;
	_Atomic uint32_t local; /* outgoing; posted, if due */
	_Atomic uint32_t n_jobs;
	_Atomic uint32_t n_streams; /* operations that go by one */
	_Atomic uint32_t n_open;    /* operations that are not done */
	_Atomic uint32_t n_to_self; /* large messages that were matched, */
	_Atomic uint32_t n_landing; /* and those that a test waits for */
	struct board_inbox inbox;
	struct match *match;
	struct message *spare;
	unsigned char *rooms[ENGINE_ROOMS]; /* for payloads, to be used again */
	unsigned n_rooms;
	uint64_t kept; /* bytes of messages that came before their receives */
	struct outbox *outboxes; /* by slot; the gateway's is the last */
	struct outbox *full;     /* those with something left */
	_Atomic bool owes;       /* one of them does */
	struct pace_turns turns[BOARD_PACES][2][BOARD_SIZES]; /* collectives' */
	struct op_list posted;
	_Atomic bool posted_is_due; /* some may match what came before */
	bool called; /* the helper was, for what is not all taken yet */
	struct op_list matched;
	struct op_list jobs;           /* to be copied by this process, */
	struct op_list streams;        /* or go by a stream */
	struct coll_list moved;        /* their round is over, */
	struct coll_list work;         /* but for work that anybody may do, */
	struct coll_list callers_work; /* or only threads that call us */
	signed char *copies;  /* by slot: 0 unknown, 1 can, -1 cannot */
	unsigned n_completed; /* in this slice, */
	unsigned n_moved;     /* and all that got further */

	/* Of the slice under way. */
	uint64_t slice;
	struct board_cell *cells[ENGINE_BATCH];
	unsigned n_cells;

	/* Who sent last, and so may be waited for; or ENGINE_ALL. */
	_Atomic uint32_t from;

	int32_t far_tag; /* of the last large message from another node */

	uint32_t slates; /* that no communicator has, a bit for each; */
	struct slate *left_slates; /* and those that others may still read */

	struct helper *helper;

	/* For the record of slices (slice.c): what is not in it yet, */
	struct emds_row row;
	_Atomic uint64_t poking; /* and was counted without the token; */
	_Atomic uint64_t missed;
	uint64_t looked; /* when who is blocked was looked up */
	unsigned blocked;
};

/*
 * `slots` are those of all processes of the node, which have to be zero at
 * first; the array stays the caller's and has to last.  All processes have to
 * have made theirs before the first message.  Returns 0 or -errno.
 */
int engine_start(struct engine *engine, struct board_slot **slots,
		 uint32_t n_slots, uint32_t me,
		 const struct engine_options *options);

/* All operations have to be done.  Frees messages that nobody received. */
void engine_stop(struct engine *engine);

/*
 * Post: op->buf, bytes, key and, of a send, peer and synchronous are filled in
 * by the caller, and op->kind.  A send may be done on return.
 */
void engine_post(struct engine *engine, struct op *op);

/* The same, and waits until it is done. */
void engine_run(struct engine *engine, struct op *op);

/* The thread turns to something else: what is left is the helper's. */
void engine_leave(struct engine *engine);

/* Between them the thread takes what comes, and nobody wakes the helper. */
void engine_block(struct engine *engine);
void engine_unblock(struct engine *engine);

/* A send that needs no op: true if the buffer is free again on return. */
bool engine_send_now(struct engine *engine, uint32_t peer,
		     const struct match_key *key, uint32_t signature,
		     const void *buf, uint64_t bytes);

/* Whether a slice would have something to do; or that, or streams go on. */
bool engine_has_work(struct engine *engine);
bool engine_has_more(struct engine *engine);

/* Runs a slice if there is anything to do; whether anything got further. */
bool engine_turn(struct engine *engine);
/* Runs one, with the token. */
void engine_slice(struct engine *engine);

/* What was put off until there is nothing else to do; whether something was. */
bool engine_tidy(struct engine *engine);

/* A test in vain: gets on with what there is, or gives up the core. */
void engine_help(struct engine *engine);

void engine_wait(struct engine *engine, struct op *op);

/* The `ready` that engine_wait waits with; its argument is the op. */
bool engine_op_ready(void *op);

/*
 * Waits until `ready` says so, which is asked after each turn, and no more once
 * it has.
 */
void engine_wait_until(struct engine *engine, bool (*ready)(void *arg),
		       void *arg);

/*
 * The same, where others show it without a slice.  It comes mostly so soon that
 * to say first that this process waits, for which all that it wrote has to be
 * seen by the others, would take longer.
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

/*
 * An operation is done soon if a copy of at most so many bytes is under way for
 * it.  MPICH would make such a copy within a test.
 */
#define ENGINE_SOON (UINT64_C(1) << 20)

static inline bool engine_is_soon(const struct op *op)
{
	return atomic_load_explicit(&op->landing, memory_order_relaxed);
}

/* A message that a receive with this key would match. */
struct engine_found {
	int32_t source;
	int32_t tag;
	uint64_t bytes;
};
bool engine_probe(struct engine *engine, const struct match_key *key,
		  struct engine_found *found);

/*
 * The same, and no other receive gets it; NULL if there is none.  A receive
 * that is posted for it takes no other.
 */
struct message *engine_take(struct engine *engine, const struct match_key *key,
			    struct engine_found *found);
void engine_post_taken(struct engine *engine, struct op *op,
		       struct message *message);

/* True if the receive had not been matched; it is done, with -ECANCELED. */
bool engine_cancel(struct engine *engine, struct op *op);

/*
 * Peers of this node are counted by slot, those of others behind them, by their
 * number in the world.
 */
static inline bool engine_is_near(const struct engine *engine, uint32_t peer)
{
	return peer < engine->n_slots;
}

/* Whether large messages of this node may go by streams. */
static inline bool engine_streams(const struct engine *engine)
{
	return !engine->options.crowded;
}

/* Without the token: what goes between nodes; whether anything moved. */
bool engine_far(struct engine *engine);

static inline bool op_is_done(struct op *op)
{
	/* Orders the word before the outcome and the buffer. */
	return atomic_load_explicit(&op->done, memory_order_acquire);
}

/* With the token; collectives' own. */
void engine_post_begun(struct engine *engine, struct op *op);
/* A receive that nobody waits for any more; true if it was not matched. */
bool engine_withdraw(struct engine *engine, struct op *op);
/* Another process has something to get on with, which may be computing. */
void engine_rouse(struct engine *engine, uint32_t peer);
/* It is enough if the helper here does so next, or who waits long: it is owed.
 */
void engine_rouse_later(struct engine *engine, uint32_t peer);
void engine_rouse_owed(struct engine *engine);

/* Between slices, besides what goes through streams: */
enum engine_work {
	ENGINE_COPIES = 1,     /* large ones, of messages */
	ENGINE_OPERATIONS = 2, /* the program's own, in threads of its own */
	ENGINE_WHOLE = ENGINE_COPIES | ENGINE_OPERATIONS,
};

/* Without the token; whether there was any. */
bool engine_work(struct engine *engine, unsigned what);

/* The microphases, and what they share; with the token only. */
void dem_run(struct engine *engine);
void msm_run(struct engine *engine);
void p2p_run(struct engine *engine);
void p2p_receive(struct engine *engine, struct op *op);

/*
 * Copies a piece of a large message; or what there is of one that goes by a
 * stream.  Without the token; whether it did.
 */
bool p2p_copy(struct engine *engine);
bool p2p_stream(struct engine *engine);

/* Ends an operation, with an error unless that is 0. */
void engine_complete(struct engine *engine, struct op *op, int error);
void engine_show_done(struct engine *engine, struct op *op);
/* Room for the payload of a message, or NULL; and the end of the message. */
unsigned char *engine_room_get(struct engine *engine, uint64_t bytes);
void engine_message_free(struct engine *engine, struct message *message);

/*
 * outbox.c: puts a descriptor into an inbox; false if that is full.  Its
 * payload is crossed if there is as much coming for this process at the same
 * time.
 */
bool engine_put(struct engine *engine, uint32_t to,
		const struct board_cell *head, const void *payload,
		uint64_t n_payload, bool crossed);
/* The same, whenever there is room; without payload. */
void engine_tell(struct engine *engine, uint32_t to,
		 const struct board_cell *head);
/* The same; with the payload of the send that it is for, unless NULL. */
void engine_tell_later(struct engine *engine, uint32_t to,
		       const struct board_cell *head, struct op *op);
/* Whether nothing waits for room there: else all has to wait behind it. */
bool engine_outbox_is_empty(struct engine *engine, uint32_t to);
void engine_flush(struct engine *engine);
void engine_local_add(struct engine *engine);
void engine_local_remove(struct engine *engine);

bool engine_token_try(struct engine *engine);
void engine_token_take(struct engine *engine);
void engine_token_give(struct engine *engine);

static inline void op_list_clear(struct op_list *list)
{
	list->first = NULL;
	list->end = &list->first;
}

static inline void op_list_add(struct op_list *list, struct op *op)
{
	op->next = NULL;
	*list->end = op;
	list->end = &op->next;
}

static inline void op_list_add_first(struct op_list *list, struct op *op)
{
	op->next = list->first;
	if (!list->first)
		list->end = &op->next;
	list->first = op;
}

static inline struct op *op_list_take(struct op_list *list)
{
	struct op *op = list->first;

	if (!op)
		return NULL;
	list->first = op->next;
	if (!list->first)
		list->end = &list->first;
	return op;
}

#endif
