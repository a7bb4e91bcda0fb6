/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHIM_ROUTE_ORIGINS_H
#define SHIM_ROUTE_ORIGINS_H

#include <mpi.h>

#include "pmpi-shim/route/base/route_comm.h"

/*
 * Before a fence that ends an epoch, the members of the window tell each other
 * their accesses.  Each counts those of its own that conflict with another's.
 * Collective over the members.  MPI_SUCCESS or an error class.
 */
int route_origins_compare(MPI_Win win, struct route_comm *members);

#endif
