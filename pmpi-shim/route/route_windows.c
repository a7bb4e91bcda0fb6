/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Whether the program has windows.  Then others may need this process in MPI at
 * any moment: what is done to a window is mostly done by its owner, within MPI,
 * while it waits for something else.
 */
#include <stdatomic.h>

#include "pmpi-shim/route/route.h"

static _Atomic int windows;

bool route_windows_are_there(void)
{
	return atomic_load_explicit(&windows, memory_order_relaxed) > 0;
}

static int made(int rc)
{
	if (rc == MPI_SUCCESS)
		atomic_fetch_add(&windows, 1);
	return rc;
}

static int Win_create(void *base, MPI_Aint size, int unit, MPI_Info info,
		      MPI_Comm comm, MPI_Win *win)
{
	return made(REAL(Win_create)(base, size, unit, info, comm, win));
}

static int Win_create_c(void *base, MPI_Aint size, MPI_Aint unit, MPI_Info info,
			MPI_Comm comm, MPI_Win *win)
{
	return made(REAL(Win_create_c)(base, size, unit, info, comm, win));
}

static int Win_create_dynamic(MPI_Info info, MPI_Comm comm, MPI_Win *win)
{
	return made(REAL(Win_create_dynamic)(info, comm, win));
}

static int Win_allocate(MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm,
			void *base, MPI_Win *win)
{
	return made(REAL(Win_allocate)(size, unit, info, comm, base, win));
}

static int Win_allocate_c(MPI_Aint size, MPI_Aint unit, MPI_Info info,
			  MPI_Comm comm, void *base, MPI_Win *win)
{
	return made(REAL(Win_allocate_c)(size, unit, info, comm, base, win));
}

static int Win_allocate_shared(MPI_Aint size, int unit, MPI_Info info,
			       MPI_Comm comm, void *base, MPI_Win *win)
{
	return made(
		REAL(Win_allocate_shared)(size, unit, info, comm, base, win));
}

static int Win_allocate_shared_c(MPI_Aint size, MPI_Aint unit, MPI_Info info,
				 MPI_Comm comm, void *base, MPI_Win *win)
{
	return made(
		REAL(Win_allocate_shared_c)(size, unit, info, comm, base, win));
}

static int Win_free(MPI_Win *win)
{
	const int rc = REAL(Win_free)(win);

	if (rc == MPI_SUCCESS)
		atomic_fetch_sub(&windows, 1);
	return rc;
}

void route_windows_install(struct shim_pmpi *table)
{
	table->MPI_Win_create = Win_create;
	table->MPI_Win_create_c = Win_create_c;
	table->MPI_Win_create_dynamic = Win_create_dynamic;
	table->MPI_Win_allocate = Win_allocate;
	table->MPI_Win_allocate_c = Win_allocate_c;
	table->MPI_Win_allocate_shared = Win_allocate_shared;
	table->MPI_Win_allocate_shared_c = Win_allocate_shared_c;
	table->MPI_Win_free = Win_free;
}
