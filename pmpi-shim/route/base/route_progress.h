/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHIM_ROUTE_PROGRESS_H
#define SHIM_ROUTE_PROGRESS_H

/*
 * How MPI and the engine get on with their work while a thread waits for
 * either, and what the recorder counts as waiting.
 */
#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * A call that posts something did more than post: it copied a lot, woke a
 * process or called MPI.  Its time is taken from here on.
 */
void route_post_is_slow(void);
#define ROUTE_QUICK 1024 /* bytes whose copy takes next to no time */

/* Posts, and cancels, the receive that makes MPI work (poke). */
void route_progress_start(void);
void route_progress_stop(void);

/* A receive of MPI's that is never done. */
extern MPI_Request route_never;

/* MPI does what there is to do.  True if anything moved. */
bool route_poke(void);

/* For struct engine_options: a thread begins, or ends, to wait. */
void route_idle(bool begins);
/*
 * For struct engine_options: the recorder updates its tables while a thread
 * waits.
 */
void route_meanwhile(void);

/* A thread looked in vain: the engine and MPI do what there is to do. */
void route_help(void);
/*
 * Helps, and receives the messages that arrived before this call. True if there
 * was any, so that another look may succeed. `ready` and `soon` are as for
 * engine_settle.
 */
bool route_catch_up(bool (*ready)(void *arg), bool (*soon)(void *arg),
		    void *arg);
/*
 * MPI takes all that came for it.  A barrier of the engine overtakes MPI's
 * messages; MPI's own barrier would have brought them along.
 */
void route_settle(void);
/* Settles if MPI's answer was no.  True then: ask MPI again. */
bool route_said_no(int rc, const int *flag);

#endif
