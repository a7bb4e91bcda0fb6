/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * MPICH before 4.2 begins to take its connections to other nodes down before
 * all processes are through with them, and then mostly hangs in MPI_Finalize
 * with three or more.  It does not where it believes that nothing is to be
 * waited for; the connections end with the process.
 *
 * Then nobody waits until UCX has sent all either: a process that is in
 * MPI_Finalize may still have the end of a message, for which another waits for
 * ever.  So all meet first.  A process comes to a barrier after it has received
 * what it wants, and until it leaves the barrier it sends.  The second barrier
 * is for the last message of the first: no more is before it in a connection.
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
