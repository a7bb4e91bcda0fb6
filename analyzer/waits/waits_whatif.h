/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_WAITS_WHATIF_H
#define BCS_WAITS_WHATIF_H

#include "analyzer/waits/waits_idle.h"

/*
 * Computes the gain of a run if blocking calls at some places were nonblocking.
 * Each case is a set of such places.  While the traces are read, each thread
 * carries for each case by how much it would be ahead.  A call that needs
 * another rank's call is ahead by no more than that one's begin allows.
 */
#define WAITS_CASES   24
#define WAITS_CHANGES 16

enum waits_change_kind {
	/*
	 * Its wait moves before the next call of the place.  Calls of a place
	 * in a row count as one.
	 */
	WAITS_CHANGE_SEND,
	/* The post moves to the end of the call before it of the place. */
	WAITS_CHANGE_RECEIVE,
	/* Its wait moves before the thread's next call. */
	WAITS_CHANGE_ALL,
};

#define WAITS_UNKNOWN UINT64_MAX

struct waits_change {
	uint32_t place;
	enum waits_change_kind kind;
	/*
	 * By rank: its wait moves behind so many ns of computation.
	 * WAITS_UNKNOWN, and ranks that have none: as the kind has it.
	 */
	const uint64_t *within;
	uint64_t n_ranks;
};

struct waits_case {
	uint32_t changes; /* a bit for each of whatif.changes */
	/*
	 * False: only waiting is overlapped.  True: calls cost nothing, and
	 * wait for nothing but the data that they receive.  No conversion can
	 * gain more.
	 */
	bool free;
	/* Sends have buffers of their own: no use of a buffer binds them. */
	bool apart;
};

struct waits_whatif {
	/*
	 * A scheduler carries messages in slices: what a call takes once the
	 * others are there passes beside the computation, too.
	 */
	bool in_slices;
	/* Where there are more ranks than cores, the cores of a host; or 0. */
	uint64_t cores;
	/* Bound the gains of the cases that are not `free`, and of those that
	 * are. */
	struct waits_idle *idle;
	struct waits_idle *idle_free;
	struct waits_change changes[WAITS_CHANGES];
	unsigned n_changes;
	struct waits_case cases[WAITS_CASES];
	unsigned n_cases;
	/* The results.  A case gains at most so much. */
	uint64_t most;
	uint64_t most_free;
	uint64_t end;               /* of the run */
	uint64_t ends[WAITS_CASES]; /* what it would be */
};

/* Before the traces are read, and after that. */
void waits_whatif_open(struct waits_whatif *whatif);
void waits_whatif_close(struct waits_whatif *whatif);
/* The thread is about to begin a call.  Without a whatif it does nothing. */
void waits_whatif_before(struct waits_whatif *whatif,
			 struct waits_thread *thread);
/* It has begun it. */
void waits_whatif_call(struct waits_whatif *whatif,
		       const struct waits_ref *ref);
/* The thread has made its last call. */
void waits_whatif_end(struct waits_whatif *whatif, struct waits_thread *thread,
		      bool finalized);

#endif
