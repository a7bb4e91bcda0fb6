/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHIM_ROUTE_BLOCKED_H
#define SHIM_ROUTE_BLOCKED_H

/*
 * Describes what a thread waits for: each kind of wait has a function that does
 * so (demand/blocked.h).
 */
#include "libbcs/base/blocked_say.h"
#include "pmpi-shim/route/base/route_comm.h"

/* False if the thread is not blocked, or that is not known. */
typedef bool route_describe(struct blocked *b, void *arg);

/* Registers the description of waits for `ready` (engine_wait_until). */
void route_blocked_know(bool (*ready)(void *arg), route_describe *describe);

/* A thread waits for all of what is described next, or for any. */
bool route_blocked_group(struct blocked *b, bool any,
			 const struct route_comm *comm);
struct blocked_comm route_blocked_comm(const struct route_comm *comm);

/*
 * The thread has waited long.  True if the whole process is blocked; it says so
 * on the board then.
 */
bool route_blocked_look(bool (*ready)(void *arg), void *arg);
/* The thread waits no longer. */
void route_blocked_over(void);

/* `n` more (or fewer) collectives with requests are under way. */
void route_blocked_background(int n);

/* MPI_Init is over. */
void route_blocked_start(void);
/* The process is in MPI_Finalize, or ends without. */
void route_blocked_end(enum blocked_end how);

#endif
