/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_BOARD_H
#define BCS_BOARD_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "libbcs/base/board_blocked.h"
#include "libbcs/base/copy.h"
#include "libbcs/base/stream.h"
#include "libbcs/base/tuner.h"
#include "libbcs/base/tuning.h"

/*
 * Memory that the processes of a node share.  Each process has a slot, and in
 * it the inbox for its descriptors.  The Buffer Senders of other processes put
 * them in, the Buffer Receiver of the owner takes them out.
 *
 * An inbox is a ring of cache lines.  A descriptor takes as many consecutive
 * lines as its payload needs.  A sender reserves them by moving `tail`, and
 * shows them by the first word of the first line.  The owner zeroes the first
 * word of each line, so that no old payload looks like a descriptor.  Then it
 * gives the lines back by moving `head`.  Both count lines from the start and
 * never wrap.
 *
 * Zeroing a line fetches it from the sender's cache, and later stores wait for
 * that.  So lines are zeroed when there is nothing else to do, or when they are
 * given back.
 */
#define BOARD_LINE 64u

enum board_kind {
	BOARD_PAD,   /* nothing: the end of the ring was too near */
	BOARD_EAGER, /* a message, all of it */
	BOARD_SYNC,  /* the same, and its sender waits until it is received */
	BOARD_OFFER, /* a message, whose bytes are at `address` of its sender */
	BOARD_TAKEN, /* to the sender: its message was copied, or matched */
	BOARD_WRITE, /* to the sender: write the bytes to `address` yourself */
	BOARD_SHARE, /* to the sender: a part of them */
	BOARD_STREAM,  /* to the sender: put a part into your stream */
	BOARD_PUSH,    /* to the sender: send the bytes through the board */
	BOARD_BY_MPI,  /* to the sender: MPI moves the bytes */
	BOARD_PART,    /* to the receiver: a part of them */
	BOARD_WRITTEN, /* to the receiver: they are all there, */
	BOARD_REST,    /* or as far as `begin`, and it has to see to the rest */
	BOARD_REMOTE,  /* to the gateway: a descriptor for another node (net.c)
			*/
};

/*
 * A descriptor with a large payload is shown early, with the bytes that fit
 * into its first line.  The rest follows in pieces.  After each piece comes a
 * line whose first word, zero until then, tells that the piece is there.  So
 * the receiver copies one piece while the sender writes the next.
 */
#define BOARD_EARLY (UINT32_C(1) << 31)

/* The head of a descriptor; its payload follows in the same line. */
struct board_cell {
	_Atomic uint32_t lines; /* that it takes; 0: not there yet */
	uint32_t kind : 4;
	uint32_t from : 28; /* as the engine's peers are counted */
	uint32_t context;
	int32_t source; /* as the receiver's matching knows the sender */
	int32_t tag;
	uint32_t error; /* errno of whoever copied; a message's signature */
	/* Of the message, or of the payload: an address has 47 bits. */
	uint64_t bytes : 48;
	uint64_t site : 16; /* of a message: the sender's (path.h) */

	union {
		uint64_t address;
		uint64_t eager_path; /* of those two: the sender's (path.h) */
	};
	uint64_t sender_op; /* what sender and receiver call the transfer */
	uint64_t receiver_op;
	union {
		uint64_t begin; /* of a part, of which `bytes` is the end */
		uint64_t offer_path; /* of BOARD_OFFER: the sender's */
	};
};

/*
 * The last collective calls of a process, so that another which waits for one
 * in vain can see what was called in its place.
 */
#define BOARD_CALLS 64

struct board_call {
	_Alignas(BOARD_LINE) uint32_t context;
	int32_t number;     /* in its communicator */
	uint32_t signature; /* of it and all before it, odd; 0: none */
	int32_t root;
	uint64_t bytes;
	uint64_t site; /* in the memory of the process */
	uint32_t op;
	uint32_t seal; /* of the first three: two threads may have written */
	uint32_t name; /* which of MPI's calls, as the caller counts them */
	uint8_t out;   /* classes of what it gives and takes; 0: unknown */
	uint8_t in;
};

/* A process's part of the small collectives of a communicator (pages.h). */
#define BOARD_PAGES 2 /* nobody is further ahead of another */

struct board_page {
	/* The communicator's context, and which collective there, from 1. */
	_Alignas(BOARD_LINE) _Atomic uint64_t shown;
	uint32_t signature;
	uint64_t path; /* of its owner, when it was written (path.h) */
	_Alignas(16) unsigned char part[BOARD_PAGE_BYTES];
};

struct board_pages {
	/* The last context that its owner left. */
	_Alignas(BOARD_LINE) _Atomic uint32_t left;
	struct board_page pages[BOARD_PAGES];
	/* Broadcasts that its owner is done with, as a page shows them. */
	_Alignas(BOARD_LINE) _Atomic uint64_t heard;
	struct board_page bcasts[BOARD_BCASTS];
};

#define BOARD_TUNERS 8 /* of peers or communicators, which may share one */
#define BOARD_SIZES  8 /* of messages: up to 16 KiB, 32 KiB ... 1 MiB, above */

struct board_slot {
	/* Changes only when its owner goes to sleep or wakes, or is behind. */
	_Alignas(BOARD_LINE) _Atomic uint32_t asleep;
	int32_t pid;
	_Atomic uint32_t backlog; /* much came that nobody received yet */
	uint64_t probe; /* where others try to read, and what they find */
	uint64_t probe_word;

	/* Where it last waited, from 1; wait.c, spread.c. */
	_Alignas(BOARD_LINE) _Atomic int32_t core;
	_Atomic uint32_t willing; /* to leave it; pair.c */
	_Atomic uint32_t yields;  /* is in sched_yield(); spread.c */

	/* Changes as its owner's threads come and go, */
	_Alignas(BOARD_LINE) _Atomic uint32_t blocked;
	/* and when its helper is called, until what came then is taken. */
	_Atomic uint32_t called;

	_Alignas(BOARD_LINE) _Atomic uint32_t helper; /* helper.c */
	_Atomic uint32_t helper_runs; /* or waits for a core, if it is awake */
	_Atomic uint32_t lent;        /* a core, to the helper */
	_Atomic uint64_t woken;       /* ticks: when it was to be, last */
	_Atomic int32_t helper_tid;   /* 0: it takes none */

	_Alignas(BOARD_LINE) _Atomic uint64_t tail;
	_Alignas(BOARD_LINE) _Atomic uint64_t head;
	struct board_call calls[BOARD_CALLS];
	struct board_pages page_sets[BOARD_PAGE_SETS];
	/*
	 * Above BOARD_INLINE bytes: copies and streams.  Below: messages in
	 * descriptors and offers.  The second row is of messages that go both
	 * ways (p2p_choose.c).
	 */
	struct tuner tuners[BOARD_TUNERS][2][BOARD_SIZES];
	/*
	 * The tuners of exchanges and of reductions, in the node's first slot.
	 */
	struct tuner coll_tuners[BOARD_TUNERS][2][BOARD_SIZES];
	struct stream stream;
	_Alignas(BOARD_LINE) struct board_blocked waits;
	_Alignas(BOARD_LINE) unsigned char ring[BOARD_LINES][BOARD_LINE];
};

/* A thread of its process waits, and takes what comes. */
static inline bool board_is_blocked(const struct board_slot *slot)
{
	return atomic_load_explicit(&slot->blocked, memory_order_relaxed) != 0;
}

/*
 * Offset of the payload.  A message's payload begins where other descriptors
 * have addresses.
 */
static inline uint64_t board_head(uint8_t kind)
{
	switch (kind) {
	case BOARD_REMOTE:
		return offsetof(struct board_cell, address);
	case BOARD_EAGER:
		return offsetof(struct board_cell, sender_op);
	case BOARD_SYNC:
		return offsetof(struct board_cell, receiver_op);
	default:
		return sizeof(struct board_cell);
	}
}

static inline uint32_t board_lines(uint8_t kind, uint64_t payload)
{
	return (uint32_t)((board_head(kind) + payload + BOARD_LINE - 1) /
			  BOARD_LINE);
}

/*
 * A slot for a process that is alone: MPI has shared memory for several only.
 * Its pages are taken as they are used.  NULL if there is no memory; freed by
 * board_memory_free().
 */
struct board_slot *board_alone(void);

static inline struct board_cell *board_at(struct board_slot *slot, uint64_t at)
{
	return (struct board_cell *)slot->ring[at % BOARD_LINES];
}

static inline bool board_is_message(const struct board_cell *cell)
{
	return cell->kind == BOARD_EAGER || cell->kind == BOARD_SYNC ||
	       cell->kind == BOARD_OFFER;
}

/* True for a message of a collective. */
static inline bool board_is_of_coll(const struct board_cell *cell)
{
	return board_is_message(cell) && cell->error & 1;
}

/* Index of a message's size among BOARD_SIZES. */
static inline unsigned board_size(uint64_t bytes)
{
	unsigned size = 0;

	while (size < BOARD_SIZES - 1 && bytes > UINT64_C(16384) << size)
		size++;
	return size;
}

static inline struct tuner *board_tuner(struct board_slot *slot, uint32_t peer,
					bool both_ways, uint64_t bytes)
{
	return &slot->tuners[peer % BOARD_TUNERS][both_ways][board_size(bytes)];
}

static inline void *board_payload(const struct board_cell *cell)
{
	return (unsigned char *)(uintptr_t)cell + board_head(cell->kind);
}

/*
 * Room for a descriptor in an inbox, or NULL if it is full.  `*head` is the
 * inbox's `head` as the caller last saw it.  An old value is read anew.
 * board_show shows the descriptor once it is written.
 */
struct board_cell *board_reserve(struct board_slot *slot, uint64_t *head,
				 uint32_t lines);

/* Writes all of a descriptor but the word that shows it. */
static inline void board_fill(struct board_cell *cell,
			      const struct board_cell *head,
			      const void *payload, uint64_t n)
{
	const size_t shown = sizeof(cell->lines);

	memcpy((char *)cell + shown, (const char *)head + shown,
	       board_head(head->kind) - shown);
	if (n)
		copy_away((char *)cell + board_head(head->kind), payload, n);
}

static inline void board_show(struct board_cell *cell, uint32_t lines)
{
	/* Orders the descriptor before the word that shows it. */
	atomic_store_explicit(&cell->lines, lines, memory_order_release);
}

static inline uint32_t board_lines_of(const struct board_cell *cell)
{
	return atomic_load_explicit(&cell->lines, memory_order_relaxed) &
	       ~BOARD_EARLY;
}

/* The lines of a descriptor that is shown early. */
uint32_t board_lines_early(uint8_t kind, uint64_t payload);
/* Writes such a descriptor and shows it early. */
void board_write_early(struct board_cell *cell, const struct board_cell *head,
		       const void *payload, uint64_t n);
/* Waits, for a moment, until all of its payload is there. */
void board_await_end(const struct board_cell *cell);

static inline bool board_is_early(const struct board_cell *cell)
{
	return atomic_load_explicit(&cell->lines, memory_order_relaxed) &
	       BOARD_EARLY;
}

/* The sender's path clock, of a message. */
static inline uint64_t board_path(const struct board_cell *cell)
{
	return cell->kind == BOARD_OFFER ? cell->offer_path : cell->eager_path;
}

/* True if all of a descriptor's payload is there. */
bool board_is_whole(const struct board_cell *cell);

/*
 * Copies the first `n` bytes of a payload, each piece as soon as it is there.
 */
void board_read(const struct board_cell *cell, void *to, uint64_t n);

/* Call it before the lines are given back: the sender may still be writing. */
static inline void board_await(const struct board_cell *cell)
{
	if (board_is_early(cell))
		board_await_end(cell);
}

/* The owner's side: how far it took and gave back. */
struct board_inbox {
	struct board_slot *slot;
	_Atomic uint64_t at; /* relaxed: who looks without the token may miss */
	_Atomic uint64_t zeroed; /* likewise */
	uint64_t given;
};

/* The line that is `lines` after the next one. */
static inline struct board_cell *board_behind(struct board_inbox *inbox,
					      uint64_t lines)
{
	return board_at(inbox->slot,
			atomic_load_explicit(&inbox->at, memory_order_relaxed) +
				lines);
}

/* The descriptor there, or NULL. */
static inline struct board_cell *board_next(struct board_inbox *inbox,
					    uint64_t behind)
{
	struct board_cell *cell = board_behind(inbox, behind);

	/* Orders the word that shows a descriptor before the descriptor. */
	if (!atomic_load_explicit(&cell->lines, memory_order_acquire))
		return NULL;
	return cell;
}

/*
 * Whether something is there, without the token.  Another thread may be taking
 * the descriptor at this moment, and the line may be inside a payload.  Any
 * answer will do then, because the thread that gets the token looks again.
 */
__attribute__((no_sanitize("thread"))) static inline bool
board_peek(struct board_inbox *inbox)
{
	return atomic_load_explicit(&board_behind(inbox, 0)->lines,
				    memory_order_relaxed) != 0;
}

/* Gives back all lines that are free. */
void board_give_back(struct board_inbox *inbox);

/* Frees the oldest `lines` lines.  They are zeroed and given back later. */
static inline void board_done(struct board_inbox *inbox, uint32_t lines)
{
	const uint64_t at = atomic_load_explicit(&inbox->at,
						 memory_order_relaxed) +
			    lines;

	atomic_store_explicit(&inbox->at, at, memory_order_relaxed);
	if (at - inbox->given >= BOARD_GIVE_BACK)
		board_give_back(inbox);
}

/* Zeroes the lines that are free. */
void board_tidy(struct board_inbox *inbox);

static inline bool board_is_tidy(struct board_inbox *inbox)
{
	return atomic_load_explicit(&inbox->zeroed, memory_order_relaxed) ==
	       atomic_load_explicit(&inbox->at, memory_order_relaxed);
}

#endif
