/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Faults of some versions of MPICH that the preload cures.  The library says
 * which version it is.  What differs otherwise is asked of the library itself
 * where it matters: the functions that it has (pmpi.h), whether mpi_f08 counts
 * from 0 (f08_indices.c), how a wait yields (polite.c).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abi.h"
#include "pmpi-shim/job/process.h"

#define VERSION(major, minor) ((major)*1000u + (minor))

/* With UCX the data of a window from MPI_Win_create lies in the wrong place. */
static void cache_off(void)
{
	if (!getenv("UCX_RCACHE_ENABLE"))
		process.rcache_off = setenv("UCX_RCACHE_ENABLE", "n", 1) == 0;
}

/* A process whose other nodes have left may hang in MPI_Finalize (leave.c). */
static void leave_badly(void)
{
	process.leaves_badly = true;
}

static const struct {
	unsigned first;
	unsigned last;
	void (*cure)(void);
} faults[] = {
	{ VERSION(4, 0), VERSION(4, 0), cache_off },
	{ VERSION(4, 0), VERSION(4, 1), leave_badly },
};

/* 0: the text does not say. */
static unsigned version_of(const char *text)
{
	unsigned major;
	unsigned minor;

	if (sscanf(text + strcspn(text, "0123456789"), "%u.%u", &major,
		   &minor) != 2)
		return 0;
	return VERSION(major, minor);
}

void abi_prepare(void)
{
	const unsigned version = version_of(process.mpi);

	for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++)
		if (version >= faults[i].first && version <= faults[i].last)
			faults[i].cure();
}
