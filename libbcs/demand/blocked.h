/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_BLOCKED_H
#define BCS_BLOCKED_H

/*
 * Says on the board what a blocked process waits for, so that a deadlock is
 * found (base/deadlock.h).  All of this with the token.
 */
#include "libbcs/demand/coll/coll.h"
#include "libbcs/demand/engine.h"

/* A thread's description under way: `record` has its groups and wants alone. */
struct blocked {
	struct engine *engine;
	struct blocked_record record;
	uint32_t group;        /* that wants are added to */
	uint32_t n_background; /* collectives of requests that are described */
};

/* A communicator whose operations are described. */
struct blocked_comm {
	const struct numbers *peers;
	int32_t size;
	uint32_t context;
	bool world;
};

/* The next group, for what is added then; NULL if there is no room. */
struct blocked_group *blocked_group_add(struct blocked *b, bool any);

/* Whether one of the group's wants is enough. */
bool blocked_any(const struct blocked *b);

/*
 * These add a want to the group.  False if the operation is done or under
 * way, or if that is not known, so that the process is not blocked.
 */
bool blocked_op(struct blocked *b, const struct op *op,
		const struct blocked_comm *comm);
bool blocked_probe(struct blocked *b, const struct match_key *key,
		   const struct blocked_comm *comm);
/* A collective, which gets a group of its own. */
bool blocked_coll(struct blocked *b, const struct coll *coll,
		  const struct blocked_comm *comm);

/* Nothing is under way but what waits for others to call. */
bool blocked_is_quiet(struct engine *engine);

/* Says so: the groups and wants of all threads; once more if that changed. */
void blocked_show(struct engine *engine, const struct blocked_record *record);
/* Takes it back: the process is no longer blocked. */
void blocked_hide(struct engine *engine);

/* Adds messages of others that no receive was posted for. */
void blocked_offers(struct engine *engine, struct blocked_record *record);

#endif
