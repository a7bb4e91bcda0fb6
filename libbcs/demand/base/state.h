/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_DEMAND_STATE_H
#define BCS_DEMAND_STATE_H

/*
 * The engine's state, which all rooms of demand/ use.  The functions that run
 * the engine are above: engine.h.
 */
#include "libbcs/base/tuning.h"
#include "libbcs/demand/base/op.h"
#include "libbcs/demand/net/net.h"
#include "mds/emds/emds.h"

/* First in, first out; coll.h. */
struct coll_list {
	struct coll *first;
	struct coll **end;
	_Atomic uint32_t n; /* how many; others look, without the token */
};

/* A message that came before its receive. */
struct message {
	struct match_message match;
	struct board_cell head;
	unsigned char *payload;
	unsigned char few[64];
};

/* A descriptor that waits for room in an inbox. */
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
	_Atomic uint64_t head;       /* of the inbox, as last seen */
	_Atomic bool receiver_waits; /* who took the last offer waited for it */
	uint32_t n_offers;           /* of messages, that are not done */
	_Atomic uint64_t deferred_since; /* a wake of its helper; ticks, or 0 */
	struct tuner_turns turns[2][BOARD_SIZES]; /* as there are tuners */
	_Atomic uint32_t n;
};

struct engine_options {
	uint64_t budget; /* bytes of a large message that are copied at once */
	bool crowded;    /* more processes than cores */
	/*
	 * Called now and then while a thread waits.  Returns true if it moved
	 * anything.
	 */
	bool (*poke)(void); /* or NULL */
	/*
	 * True if `poke` may be needed at any moment, so that nobody may sleep.
	 */
	bool (*must_poke)(void); /* or NULL */
	/* Called once when a thread begins to wait; or NULL. */
	void (*meanwhile)(void);
	/* A thread begins to wait in vain, or ends to; or NULL. */
	void (*idle)(bool begins);
	/*
	 * Called again and again before a thread gives up its core for long,
	 * while `ready` of engine_wait_until is false.  `first`: something
	 * moved since the last call.  Or NULL.
	 */
	void (*blocked)(bool first, bool (*ready)(void *arg), void *arg);
	struct emds *emds; /* takes what slices did; or NULL */

	/* Zero if there are no other nodes: */
	uint32_t world;             /* my number among all processes; */
	struct board_slot *gateway; /* takes what is for other nodes, */
	struct board_slot *leader;  /* of whose process this sees to it */
	struct net *net;            /* the leader's */
	const struct remote_ops *remote;
};

#define ENGINE_ALL UINT32_MAX

/*
 * An operation is done soon if a copy of at most this many bytes is under way
 * for it.  MPICH would make such a copy within a test.
 */
#define ENGINE_SOON (UINT64_C(1) << 20)

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
	struct outbox *outboxes;   /* by slot; the gateway's is the last */
	struct outbox *full;       /* those with something left */
	_Atomic bool has_deferred; /* a wake of one of them */
	struct tuner_turns turns[BOARD_TUNERS][2]
				[BOARD_SIZES]; /* collectives' */
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

	/* The slice under way, and the descriptors that it took. */
	uint64_t slice;
	struct board_cell *cells[ENGINE_BATCH];
	unsigned n_cells;

	/*
	 * The peer that sent last, which a thread mostly waits for.
	 * ENGINE_ALL: threads wait for all processes of a collective.
	 */
	_Atomic uint32_t from;

	int32_t remote_tag; /* of the last large message from another node */

	uint32_t page_sets; /* that no communicator has, a bit for each; */
	struct pages *left_pages; /* and those that others may still read */

	struct helper *helper;

	/* For the record of slices (slice.c): what is not in it yet, */
	struct emds_row row;
	_Atomic uint64_t poking; /* and was counted without the token; */
	_Atomic uint64_t missed;
	uint64_t looked; /* when who is blocked was looked up */
	unsigned blocked;
};

/*
 * Peers of this node have the number of their slot.  Peers of other nodes
 * follow, by their number in the world.
 */
static inline bool engine_is_local(const struct engine *engine, uint32_t peer)
{
	return peer < engine->n_slots;
}

/* True if large messages within this node may go by streams. */
static inline bool engine_streams(const struct engine *engine)
{
	return !engine->options.crowded;
}

/* Moves messages between nodes; true if anything moved.  Needs no token. */
static inline bool engine_remote(struct engine *engine)
{
	return engine->options.net && net_turn(engine->options.net);
}

/* True if messages between nodes are under way.  Needs no token. */
static inline bool engine_is_left_remote(const struct engine *engine)
{
	return engine->options.net && net_has_work(engine->options.net);
}

/* Counts work that a slice would do, beside descriptors in the inbox. */
static inline void engine_local_add(struct engine *engine)
{
	atomic_fetch_add_explicit(&engine->local, 1, memory_order_relaxed);
}

static inline void engine_local_remove(struct engine *engine)
{
	atomic_fetch_sub_explicit(&engine->local, 1, memory_order_relaxed);
}

#endif
