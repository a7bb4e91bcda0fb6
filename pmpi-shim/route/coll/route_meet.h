/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHIM_ROUTE_MEET_H
#define SHIM_ROUTE_MEET_H

/*
 * MPI itself carries calls that make communicators, windows and files, and
 * collective calls on windows and files.  No member leaves such a call before
 * all are in it.  On a scheduled communicator the members wait for each other
 * here first, so that a deadlock is found, and calls that do not fit together.
 *
 * `is_right` is false if MPI will surely refuse the call, or if a member may
 * leave it before all are in it: nobody waits then.
 * Returns MPI_SUCCESS, or an error class that is the call's answer.
 */
#include <mpi.h>
#include <stdbool.h>

#include "pmpi-shim/route/base/route_comm.h"
#include "pmpi-shim/route/coll/route_coll.h"
#include "pmpi-shim/shim.h"

int route_meet(enum shim_call name, MPI_Comm comm, bool is_right);

/*
 * Before a window or a file is made: the same, and the communicator on which
 * its members meet later; NULL if they do not.  The caller drops it.
 */
int route_meet_begin(enum shim_call name, MPI_Comm comm, bool is_right,
		     struct route_comm **twin);
/* They meet there.  NULL: they do not. */
int route_meet_members(enum shim_call name, struct route_comm *members,
		       bool is_right);

/*
 * A request of MPI's that is done after the collective of ours for which it is
 * the companion.
 */
struct route_meet_request {
	struct route_companion also;
	MPI_Request mpi;
	int rc; /* MPI's answer */
};

bool route_meet_is_done(struct route_companion *also);

/* For ROUTE_AROUND, as its begin. */
#define ROUTE_MEET(NAME, comm, is_right)                  \
	rc = route_meet(SHIM_MPI_##NAME, comm, is_right); \
	if (rc != MPI_SUCCESS)                            \
	return rc

#endif
