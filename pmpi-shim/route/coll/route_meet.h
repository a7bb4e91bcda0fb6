/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHIM_ROUTE_MEET_H
#define SHIM_ROUTE_MEET_H

/*
 * MPI itself makes communicators and windows, in calls that no member leaves
 * before all are in them.  On a scheduled communicator the members wait for
 * each other here first, so that a deadlock is found, and calls that do not fit
 * together.
 *
 * `is_right` is false if MPI will surely refuse the call: nobody waits then.
 * Returns MPI_SUCCESS, or an error class that is the call's answer.
 */
#include <mpi.h>
#include <stdbool.h>

#include "pmpi-shim/shim.h"

int route_meet(enum shim_call name, MPI_Comm comm, bool is_right);

/* For ROUTE_AROUND, as its begin. */
#define ROUTE_MEET(NAME, comm, is_right)                  \
	rc = route_meet(SHIM_MPI_##NAME, comm, is_right); \
	if (rc != MPI_SUCCESS)                            \
	return rc

#endif
