/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Cures MPI_Finalize of MPICH before 4.2 between nodes.
 *
 * That MPICH takes down its connections while other processes still use them.
 * With three processes or more it then mostly hangs. It does not hang if it
 * believes that nothing is left to wait for; the connections end with the
 * process.
 *
 * Then MPICH does not wait either until UCX has sent everything. A process in
 * MPI_Finalize may still hold the end of a message that another process waits
 * for. So all processes meet in two barriers first. A process enters a barrier
 * after it has received what it wants, and it sends until it leaves the
 * barrier. The second barrier flushes the last message of the first.
 */
#include "pmpi-shim/mpich/leave.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>

#include "pmpi-shim/job/launcher.h"
#include "pmpi-shim/job/process.h"
#include "pmpi-shim/pmpi.h"

#define NAME "ucp_disconnect_nb"

typedef void *disconnect_fn(void *endpoint);

void *ucp_disconnect_nb(void *endpoint);

static disconnect_fn *find(void)
{
	void *handle = dlopen("libucp.so.0", RTLD_NOLOAD | RTLD_LAZY);
	union {
		void *object;
		disconnect_fn *function;
	} found = { dlsym(handle ? handle : RTLD_NEXT, NAME) };

	return found.function;
}

static bool is_cured(void)
{
	return process.leaves_badly && !launcher_has_one_node();
}

void leave_together(void)
{
	if (!is_cured() || process.rank < 0)
		return;
	PMPI_Barrier(MPI_COMM_WORLD);
	PMPI_Barrier(MPI_COMM_WORLD);
}

__attribute__((visibility("default"))) void *ucp_disconnect_nb(void *endpoint)
{
	disconnect_fn *real = find();

	if (!real || is_cured())
		return NULL;
	return real(endpoint);
}
