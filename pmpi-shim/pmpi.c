/* SPDX-License-Identifier: BSD-3-Clause */
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

#include "pmpi-shim/pmpi.h"
#include "shim_calls.h"

#define X(name) "P" #name,
static const char *const names[] = { SHIM_CALLS(X) };
#undef X
#define N_NAMES (sizeof(names) / sizeof(names[0]))

struct shim_pmpi shim_pmpi;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic bool loaded;

/* MPICH, and those that share its binary interface under another name. */
static bool library_find(void **library)
{
	static const char *const files[] = { "libmpich.so.12", "libmpi.so.12" };

	*library = RTLD_DEFAULT;
	if (dlsym(RTLD_DEFAULT, "PMPI_Init"))
		return true;
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		*library = dlopen(files[i], RTLD_LAZY | RTLD_NOLOAD);
		if (*library)
			return true;
	}
	return false;
}

static bool library_is_other(void)
{
	void *open_mpi = dlopen("libmpi.so.40", RTLD_LAZY | RTLD_NOLOAD);

	if (open_mpi)
		dlclose(open_mpi);
	return open_mpi || dlsym(RTLD_DEFAULT, "ompi_mpi_comm_world");
}

bool pmpi_load(void)
{
	static const char refusal[] =
		"bcs: this program uses Open MPI; libbcs-pmpi.so is for MPICH: "
		"build it with mpicc.mpich, or run it without the preload\n";
	void **table = (void **)&shim_pmpi;
	void *library;

	if (atomic_load(&loaded))
		return true;
	if (library_is_other()) {
		fputs(refusal, stderr);
		_exit(2);
	}
	pthread_mutex_lock(&lock);
	if (library_find(&library))
		for (size_t i = 0; i < N_NAMES; i++)
			table[i] = dlsym(library, names[i]);
	atomic_store(&loaded, shim_pmpi.MPI_Init != NULL);
	pthread_mutex_unlock(&lock);
	return atomic_load(&loaded);
}
