/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_STROBE_BLOCKED_H
#define BCS_STROBE_BLOCKED_H

/*
 * Describes what a process waits for under the strobe, so that a deadlock is
 * found (base/deadlock.h).  These do what those of demand/blocked.h do, by one
 * thread of the process at a time.
 */
#include "libbcs/base/blocked_say.h"
#include "libbcs/demand/coll/coll.h"
#include "libbcs/strobe/strobe_engine.h"

bool strobe_blocked_op(const struct strobe *strobe, struct blocked *b,
		       const struct op *op, const struct blocked_comm *comm);
bool strobe_blocked_probe(const struct strobe *strobe, struct blocked *b,
			  const struct match_key *key,
			  const struct blocked_comm *comm);
bool strobe_blocked_coll(const struct strobe *strobe, struct blocked *b,
			 const struct coll *coll,
			 const struct blocked_comm *comm);

/*
 * Slices that took all that the process posted are over, and it has done all
 * that it was ordered to.
 */
bool strobe_blocked_is_quiet(struct strobe *strobe);

/* Changes with whatever concerns a process of the node. */
uint64_t strobe_blocked_word(const struct strobe *strobe, uint32_t slot);
/* A message that it sends or receives is under way. */
bool strobe_blocked_moves(const struct strobe *strobe, uint32_t slot);
/* Whether the process of a BLOCKED_CALL has called meanwhile. */
bool strobe_blocked_has_called(const struct strobe *strobe,
			       const struct blocked_want *want);

#endif
