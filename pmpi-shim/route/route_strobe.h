/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHIM_ROUTE_STROBE_H
#define SHIM_ROUTE_STROBE_H

#include <mpi.h>
#include <stdbool.h>

#include "libbcs/strobe/strobe_engine.h"

/*
 * Makes the strobe: collective over the world.  Returns NULL, and
 * route_engines.strobe is to be started; or, alike in all processes, why there
 * is none, as the end of a sentence about BCS_MODE=fixed.
 */
const char *route_strobe_meet(MPI_Comm node,
			      const struct strobe_options *options);
/* route_quiesce.c: a signal asks for known states from here on, and no more.
 * The first is the strobe's. */
void route_quiesce_known(const struct strobe_known *known);
void route_quiesce_start(void);
void route_quiesce_stop(void);
/* Collective, too; without a strobe nothing happens. */
void route_strobe_stop(void);

#endif
