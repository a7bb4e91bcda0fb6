/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_CALLPATH_H
#define BCS_CALLPATH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mds/base/pool.h"
#include "mds/callpath/callpath_rule.h"

/*
 * Call paths by walking the stack.
 *
 * How to leave the frame of a call depends on its place in the code only
 * (callpath_rule.h), and is learnt once.  Paths form a tree.  A node is one
 * frame of a path, its children are the next frames, and it remembers the child
 * used last.  So a step takes no lock, and two loads from the stack that do not
 * wait for each other.
 *
 * Consecutive recursive calls of a function count as one frame.  A walk ends
 * after twice as many frames as a path may have.
 *
 * If the words of the stack that decided a walk are unchanged, the next walk
 * from the same place finds the same path.  Those words are kept (a memo).  A
 * call that finds them unchanged does not walk.
 *
 * A cache belongs to one thread.  Paths are numbered from 1, with the same
 * numbers in all threads of the process.  Number 0 is the unknown path.
 */
struct mmds_cell;

/* The cell that was last used from a path, kept by the cache's owner. */
struct callpath_slot {
	uint64_t key;
	struct mmds_cell *cell;
	uint32_t path;
	uint8_t level; /* number of frames of the path */
	bool used;     /* the path was called from */
	bool outside;  /* past the libraries that are left out */
	bool cut;      /* calls found no room for the next frame */
};

/* The last frame of a path.  It fills one cache line. */
struct callpath_node {
	struct pool_link link;
	uintptr_t ra;
	struct callpath_node *last; /* the child used last */
	struct callpath_slot slot;
	struct callpath_rule rule;
	uint32_t number;
	uint32_t parent; /* number of the parent; 0: none */
};

_Static_assert(sizeof(struct callpath_node) == 64, "it is a line");

#define CALLPATH_FIRST 64
#define CALLPATH_SEEN  128
#define CALLPATH_WORDS 48

/* The stack words that a walk used, and their places above its first frame. */
struct callpath_memo {
	struct pool_link link;
	struct callpath_node *node; /* the node that the walk found */
	uint16_t at[CALLPATH_WORDS];
	uintptr_t is[CALLPATH_WORDS];
};

/* The last walk from a call and a frame address. */
struct callpath_seen {
	uintptr_t ra;
	uintptr_t fa;
	struct callpath_node *node; /* the node found by the last full walk */
	struct callpath_memo *memo;
	uint16_t n_words; /* number of words in the memo; 0: no memo */
	uint8_t times;    /* how often in a row `node` was found */
};

struct callpath_cache {
	uintptr_t low; /* bounds of the thread's stack, as mapped */
	uintptr_t top;
	uintptr_t site; /* return address of the last call */
	uint32_t changes;
	uint32_t cut; /* calls whose paths found no room */
	struct callpath_node *first[CALLPATH_FIRST];
	struct callpath_seen seen[CALLPATH_SEEN];
	struct callpath_slot unknown;
	struct pool nodes;
	struct pool memos;
	uint64_t slow_ticks; /* time spent in learning */
};

/* Prepares a cache for the calling thread. */
void callpath_begin(struct callpath_cache *cache);

/* To be called when code was unloaded, since other code may take its
 * addresses. */
void callpath_code_gone(void);

/*
 * The slot of the path that leads to the calling function, which returns to
 * `ra` and has frame address `fa`.  Never NULL.
 */
struct callpath_slot *callpath_find(struct callpath_cache *cache, uintptr_t ra,
				    uintptr_t fa);

/*
 * The path that leads to an instruction of the calling thread, as if that were
 * a call; 0: unknown.  The registers are those that the thread had there.
 */
uint32_t callpath_interrupted(struct callpath_cache *cache, uintptr_t pc,
			      uintptr_t sp, uintptr_t fp);

/* A variable's place: in a frame of the stack, or in a file's data. */
struct callpath_place {
	uint32_t module;
	uint64_t offset; /* in the file: of the return address into a frame */
	uint64_t below;  /* so far below the frame's CFA; 0: it is data */
};

/*
 * The place of the variable at `at`, within a call whose wrapper has the frame
 * address `fa`.  False if it is of no variable, or that cannot be told.  Takes
 * a lock.
 */
bool callpath_place(const struct callpath_cache *cache, uintptr_t fa,
		    uintptr_t at, struct callpath_place *place);

#endif
