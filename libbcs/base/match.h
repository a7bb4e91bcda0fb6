/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_MATCH_H
#define BCS_MATCH_H

#include <stdbool.h>
#include <stdint.h>

/*
 * MPI's matching for one process: receives that wait for a message, messages
 * that wait for a receive.  A message takes the receive that was posted first
 * of those that it matches, a receive the message that arrived first.
 *
 * The functions take no lock: call them from one thread at a time.  Queued
 * items belong to the caller and must stay where they are until they are handed
 * back.  No memory is allocated for them, so neither posting nor arriving can
 * fail.
 */
struct match;

/* Any source or any tag, for receives.  A message never has it. */
#define MATCH_ANY (-1)

/*
 * Sources and tags are not negative.  A key is handed over by its address: by
 * value, its twelve bytes would go through memory, which doubles the time.
 */
struct match_key {
	uint32_t context;
	int32_t source;
	int32_t tag;
};

/*
 * A place in the queue of a key.  Only match.c uses its fields, and those of
 * match_item.
 */
struct match_link {
	/*
	 * The next newer item of the key; after the newest comes the oldest.
	 * NULL: in no queue.
	 */
	struct match_link *next;
	uint64_t who; /* source and tag */
	uint32_t context;
	uint32_t hash;
	struct match_link *prev;  /* of the key; the oldest's is the newest */
	struct match_link *chain; /* the oldest: the next key of its bucket */
	struct match_link **slot; /* the oldest: what points to it, else NULL */
};

struct match_item {
	struct match_link link;
	struct match_item *older;
	struct match_item *newer;
	uint64_t turn;
};

/* To be embedded in the caller's receive. */
struct match_recv {
	struct match_item item;
};

/* To be embedded in the caller's message. */
struct match_message {
	struct match_item item;
	struct match_link wild[3];
};

/* Returns 0 or -ENOMEM; *match_p is set on success only. */
int match_new(struct match **match_p);

/*
 * Items that are still queued belong to the caller, as before.  NULL is fine.
 */
void match_free(struct match *match);

/*
 * The oldest unexpected message that a receive with this key matches, which is
 * no longer queued then; or NULL, and `recv` is queued.
 */
struct match_message *match_post(struct match *match,
				 const struct match_key *key,
				 struct match_recv *recv);

/*
 * The oldest posted receive that a message with this key matches, which is no
 * longer queued then; or NULL, and `message` is queued.
 */
struct match_recv *match_arrive(struct match *match,
				const struct match_key *key,
				struct match_message *message);

/*
 * The oldest unexpected message that a receive with this key would match, or
 * NULL.  match_probe leaves it queued, match_take removes it.
 */
struct match_message *match_probe(struct match *match,
				  const struct match_key *key);
struct match_message *match_take(struct match *match,
				 const struct match_key *key);

/*
 * Remove a receive that was posted, a message that arrived.  False if it was
 * not queued: it had been matched before.
 */
bool match_cancel(struct match *match, struct match_recv *recv);
bool match_withdraw(struct match *match, struct match_message *message);

/*
 * Steps through queued items, oldest first.  Returns the item after `last`, the
 * first one for NULL, or NULL at the end.  `last` must still be queued.
 */
struct match_recv *match_next_posted(const struct match *match,
				     const struct match_recv *last);
struct match_message *match_next_unexpected(const struct match *match,
					    const struct match_message *last);

/*
 * The key that an item was posted with or arrived with, for example that of
 * recv->item.link.
 */
struct match_key match_link_key(const struct match_link *link);

/* How many keys have been compared since it was made: the cost of it all. */
uint64_t match_looks(const struct match *match);

/* How many receives are posted. */
uint64_t match_n_posted(const struct match *match);

#endif
