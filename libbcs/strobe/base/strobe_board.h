/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_STROBE_BOARD_H
#define BCS_STROBE_BOARD_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libbcs/base/match.h"
#include "libbcs/base/tuning.h"

/*
 * The memory that the processes of a node share under the strobe.  Each process
 * has a slot.  In it are a ring of descriptors that it posts, a ring of orders
 * from the node's leader, event words, and an arena for payloads.  Places in
 * the memory are offsets, since processes have it at different addresses; 0 is
 * no place.
 */
#define STROBE_LINE 64u

/* In the place of a slot: what came from another node is the leader's. */
#define STROBE_REMOTE UINT32_MAX

enum strobe_kind {
	STROBE_SEND,
	STROBE_RECV,
	STROBE_TAKEN, /* a receive of the message that a probe took */
	STROBE_PROBE,
	STROBE_CANCEL,
	STROBE_COLL,
	STROBE_GIVE_UP, /* of a collective that waits in vain */
};

/* A process posts it.  It carries the slice in which it was posted. */
struct strobe_descriptor {
	/* Once it is taken: by which one, as schedules count them. */
	uint64_t slice;
	uint64_t held; /* a schedule's: until this slice, and 1; 0: it is not */
	uint8_t kind;
	/* A send whose payload lies at `block`; or who of a collective needs
	 * nothing of the others, and left its share there. */
	bool eager;
	bool waits;     /* a probe: for a message; else it asks once */
	bool takes;     /* a probe: no other receive gets the message */
	uint32_t to;    /* a send: its slot; of another node, behind them */
	uint64_t nodes; /* a collective: those it spans, a bit for each */
	uint64_t op;    /* what its owner knows it by */
	uint64_t about; /* TAKEN: the message; CANCEL, GIVE_UP: whose op */
	uint64_t address;
	uint64_t bytes;
	uint64_t block;
	uint64_t path; /* a send: its sender's path clock (mds/mmds/path.h) */
	struct match_key key; /* a collective: the tag is its number */
	uint32_t signature;   /* as struct op has it */
	uint32_t site;        /* a send: its sender's place (mds/mmds/path.h) */
	/* A collective's: */
	uint32_t first; /* its rank 0, in the world */
	uint32_t here;  /* so many of its processes are on the poster's node */
	int32_t rank;
	int32_t size;
	bool reduces;
	/* A reduction that is folded on each node first.  The nodes that get
	 * this node's sum, or this node if it gets sums only. */
	uint64_t sums_to;
	uint32_t sums_below; /* sums of other nodes that come here */
	bool sums;           /* the node makes a sum */
	uint8_t merges;      /* steps until it adds others' sums to it; or 0 */
};

enum strobe_order_kind {
	STROBE_COPY, /* a part of a message into a receive */
	STROBE_PUSH, /* the sender writes pieces of such a part */
	STROBE_DONE,
	STROBE_FOUND, /* the answer of a probe */
	STROBE_MOVE,  /* a collective: fetch what the others have */
	STROBE_SUM,   /* a reduction: fold what this node has */
	STROBE_MERGE, /* a reduction: add other nodes' sums to that */
	STROBE_FOLD,
	STROBE_KEEP, /* a reduction: the result goes to its place */
	STROBE_FAIL, /* a collective does not fit the others' */
};

/* The leader orders a process to do this. */
struct strobe_order {
	uint64_t slice;
	uint8_t kind;
	bool last;     /* the operation is done with it */
	bool frees;    /* the block goes back */
	uint8_t split; /* COPY, PUSH: of the receiver's, and 1; 0: of none */
	/* Slot that has the bytes, or STROBE_REMOTE; PUSH: that gets them. */
	uint32_t from;
	int32_t error;
	int32_t source;
	int32_t tag;
	uint32_t signature; /* of a message, as struct op has it */
	uint32_t site;      /* of a message: its sender's place */
	uint64_t op;
	uint64_t address; /* of the bytes there, or */
	uint64_t block;   /* in the shared memory, */
	uint64_t skip;    /* behind so many there; */
	uint64_t begin;   /* of the receive's buffer */
	uint64_t to;      /* PUSH: address there */
	uint64_t bytes;
	uint64_t got;     /* of the whole message */
	uint64_t path;    /* likewise: the sender's path clock */
	uint64_t whole;   /* likewise: if it does not fit, its bytes */
	uint64_t message; /* that a probe took */
};

/* Blocks that others gave back: a stack that its owner takes as a whole. */
struct strobe_returned {
	_Alignas(STROBE_LINE) _Atomic uint64_t first;
};

/*
 * Bytes that this process needs of another, whose memory it may not read: the
 * other copies them here (strobe_lend.c).
 */
struct strobe_loan {
	_Alignas(STROBE_LINE) _Atomic uint32_t state;
	uint32_t from;
	uint32_t n;
	uint64_t address;
	unsigned char bytes[STROBE_LOAN];
};

/* A ring of descriptors: one process posts, the leader seals and takes. */
struct strobe_ring {
	/* Seals so far, and descriptors: 32 bits each. */
	_Alignas(STROBE_LINE) _Atomic uint64_t tail;
	_Alignas(STROBE_LINE) _Atomic uint32_t taken;
	/* The leader's: where it sealed last, before that, and once more. */
	uint32_t end;
	uint32_t before;
	uint32_t sure;
	struct strobe_descriptor descriptors[STROBE_RING];
};

/* A copy that its sender and its receiver share, piece by piece. */
struct strobe_split {
	_Alignas(STROBE_LINE) _Atomic uint64_t taken; /* bytes, by either */
	_Atomic uint64_t refused; /* a piece that cannot be written, and 1 */
	_Atomic uint32_t writing; /* the sender */
};

/* A message that came before its receive: only the leader writes it. */
#define STROBE_LEFT 8u
struct strobe_left {
	_Atomic uint64_t work; /* the leader's; 0: none is here */
	_Atomic uint32_t context;
	_Atomic int32_t source;
	_Atomic int32_t tag;
	_Atomic int32_t world; /* of its sender */
};

/*
 * The work of a slice is done, and is shown when the next slice begins by the
 * clock.  `over`: up to here descriptors were taken by it or by slices before.
 * Both are counted modulo 2^32.
 */
struct strobe_end {
	uint32_t slice;
	uint32_t over;
};

/* The helpers of a process. */
enum strobe_helpers {
	STROBE_DH, /* DMA Helper */
	STROBE_CH, /* Collective Helper */
	STROBE_RH, /* Reduce Helper */
	STROBE_HELPERS
};

struct strobe_slot {
	struct strobe_ring ring;

	/* By the leader: what the last two slices did that concern the process
	 * (strobe_end), by turns; and a word that changes with whatever
	 * concerns it. */
	_Alignas(STROBE_LINE) _Atomic uint64_t ends[2];
	_Atomic uint32_t event;
	_Atomic uint32_t helper; /* the same, for its helper thread */
	_Atomic uint32_t given;  /* orders, so far */
	_Atomic uint32_t moves;  /* 1: messages from or to it are under way */
	/* At a known state: messages that no receive has taken. */
	_Atomic uint32_t messages;
	/* By the process: */
	_Alignas(STROBE_LINE) _Atomic uint32_t blocked; /* its threads */
	_Atomic uint32_t done;                          /* orders */
	_Atomic uint32_t stopped; /* the state word that it has followed */
	_Atomic uint32_t gone;    /* it does not stop any more */
	/* When a schedule is repeated: the slice of what it posts next. */
	_Atomic uint64_t next;
	/* Ticks that its helpers worked in this slice, if that is recorded.
	 * The leader takes them when all orders are done. */
	_Atomic uint64_t worked[STROBE_HELPERS];
	int32_t pid;
	uint32_t world;  /* its number among all processes */
	uint64_t copies; /* so many bytes in a slice, if the budget is measured
			  */
	uint64_t probe;  /* where others try to read, and what they find */
	uint64_t probe_word;
	struct strobe_returned returned;
	struct strobe_order orders[STROBE_ORDERS];
	/* Another process asks this one for a loan. */
	_Alignas(STROBE_LINE) _Atomic uint32_t asked;
	struct strobe_loan loan;
	/* For copies to this process; the leader hands them out. */
	struct strobe_split splits[STROBE_SPLITS];
	/* Some of the messages that have no receive, for people who ask why. */
	struct strobe_left left[STROBE_LEFT];
};

/* All processes look at these words. */
struct strobe_head {
	_Alignas(STROBE_LINE) _Atomic uint32_t armed; /* a futex */
	/* The last slice that sealed the rings. */
	_Alignas(STROBE_LINE) _Atomic uint64_t sealed;
	/* The leader sleeps until orders are done. */
	_Alignas(STROBE_LINE) _Atomic uint32_t awaits;
	_Atomic uint32_t progress;       /* a futex */
	struct strobe_returned returned; /* the leader's own blocks */

	/* For a known state (strobe_stand.c).  A process asks: */
	_Alignas(STROBE_LINE) _Atomic uint32_t wanted;
	/* By the leader: rounds so far, and enum strobe_stopping in the two
	 * lowest bits.  A futex. */
	_Atomic uint32_t state;
	_Atomic uint32_t
		reached; /* the last round in which all stopped, and 1 */
	_Atomic uint64_t boundary; /* the slice before which they stopped */

	_Atomic uint32_t recorded; /* the leader has a record of slices */

	/* A schedule is repeated (strobe_again.c); and it does not fit. */
	_Atomic uint32_t again;
	_Atomic uint32_t unfit;
};

/* Orders to all processes of the node, in strobe_head.state. */
enum strobe_stopping {
	STROBE_RUNS,
	STROBE_STOPS, /* stop in their next call, or in this one */
	STROBE_CALLS, /* all have stopped: call the hooks */
};
#define STROBE_STOPPING 3u

/*
 * strobe_ring.c.  Posts by one thread of the process at a time, which has seen
 * that there is room.  The descriptor's slice is the number by the clock, and
 * at least that of the last seal afterwards.
 */
void strobe_ring_post(struct strobe_ring *ring, _Atomic uint64_t *sealed,
		      struct strobe_descriptor *descriptor);
/*
 * By the leader, after it set the sealed slice: what is posted from here on
 * carries at least that.  Returns how far descriptors have to be looked at.
 */
uint32_t strobe_ring_seal(struct strobe_ring *ring);
/*
 * The oldest, if it was posted before the slice; or NULL.  Clocks of nodes
 * drift apart, and a clock that is ahead stamps too late.  So a descriptor that
 * was there two seals ago counts as older, whatever its stamp is.
 */
const struct strobe_descriptor *strobe_ring_next(struct strobe_ring *ring,
						 uint32_t end, uint64_t slice);
void strobe_ring_take(struct strobe_ring *ring);
/* Before that: its owner will know which slice took it. */
void strobe_ring_took(struct strobe_ring *ring, uint64_t slice);
bool strobe_ring_is_empty(struct strobe_ring *ring);

#endif
