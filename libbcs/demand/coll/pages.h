/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_PAGES_H
#define BCS_PAGES_H

/*
 * Small collectives that block, on one node.  Each process writes its part
 * where all others can read it, and reads theirs in one pass, without a
 * descriptor.  Sums are folded in the order of messages (fold_order.h).
 * Between nodes, collectives go by messages.
 *
 * A communicator has a set of pages, of the same number at all its processes.
 * Where everybody waits for everybody, two pages take turns.  A process that
 * begins the collective after the next one has seen everybody in the next one,
 * so they are done with this one's page.  The root of a broadcast waits for
 * nobody.  It has some more pages.  If none is free, its messages go as all
 * others do (pages_bcast.c).  A number is given to another communicator when
 * all processes have left this one.
 */
#include <stdbool.h>
#include <stdint.h>

struct board_page;
struct board_slot;
struct coll;
struct engine;
struct rank_map;

struct pages_member {
	struct board_slot *slot;
	struct board_pages *pages; /* in it */
	uint32_t left; /* the context that it had left when this one began */
};

struct pages {
	struct engine *engine;
	struct pages *next;
	int rank;
	int size;
	uint32_t offered;
	uint32_t index;
	uint32_t context;
	uint32_t n;        /* collectives so far, but for broadcasts; */
	uint32_t n_bcasts; /* those, */
	uint32_t heard;    /* and how many all were done with, when last seen */
	bool by_messages;  /* the last one came so */
	struct pages_member members[];
};

/*
 * Pages for a communicator that is being made.  NULL if it cannot have any, for
 * example because a process is on another node.
 */
struct pages *pages_new(struct engine *engine, const struct rank_map *peers,
			int rank, int size);
/*
 * The numbers that this process has to give, a bit for each.  None are given to
 * two communicators at the same time.  NULL has none.
 */
uint32_t pages_offer(struct pages *pages);
/*
 * `common`: the numbers that all processes of the communicator offered.
 * `context` must never be another communicator's.  Returns the pages.  If no
 * number is left, frees them and returns NULL.
 */
struct pages *pages_settle(struct pages *pages, uint32_t common,
			   uint32_t context);
/* No collective of the communicator follows.  NULL is fine. */
void pages_leave(struct pages *pages);
/* When the engine stops: those that were left. */
void pages_free(struct engine *engine);

/*
 * Bytes that lie in one cache line with the word that shows them, and so arrive
 * with it.
 */
#define PAGES_LINE 32

/*
 * Writes this process's part.  Returns false if the collective does not go by
 * pages.
 */
bool pages_write(struct coll *coll);
/* Reads the parts of the others.  Returns true when the collective is done. */
bool pages_read(struct coll *coll);
void pages_give_up(struct coll *coll, int culprit);

/* For demand/blocked.c: whether a member showed its page; */
bool pages_is_shown(const struct pages *pages, int rank);
/* where in its slot the word is that shows it, or the root's of a broadcast. */
void pages_place(const struct pages *pages, int rank, bool is_bcast,
		 uint64_t *place, uint64_t *word);

/* pages_bcast.c: writes and reads a broadcast. */
bool pages_bcast_write(struct coll *coll);
bool pages_bcast_read(struct coll *coll);
/* After it said no: a message may have come in the page's place. */
bool pages_bcast_is_late(struct coll *coll);
const struct board_page *pages_bcast_page(const struct pages *pages, int root,
					  uint64_t *word);

/* The shared pages of a member. */
static inline struct board_pages *pages_of(const struct pages *pages, int rank)
{
	return pages->members[rank].pages;
}

/*
 * Asks for the lines of the next page, which others have read; it is mostly as
 * large.  Where cores are far apart, to have lines back takes longer than to
 * write them.
 */
void pages_ask(const struct pages *pages, const void *from, const void *end);
/* Shows that the collective is done.  Nothing of it is written afterwards. */
void pages_finish(struct coll *coll, int error);

#endif
