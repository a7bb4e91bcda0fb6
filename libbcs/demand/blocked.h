/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_BLOCKED_H
#define BCS_BLOCKED_H

/*
 * Describes what a process waits for on demand, so that a deadlock is found
 * (base/deadlock.h).  All of this with the token.
 */
#include "libbcs/base/blocked_say.h"
#include "libbcs/demand/coll/coll.h"
#include "libbcs/demand/engine.h"

/*
 * These add a want to the group.  False if the operation is done or under
 * way, or if that is not known, so that the process is not blocked.
 */
bool blocked_op(const struct engine *engine, struct blocked *b,
		const struct op *op, const struct blocked_comm *comm);
bool blocked_probe(const struct engine *engine, struct blocked *b,
		   const struct match_key *key,
		   const struct blocked_comm *comm);
/* A collective, which gets a group of its own. */
bool blocked_coll(const struct engine *engine, struct blocked *b,
		  const struct coll *coll, const struct blocked_comm *comm);

/* Nothing is under way but what waits for others to call. */
bool blocked_is_quiet(struct engine *engine);

/* Adds messages of others that no receive was posted for. */
void blocked_offers(const struct engine *engine, struct blocked_record *record);

#endif
