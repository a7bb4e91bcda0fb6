/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHIM_ROUTE_BLOCKED_H
#define SHIM_ROUTE_BLOCKED_H

/*
 * What a thread waits for, told by those who know: each kind of wait has a
 * function that describes it (demand/blocked.h).
 */
#include "libbcs/demand/blocked.h"
#include "pmpi-shim/route/base/route_comm.h"

/* False: it is not blocked, or that cannot be told. */
typedef bool route_describe(struct blocked *b, void *arg);

/* A wait for `ready` (engine_wait_until) is described so. */
void route_blocked_know(bool (*ready)(void *arg), route_describe *describe);

/* A thread waits for all of what is described next, or for any. */
bool route_blocked_group(struct blocked *b, bool any,
			 const struct route_comm *comm);
struct blocked_comm route_blocked_comm(const struct route_comm *comm);

/*
 * The thread has waited long.  Whether the process is blocked by now, and says
 * so on the board.
 */
bool route_blocked_look(bool (*ready)(void *arg), void *arg);
/* It waits no longer. */
void route_blocked_over(void);

/* Collectives of requests, so many more of which are under way. */
void route_blocked_background(int n);

/* MPI_Init is over. */
void route_blocked_start(void);
/* The process is in MPI_Finalize, or ends without. */
void route_blocked_end(enum blocked_end how);

#endif
