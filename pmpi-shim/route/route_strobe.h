/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHIM_ROUTE_STROBE_H
#define SHIM_ROUTE_STROBE_H

#include <mpi.h>
#include <stdbool.h>

#include "libbcs/strobe/strobe_engine.h"

/*
 * The strobe instead of the engine on demand: whether it is wanted.  Start is
 * collective over the node's processes and returns whether all have it; then
 * route_engines.strobe is set.
 */
bool route_strobe_is_wanted(void);
bool route_strobe_start(MPI_Comm node, const struct strobe_options *options);
void route_strobe_stop(void);

#endif
