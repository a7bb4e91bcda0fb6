/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * MPICH ends the program itself for an error whose handler says so, as the
 * default does: it tells the launcher, which kills all processes.  It comes by
 * here with every error, so the records are written before.  It may hold a lock
 * then and cannot be asked which handler counts: so nothing is written any more
 * once the program set one.
 *
 * An error that is found in slices is brought here by fatal_raise().
 */
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

#include "abi.h"
#include "pmpi-shim/dump/fatal.h"
#include "pmpi-shim/job/process.h"
#include "pmpi-shim/pmpi.h"
#include "pmpi-shim/record/site.h"
#include "pmpi-shim/shim.h"

#define NAME "MPIR_Err_return_comm"

typedef int error_return(void *comm, const char *call, int code);

SHIM_EXPORT error_return MPIR_Err_return_comm;

static error_return *_Atomic real;
static MPI_Comm ours[3]; /* route.c, route_net.c */
static unsigned n_ours;
static bool sees_objects;             /* errors come by here */
static _Atomic bool misled;           /* one that was called fatal was not */
static __thread void **object_wanted; /* of the next error's communicator */

/* Finds the function of the library that contains the address `where`. */
static error_return *find(const void *where)
{
	union {
		void *object;
		error_return *function;
	} found = { dlsym(RTLD_NEXT, NAME) };
	void *library = NULL;
	Dl_info info;

	/* mpi4py opens libmpich by dlopen: dlsym does not find it there. */
	if (!found.object && dladdr(where, &info))
		library = dlopen(info.dli_fname, RTLD_NOLOAD | RTLD_LAZY);
	if (library)
		found.object = dlsym(library, NAME);
	return found.function;
}

/* Now, for with an error comes MPICH's lock, and dlsym() has another. */
void fatal_start(void)
{
	real = find((const void *)(uintptr_t)shim_pmpi.MPI_Init);
}

/*
 * MPI's own of a communicator, which it passes with an error: that it is not
 * Cartesian, or not a graph.
 */
static void *object_of(MPI_Comm comm)
{
	void *object = NULL;
	int dims;
	int edges;

	object_wanted = &object;
	if (PMPI_Cartdim_get(comm, &dims) == MPI_SUCCESS)
		PMPI_Graphdims_get(comm, &dims, &edges);
	object_wanted = NULL;
	return object;
}

void fatal_not_for(MPI_Comm comm)
{
	ours[n_ours++] = comm;
	sees_objects = object_of(comm) != NULL;
}

static bool is_ours(const void *comm)
{
	for (unsigned i = 0; comm && i < n_ours; i++)
		if (abi_object_handle(comm) == ours[i])
			return true;
	return false;
}

int MPIR_Err_return_comm(void *comm, const char *call, int code)
{
	int rc;

	if (object_wanted) {
		*object_wanted = comm;
		return code;
	}
	if (!real)
		real = find(call);
	if (!real)
		return code;
	if (is_ours(comm))
		return real(comm, call, code);
	fatal_expect(code);
	rc = real(comm, call, code);
	fatal_went_on();
	return rc;
}

/*
 * MPI holds no lock and can be asked; it says so of what has no handler of its
 * own, too, where that of MPI_COMM_WORLD counts.
 */
static bool is_fatal(MPI_Comm comm)
{
	MPI_Errhandler handler;

	if (PMPI_Comm_get_errhandler(comm, &handler) != MPI_SUCCESS)
		return false;
	if (abi_handler_is_fatal(handler))
		return true;
	if (handler != MPI_ERRORS_RETURN)
		PMPI_Errhandler_free(&handler);
	return false;
}

/* The call that failed, as MPI's last message has it. */
static void caller_text(char *text, size_t size)
{
	const struct mmds_thread *thread = mmds_thread;
	char where[128];

	if (!thread || !thread->inside) {
		snprintf(text, size, "a call of MPI");
		return;
	}
	site_text(getpid(), site_of_call(), where, sizeof(where));
	snprintf(text, size, "%s, at %s", shim_names[thread->now->call], where);
}

/*
 * Raises the error in an MPI call, since only MPI knows which handler applies.
 * Since MPICH 4.3 a call succeeds once the program's own handler has returned.
 */
int fatal_raise(MPI_Comm comm, int code)
{
	void *const object = sees_objects && real ? object_of(comm) : NULL;
	const bool is_end = is_fatal(comm);
	char caller[192] = "";

	if (is_end) {
		caller_text(caller, sizeof(caller));
		site_help(site_of_call());
	}
	if (is_end && !misled)
		fatal_record(code);
	if (!object)
		PMPI_Comm_call_errhandler(comm, code);
	else if (real(object, caller, code) == MPI_SUCCESS)
		code = MPI_SUCCESS;
	misled |= is_end;
	fatal_went_on();
	return code;
}
