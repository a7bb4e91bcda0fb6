/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_STROBE_STATE_H
#define BCS_STROBE_STATE_H

/* The state that the roles share; for the rooms of this folder alone. */
#include <pthread.h>

#include "libbcs/base/tuning.h"
#include "libbcs/core/core.h"
#include "libbcs/strobe/base/strobe_arena.h"
#include "libbcs/strobe/base/strobe_board.h"
#include "libbcs/strobe/strobe_engine.h"

/* Each process has so much shared memory; pages are taken as they are used. */
#define STROBE_ARENA (UINT64_C(64) << 20)
/* The leader's has what came from other nodes. */
#define STROBE_ARENA_REMOTE (UINT64_C(1) << 30)

/* In a collective a process has this for another. */
struct strobe_part {
	uint64_t address;
	uint64_t inlined; /* the same, so far behind the share; or 0 */
	uint64_t bytes;
};

/* In the shared memory, by each process of a collective. */
struct strobe_share {
	/* By the leader: a bit for each rank that has called lies there. */
	_Atomic uint64_t called;
	uint32_t slot;
	uint32_t n_parts; /* one for each rank, or one for all */
	uint64_t path;    /* the process's path clock (mds/mmds/path.h) */
	struct strobe_part parts[];
};

/* A schedule of slices that is recorded or repeated. */
struct strobe_schedules {
	bool is_there;
	struct strobe_again calls;
	uint32_t first; /* place in the ring of the first descriptor */
	uint64_t next;  /* when the next one is taken */
};

struct strobe {
	struct strobe_options options;
	struct emds *emds; /* or NULL */
	unsigned char *memory;
	struct strobe_head *head;
	struct strobe_slot *slot; /* mine */
	uint32_t n;
	uint32_t me;
	_Atomic uint32_t n_open; /* operations that are not done */

	/* Posting, by one thread at a time: */
	_Atomic uint32_t posting;
	struct strobe_arena arena;
	/* By place in the ring: one that is done when that is over; or 0. */
	uintptr_t eager[STROBE_RING];
	struct strobe_schedules again;

	_Atomic uint32_t stopping; /* held by the thread that stands still */

	/* By slot: 1 if its memory can be read, -1 if not, 0: unknown. */
	_Atomic signed char *reads;
	_Atomic uint32_t borrowing; /* held by the thread that does */

	/* The DMA Helper: */
	_Atomic uint32_t copying; /* held by the thread that is it */
	_Atomic uint32_t over;    /* descriptors, up to here */
	_Atomic uint32_t closed;  /* slices, up to this one */
	struct op_list closing;   /* done when their slice is over */
	struct coll_list colls;   /* likewise */
	struct coll_list callers; /* folds that only callers run */
	struct strobe_order split[STROBE_SPLITS]; /* senders may write them */
	uint32_t n_split;

	_Atomic bool ending;
	pthread_t helper;
	bool has_helper;
	struct strobe_leader *leader; /* of the first process */
};

static inline struct strobe_slot *strobe_slot(const struct strobe *strobe,
					      uint32_t i)
{
	const uint64_t head = (sizeof(struct strobe_head) + 4095) & ~4095ull;

	return (struct strobe_slot *)(strobe->memory + head) + i;
}

static inline void *strobe_at(const struct strobe *strobe, uint64_t place)
{
	return strobe->memory + place;
}

static inline uint64_t strobe_arenas_at(uint32_t n)
{
	return ((sizeof(struct strobe_head) + 4095) & ~4095ull) +
	       ((n * sizeof(struct strobe_slot) + 4095) & ~4095ull);
}

static inline bool strobe_is_local(const struct strobe *strobe, uint32_t peer)
{
	return peer < strobe->n;
}

/* The number in the world of a peer; and its node. */
static inline uint32_t strobe_world(const struct strobe *strobe, uint32_t peer)
{
	return strobe_is_local(strobe, peer) ? strobe_slot(strobe, peer)->world
					     : peer - strobe->n;
}

static inline uint32_t strobe_node(const struct strobe *strobe, uint32_t peer)
{
	return strobe_is_local(strobe, peer)
		       ? strobe->options.node
		       : rank_map_at(strobe->options.node_of, peer - strobe->n);
}

/* strobe_grid.c: the clock, in slices. */
uint64_t strobe_slice_now(const struct strobe *strobe);
uint64_t strobe_begin_of(const struct strobe *strobe, uint64_t slice);
/* Until it begins, to the microsecond if a core is free. */
void strobe_sleep_until(const struct strobe *strobe, uint64_t slice);

/* strobe_open.c: each ends an operation of this process. */
void strobe_op_done(struct strobe *strobe, struct op *op);
void strobe_coll_done(struct strobe *strobe, struct coll *coll);

/* strobe_memory.c: one thread of the process at a time takes blocks, and posts
 * descriptors. */
void strobe_posting_begin(struct strobe *strobe);
void strobe_posting_end(struct strobe *strobe);
/* So many bytes have to be left over. */
uint64_t strobe_block_get(struct strobe *strobe, uint64_t bytes,
			  uint64_t spare);
void strobe_block_put(struct strobe *strobe, uint64_t block);

/* strobe_wake.c: the first post arms the strobe. */
void strobe_arm(struct strobe *strobe);
/* Whether there are descriptors or a wish for a known state. */
bool strobe_has_posts(const struct strobe *strobe);
/* A thread of the process that waits looks, else its helper. */
void strobe_call(const struct strobe *strobe, struct strobe_slot *slot);
/* The leader may sleep until something is done. */
void strobe_tell_leader(const struct strobe *strobe);

/* strobe_budget.c: bytes that this process copies in a slice of that length;
 * and all processes of the node together. */
uint64_t strobe_budget_own(uint64_t slice_ns);
uint64_t strobe_budget_node(const struct strobe *strobe);

/* strobe_turn.c: the calling thread is its process's helper.  It gets short
 * turns on a core, and soon. */
void strobe_turn_helper(void);
extern __thread bool strobe_is_helper
	__attribute__((tls_model("initial-exec")));

static inline const struct strobe_share *
strobe_share(const struct strobe *strobe, const uint64_t *shares, int rank)
{
	return strobe_at(strobe, shares[rank]);
}

/* The part that `rank` has for this process. */
static inline const struct strobe_part *strobe_part(const struct strobe *strobe,
						    const uint64_t *shares,
						    int rank, int me)
{
	const struct strobe_share *share = strobe_share(strobe, shares, rank);

	return &share->parts[share->n_parts == 1 ? 0 : me];
}

#endif
