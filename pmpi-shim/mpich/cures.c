/* SPDX-License-Identifier: BSD-3-Clause */

/* Cures for faults of some versions of MPICH. */
#include <stdlib.h>
#include <string.h>

#include "abi.h"
#include "pmpi-shim/job/process.h"

/*
 * MPICH 4.0 with UCX's registration cache puts the data of a window from
 * MPI_Win_create in the wrong place.
 */
void abi_prepare(void)
{
	const char *version = process.mpi;

	if (strstr(version, "4.0") && !getenv("UCX_RCACHE_ENABLE"))
		process.rcache_off = setenv("UCX_RCACHE_ENABLE", "n", 1) == 0;
	process.leaves_badly = strstr(version, "4.0") || strstr(version, "4.1");
}
