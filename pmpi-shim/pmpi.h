/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHIM_PMPI_H
#define SHIM_PMPI_H

/*
 * The real MPI, as a table of pointers: PMPI_Send(...) goes through it. So the
 * preload has no undefined MPI symbol and loads into any program. It also finds
 * a library that the program opened in a scope of its own (dlopen).
 */
#include <mpi.h>
#include <stdbool.h>

#include "later.h"
#include "shim_pmpi.h" /* generated */

/*
 * Fills the table, once. False if no MPICH is loaded yet. Ends the program with
 * a message if its MPI has handles of another size than MPICH's, because going
 * on would corrupt the program.
 */
bool pmpi_load(void);

#endif
