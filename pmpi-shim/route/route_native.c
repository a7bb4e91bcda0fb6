/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Calls that ask MPI for what is always its own: an epoch of a window, a part
 * of a message.  Others that ask it are with what they do for ours.
 */
#include "pmpi-shim/route/base/route_install.h"
#include "pmpi-shim/route/base/route_progress.h"
#include "pmpi-shim/route/base/route_state.h"
#include "pmpi-shim/route/route.h"

static int Win_test(MPI_Win win, int *flag)
{
	const int rc = REAL(Win_test)(win, flag);

	return route_said_no(rc, flag) ? REAL(Win_test)(win, flag) : rc;
}

static int Parrived(MPI_Request request, int partition, int *flag)
{
	const int rc = REAL(Parrived)(request, partition, flag);

	return route_said_no(rc, flag)
		       ? REAL(Parrived)(request, partition, flag)
		       : rc;
}

void route_native_install(struct shim_pmpi *table)
{
	table->MPI_Win_test = Win_test;
	table->MPI_Parrived = Parrived;
}
