/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_OP_H
#define BCS_OP_H

/*
 * Sends and receives, lists of them, and the part that a collective shares with
 * its own.
 */
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "libbcs/base/board.h"
#include "libbcs/base/match.h"

struct engine;
struct op;
struct p2p_protocol;

enum op_kind { OP_SEND, OP_RECV };

/*
 * A piece of a large message between nodes, which MPI moves.  Sender and
 * receiver each post their part, with a tag that both know.
 */
struct remote_piece {
	int64_t handle;
	uint64_t bytes; /* 0: none is */
	int32_t tag;
};

struct remote_ops {
	/* These two return 0 or -errno. */
	int (*begin)(struct remote_piece *piece, enum op_kind kind, void *at,
		     uint32_t world);
	int (*test)(struct remote_piece *piece, bool *is_done);
};

/* A collective, as its operations see it; coll.c fills it in. */
struct op_coll {
	/* Called with the token when one of the operations is done. */
	void (*part_done)(struct engine *engine, struct op *op);
	uint32_t context;
	bool in_background; /* nobody may be waiting for it */
	bool folds;         /* what is received is reduced */
	struct tuner_run
		all; /* of its messages that go both ways (p2p_choose.c) */
};

/* A message that is offered, as one of its sides sees it (p2p_offer.c). */
struct op_offer {
	/*
	 * The protocol that moves this side's bytes, unless they are streamed.
	 */
	const struct p2p_protocol *protocol;
	uint64_t address;    /* of the buffer at the other side */
	uint64_t their_op;   /* the other side's operation */
	uint64_t length;     /* bytes: where the part of this side ends */
	uint64_t moved;      /* bytes: how far it is */
	uint8_t parts;       /* parts that are not done yet */
	bool receiver_waits; /* a receive: its process waited for it */
};

/* The part of an offered message that is in a stream (p2p_stream.c). */
struct op_stream {
	uint64_t begin;
	uint64_t end;
};

/* A message that both sides wait for (p2p_choose.c); the receiver's. */
struct op_both {
	/* Ticks: when it might have begun, if the sender has one to read. */
	uint64_t ready;
	struct tuner_run run; /* a copy or a stream that is timed */
};

/*
 * A send or a receive.  The caller provides it and keeps it until it is done.
 * The fields on the way of an eager message share two cache lines.
 */
struct op {
	/* Written last by the engine: error and outcome are valid then. */
	_Atomic uint32_t done;
	enum op_kind kind;
	/*
	 * 0 or -errno: -EMSGSIZE if the message was longer.  A positive error
	 * is the signature of a message that differs from its receive's.
	 */
	int error;
	bool synchronous;
	bool both_ways;       /* each side has as much for the other */
	_Atomic bool landing; /* a receive: its copy is under way */
	uint32_t peer;        /* slot; of another node, see engine_is_local */

	struct match_key key;
	unsigned char *buf;
	uint64_t bytes;       /* of the buffer */
	struct op_coll *coll; /* that it is a part of; or NULL */
	/*
	 * In a collective: odd, and the same at both sides.  In a message:
	 * stands for the type of the elements, even and below 2^31; 0 fits all.
	 */
	uint32_t signature;

	/* The outcome of a receive. */
	int32_t source;
	int32_t tag;
	uint32_t site; /* the sender's place (path.h); 0: unknown */
	uint64_t got;
	uint64_t path; /* the sender's path clock; of a part, to be sent, too */

	/* The engine's. */
	struct op *next;
	struct board_cell *cell; /* what it was matched with: one of them */
	struct message *message;
	struct match_recv recv;
	/* By the strobe: the slice with whose end it is done. */
	_Atomic uint64_t due;
	/* A receive, timed from its match: inline or offered (p2p_tune.c). */
	struct tuner_run arrival;
	struct op_offer offer;
	struct op_stream stream;
	struct op_both both;
	struct remote_piece remote; /* p2p_remote.c */
	uint64_t whole;             /* with -EMSGSIZE: bytes of the message */
};

/* First in, first out. */
struct op_list {
	struct op *first;
	struct op **end;
};

static inline bool op_is_done(struct op *op)
{
	/* Orders the word before the outcome and the buffer. */
	return atomic_load_explicit(&op->done, memory_order_acquire);
}

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
