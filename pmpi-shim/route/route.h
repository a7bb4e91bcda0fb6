/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHIM_ROUTE_H
#define SHIM_ROUTE_H

/*
 * Scheduled communication, for the rest of the preload. With BCS_MODE=demand or
 * fixed, the entries of the table of calls (pmpi.h) that have to do with
 * messages lead to route/. A call on a scheduled communicator goes to the
 * engine (libbcs/demand/engine.h). A call on another communicator, or with a
 * wrong argument, goes to MPI.
 *
 * All calls of a communicator go the same way, on all its members. Otherwise a
 * message could wait in the engine while its receive waits in MPI.
 */

/* Starts the engine, after MPI_Init and process_join: collective over the
 * world. */
void route_start(void);
/* Stops the engine, before MPI_Finalize: collective over the world. */
void route_stop(void);
/* The process ends without MPI_Finalize. */
void route_gone(void);
/* Makes a known state (bcs.h); MPI_ERR_OTHER if a process did not stop in time.
 * Without slices nothing happens. */
int route_quiesce(void);
/* Deletes the attributes of MPI_COMM_SELF, as MPI_Finalize does first. */
void route_attrs_delete(void);

/*
 * Greater than 0 within MPI-IO, which calls MPI's own functions, some by their
 * PMPI name: all calls from there are MPI's.
 */
extern __thread unsigned route_native
	__attribute__((tls_model("initial-exec")));

#endif
