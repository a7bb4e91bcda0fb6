/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_BLOCKED_SAY_H
#define BCS_BLOCKED_SAY_H

/*
 * A thread's description of its wait, under way; then the process says on the
 * board what all its threads wait for.  By one thread at a time.
 */
#include "libbcs/base/board_blocked.h"
#include "libbcs/base/match.h"
#include "libbcs/base/rank_map.h"

/* `record` has the thread's groups and wants alone. */
struct blocked {
	struct blocked_record record;
	uint32_t group;        /* that wants are added to */
	uint32_t n_background; /* collectives of requests that are described */
};

/* A communicator whose operations are described. */
struct blocked_comm {
	const struct rank_map *peers;
	int32_t (*rank_of)(uint32_t peer); /* in MPI_COMM_WORLD */
	int32_t size;
	uint32_t context;
	bool world;
};

/* The next group, for what is added then; NULL if there is no room. */
struct blocked_group *blocked_group_add(struct blocked *b, bool any);
/* A collective that the thread waits for gets a group of its own. */
bool blocked_coll_begin(struct blocked *b, const struct blocked_comm *comm,
			int32_t number, uint32_t signature);

/* Whether one of the group's wants is enough. */
bool blocked_any(const struct blocked *b);

/*
 * False if there is no room and one want is enough: the one left out may come.
 * Where all wants are needed, leaving one out can only hide a deadlock's part.
 */
bool blocked_want_add(struct blocked *b, const struct blocked_want *want);

/* The want's rank, and all that may bring it; MATCH_ANY: all of them. */
void blocked_source_add(struct blocked_want *want, int32_t source,
			const struct blocked_comm *comm);
void blocked_peer_set(struct blocked_want *want, uint32_t peer,
		      const struct blocked_comm *comm);

/* How a message with the key `is` misses a receive. */
enum blocked_near blocked_nearness(const struct match_key *key,
				   const struct match_key *is);
/* Keeps a message that nearly fits, if none that is likelier was found. */
void blocked_near_add(struct blocked_want *want, enum blocked_near near,
		      int32_t rank, int32_t tag);

/* Says what the process waits for; once more if that changed. */
void blocked_show(struct board_blocked *waits,
		  const struct blocked_record *record);
/* Takes it back: the process is no longer blocked. */
void blocked_hide(struct board_blocked *waits);

#endif
