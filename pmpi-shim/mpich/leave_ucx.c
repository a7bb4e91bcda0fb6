/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * MPICH before 4.2 begins to take its connections to other nodes down before
 * all processes are through with them, and then mostly hangs in MPI_Finalize
 * with three or more.  It does not where it believes that nothing is to be
 * waited for; the connections end with the process.
 */
#include <dlfcn.h>
#include <stddef.h>

#include "pmpi-shim/process/launcher.h"
#include "pmpi-shim/process/process.h"

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

__attribute__((visibility("default"))) void *ucp_disconnect_nb(void *endpoint)
{
	disconnect_fn *real = find();

	if (!real || (process.leaves_badly && !launcher_has_one_node()))
		return NULL;
	return real(endpoint);
}
