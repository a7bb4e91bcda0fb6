/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Counts the windows of the program. While there are any, other processes may
 * need this one in MPI at any moment: MPICH mostly lets the owner of a window
 * do the work, while it waits in MPI.
 */
#include <stdatomic.h>

#include "pmpi-shim/route/base/route_forms.h"
#include "pmpi-shim/route/base/route_install.h"
#include "pmpi-shim/route/base/route_state.h"
#include "pmpi-shim/route/coll/route_meet.h"
#include "pmpi-shim/route/route_parts.h"

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

ROUTE_AROUND(Win_create,
	     ROUTE_MEET(Win_create, comm, win &&size >= 0 && disp_unit > 0),
	     made(rc))
ROUTE_AROUND(Win_create_dynamic, ROUTE_MEET(Win_create_dynamic, comm, win),
	     made(rc))
ROUTE_AROUND(Win_allocate,
	     ROUTE_MEET(Win_allocate, comm, win &&size >= 0 && disp_unit > 0),
	     made(rc))
ROUTE_AROUND(Win_allocate_shared,
	     ROUTE_MEET(Win_allocate_shared, comm,
			win &&size >= 0 && disp_unit > 0),
	     made(rc))

static int Win_free(MPI_Win *win)
{
	const int rc = REAL(Win_free)(win);

	if (rc == MPI_SUCCESS)
		atomic_fetch_sub(&windows, 1);
	return rc;
}

void route_windows_install(struct shim_pmpi *table)
{
	ROUTE_INSTALL(Win_create, table);
	ROUTE_INSTALL(Win_create_dynamic, table);
	ROUTE_INSTALL(Win_allocate, table);
	ROUTE_INSTALL(Win_allocate_shared, table);
	table->MPI_Win_free = Win_free;
}
