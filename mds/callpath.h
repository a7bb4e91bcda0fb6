/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_CALLPATH_H
#define BCS_CALLPATH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mds/callpath_rule.h"
#include "mds/pool.h"

/*
 * Call paths by walking the stack.  How the frame of a call is left depends on
 * the place in the code alone (callpath_rule.h) and is learnt once; a path is a
 * tree's node that has the path's next frame as a child, and remembers which it
 * was the last time.  So a step is two loads from the stack that do not wait
 * for each other, whatever the size of the frames, and no lock.
 *
 * Calls of a function by itself are one frame, however many there are: of at
 * most twice as many frames as a path may have, for behind those it ends.
 *
 * Where frames do not vary, a walk finds what the last one from its place
 * found.  So the words of the stack that decided that one are kept, and a call
 * that finds them unchanged does not walk.
 *
 * A cache belongs to one thread.  Paths have numbers from 1 on that are the
 * same in all threads of the process; 0 is the unknown path.
 */
struct mmds_cell;

/* What the owner of the cache keeps with a path: the cell last used from it. */
struct callpath_slot {
	uint64_t key;
	struct mmds_cell *cell;
	uint32_t path;
	uint8_t level; /* frames of the path, */
	bool used;     /* that it was found with, */
	bool outside;  /* of the libraries that are left out */
};

/* A path's last frame.  It fills a line of the processor's cache. */
struct callpath_node {
	struct pool_link link;
	uintptr_t ra;
	struct callpath_node *last; /* the child that came next last time */
	struct callpath_slot slot;
	struct callpath_rule rule;
	uint32_t number;
	uint32_t parent; /* 0: there is none */
};

_Static_assert(sizeof(struct callpath_node) == 64, "it is a line");

#define CALLPATH_FIRST 64
#define CALLPATH_SEEN  128
#define CALLPATH_WORDS 48

/* The words that a walk used, and where above its first frame they lay. */
struct callpath_memo {
	struct pool_link link;
	struct callpath_node *node; /* that it found */
	uint16_t at[CALLPATH_WORDS];
	uintptr_t is[CALLPATH_WORDS];
};

/* The last walk from a call and a frame address. */
struct callpath_seen {
	uintptr_t ra;
	uintptr_t fa;
	struct callpath_node *node; /* found when the memo did not do, */
	struct callpath_memo *memo;
	uint16_t n_words; /* of the memo; 0: it says nothing */
	uint8_t times;    /* that often in turn */
};

struct callpath_cache {
	uintptr_t low; /* the stack of the thread, as mapped */
	uintptr_t top;
	uintptr_t site; /* where the last call returns to */
	uint32_t changes;
	uint32_t cut; /* calls whose paths found no room */
	struct callpath_node *first[CALLPATH_FIRST];
	struct callpath_seen seen[CALLPATH_SEEN];
	struct callpath_slot unknown;
	struct pool nodes;
	struct pool memos;
	uint64_t slow_ticks; /* spent in learning */
};

/* For a thread that takes the cache, from that thread. */
void callpath_begin(struct callpath_cache *cache);

/* Code was unloaded: at its addresses there may be other code now. */
void callpath_code_gone(void);

/*
 * The slot of the path that leads to the calling function, which returns to
 * `ra` and has frame address `fa`.  Never NULL.
 */
struct callpath_slot *callpath_find(struct callpath_cache *cache, uintptr_t ra,
				    uintptr_t fa);

#endif
