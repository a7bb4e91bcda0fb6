/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHIM_ROUTE_STATE_H
#define SHIM_ROUTE_STATE_H

/*
 * State that all files of route/ use: MPI's own functions, the engine, and a
 * communicator of this process alone.
 */
#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "libbcs/strobe/engines.h"
#include "pmpi-shim/pmpi.h"

/* MPI's own functions: the table of calls as it was before route_start. */
extern struct shim_pmpi route_real;
#define REAL(name) (*route_real.MPI_##name)

extern struct engines route_engines;

/* The board, whichever engine runs: this process's slot, and the node's. */
extern struct board_slot *route_slot;
extern struct board_slot **route_slots;
extern uint32_t route_me; /* its number */

/* BCS_STRICT but for sends; mostly 0. */
extern unsigned route_strict;

/* A communicator of this process alone; its errors are returned. */
extern MPI_Comm route_self;

#endif
