/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Counts the windows of the program. While there are any, other processes may
 * need this one in MPI at any moment: MPICH mostly lets the owner of a window
 * do the work, while it waits in MPI.
 *
 * The members of a window meet before its fences and its end (route_meet.h).
 */
#include <stdatomic.h>
#include <stdlib.h>

#include "handles.h"
#include "pmpi-shim/job/process.h"
#include "pmpi-shim/route/base/route_forms.h"
#include "pmpi-shim/route/base/route_install.h"
#include "pmpi-shim/route/base/route_state.h"
#include "pmpi-shim/route/coll/route_meet.h"
#include "pmpi-shim/route/coll/route_origins.h"
#include "pmpi-shim/route/route_parts.h"

static _Atomic int windows;

bool route_windows_are_there(void)
{
	return atomic_load_explicit(&windows, memory_order_relaxed) > 0;
}

static void *zeroed(size_t bytes)
{
	return calloc(1, bytes);
}

/* Where the members of a window meet. */
static struct handles members = { .entry_size = sizeof(struct route_comm *),
				  .alloc = zeroed };

static struct route_comm **entry_of(MPI_Win win)
{
	return win == MPI_WIN_NULL ? NULL : handles_find(&members, win);
}

static struct route_comm *members_of(MPI_Win win)
{
	struct route_comm **entry = entry_of(win);

	return entry ? *entry : NULL;
}

static int made(int rc, const MPI_Win *win, struct route_comm *twin)
{
	struct route_comm **entry;

	if (rc != MPI_SUCCESS) {
		route_comm_drop(twin);
		return rc;
	}
	atomic_fetch_add(&windows, 1);
	entry = handles_make(&members, *win);
	if (entry)
		*entry = twin;
	return rc;
}

#define MEET_BEGIN(NAME, is_right)                                     \
	struct route_comm *twin;                                       \
	rc = route_meet_begin(SHIM_MPI_##NAME, comm, is_right, &twin); \
	if (rc != MPI_SUCCESS)                                         \
	return rc

ROUTE_AROUND(Win_create,
	     MEET_BEGIN(Win_create, win &&size >= 0 && disp_unit > 0),
	     made(rc, win, twin))
ROUTE_AROUND(Win_create_dynamic, MEET_BEGIN(Win_create_dynamic, win),
	     made(rc, win, twin))
ROUTE_AROUND(Win_allocate,
	     MEET_BEGIN(Win_allocate, win &&size >= 0 && disp_unit > 0),
	     made(rc, win, twin))
ROUTE_AROUND(Win_allocate_shared,
	     MEET_BEGIN(Win_allocate_shared, win &&size >= 0 && disp_unit > 0),
	     made(rc, win, twin))

static bool origins_are_compared(void)
{
	const unsigned both = SETTINGS_STRICT_BUFFERS | SETTINGS_STRICT_RACES;

	return (process.settings.strict & both) == both;
}

/*
 * A fence that ends no epoch need not wait for others.  To meet makes a put and
 * its fence a third longer, and under the strobe more than a slice.  So fences
 * are MPI's alone, unless the user wants checks.
 */
static int Win_fence(int asserted, MPI_Win win)
{
	const bool meets = !(asserted & MPI_MODE_NOPRECEDE) &&
			   process.settings.strict;
	struct route_comm *twin = meets ? members_of(win) : NULL;
	int rc = route_meet_members(SHIM_MPI_Win_fence, twin, true);

	if (rc == MPI_SUCCESS && twin && origins_are_compared())
		rc = route_origins_compare(win, twin);
	return rc == MPI_SUCCESS ? REAL(Win_fence)(asserted, win) : rc;
}

/* Its number may be another's as soon as MPI has freed it. */
static int Win_free(MPI_Win *win)
{
	struct route_comm **entry = win ? entry_of(*win) : NULL;
	struct route_comm *twin = entry ? *entry : NULL;
	int rc = route_meet_members(SHIM_MPI_Win_free, twin, true);

	if (rc != MPI_SUCCESS)
		return rc;
	if (twin)
		*entry = NULL;
	rc = REAL(Win_free)(win);
	if (rc == MPI_SUCCESS) {
		atomic_fetch_sub(&windows, 1);
		route_comm_drop(twin);
	} else if (twin) {
		*entry = twin;
	}
	return rc;
}

void route_windows_install(struct shim_pmpi *table)
{
	ROUTE_INSTALL(Win_create, table);
	ROUTE_INSTALL(Win_create_dynamic, table);
	ROUTE_INSTALL(Win_allocate, table);
	ROUTE_INSTALL(Win_allocate_shared, table);
	table->MPI_Win_fence = Win_fence;
	table->MPI_Win_free = Win_free;
}
