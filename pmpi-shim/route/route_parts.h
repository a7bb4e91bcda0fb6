/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHIM_ROUTE_PARTS_H
#define SHIM_ROUTE_PARTS_H

/*
 * Functions of the files beside route.c that route_start and route_stop call.
 */
#include <mpi.h>
#include <stdbool.h>

/* True while the program has windows of MPI's. */
bool route_windows_are_there(void);

/* Applies BCS_TREE for all processes of the node (route_tree.c). */
void route_trees_start(MPI_Comm node);

/*
 * In MPI_Finalize: ends what is under way, waits for all processes, and counts
 * what was forgotten.  Collective over the world.
 */
void route_end(void);

#endif
