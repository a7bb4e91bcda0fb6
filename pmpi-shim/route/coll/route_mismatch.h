/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHIM_ROUTE_MISMATCH_H
#define SHIM_ROUTE_MISMATCH_H

/* What the files that find mismatched collectives have in common. */
#include "pmpi-shim/route/coll/route_coll.h"

#define ROUTE_MISMATCH_SITE 128 /* bytes of the text of a place */

/* route_mismatch_calls.c: reads a call of a process of this node, if the slot
 * still has it. */
bool route_mismatch_recorded(struct board_slot *slot, uint32_t context,
			     int32_t number, struct board_call *call);
/* The cell of this process's call; FINDING_NO_CALL: it is unknown. */
uint64_t route_mismatch_key(const struct route_comm *comm, int32_t number);
/*
 * Makes the signature of this process's call even, since it was in vain.  Valid
 * signatures are odd, so a process that waits sees the difference.
 */
void route_mismatch_mark(const struct route_coll *c);

/* route_mismatch.c: finds the call that a rank made under a number.  Returns
 * false if it is unknown. */
bool route_mismatch_called(const struct route_comm *comm, int rank,
			   int32_t number, struct board_call *call);
/* The place of the call that another node sent. */
const char *route_mismatch_site(void);
/* True if that rank made another call than this one. */
bool route_mismatch_differ(const struct route_comm *comm, int rank,
			   int32_t number);
bool route_mismatch_is_local(const struct route_comm *comm, int rank);

#endif
