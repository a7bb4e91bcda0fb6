/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef OMPI_CONSTANTS_H
#define OMPI_CONSTANTS_H

/*
 * Open MPI's constants are the addresses of its objects.  The preload has no
 * undefined symbol of MPI's, so it looks the objects up with MPI's functions.
 * This header stands before every source of the preload (-include), so that
 * MPI_COMM_WORLD and its like are taken from the table.
 */
#include <mpi.h>

#include "ompi_constants.h" /* generated */
#include "pmpi-shim/ompi/later.h"

struct ompi_constants {
#define X(kind, name) void *name;
	OMPI_CONSTANTS(X)
#undef X
};

extern struct ompi_constants ompi_constants;

/* `library`: of dlopen.  A program may hold an object in a copy of its own. */
void ompi_constants_find(void *library);

#undef OMPI_PREDEFINED_GLOBAL
#define OMPI_PREDEFINED_GLOBAL(type, global) ((type)ompi_constants.global)

#endif
