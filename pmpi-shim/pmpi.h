/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHIM_PMPI_H
#define SHIM_PMPI_H

/*
 * The real MPI, as a table of pointers: PMPI_Send(…) goes through it.  So the
 * preload has no undefined MPI symbol and loads into any program, and finds the
 * library also where the program has it in a scope of its own (dlopen).
 */
#include <mpi.h>
#include <stdbool.h>

#include "shim_pmpi.h" /* generated */

/*
 * Fills the table, once.  False when no MPICH is loaded (yet).  Ends the
 * program with a message when its MPI is another one, whose handles are not of
 * the same size as MPICH's: going on would corrupt it.
 */
bool pmpi_load(void);

#endif
