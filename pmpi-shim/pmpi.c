/* SPDX-License-Identifier: BSD-3-Clause */

/* Fills the table of the real MPI by dlsym. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "abi.h"
#include "pmpi-shim/library.h"
#include "pmpi-shim/pmpi.h"
#include "shim_calls.h"

#define X(name) "P" #name,
static const char *const names[] = { SHIM_CALLS(X) };
#undef X
#define N_NAMES (sizeof(names) / sizeof(names[0]))

struct shim_pmpi shim_pmpi;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic bool loaded;

static void refuse(const char *mpi)
{
	const bool is_other = strcmp(mpi, ABI_OTHER) == 0;

	if (is_other && getenv(ABI_LAUNCHED))
		fprintf(stderr, "bcs: this program uses " ABI_OTHER
				", and the launcher is " ABI_MPI
				"'s: start it with that of " ABI_OTHER
				", such as " ABI_OTHER_MPIEXEC "\n");
	else if (is_other && library_has_other())
		fprintf(stderr,
			"bcs: this program uses " ABI_OTHER "; " ABI_PRELOAD
			" is for " ABI_MPI ": preload " ABI_OTHER_PRELOAD
			", which lies beside it\n");
	else
		fprintf(stderr,
			"bcs: this program uses %s; " ABI_PRELOAD
			" is for " ABI_MPI
			"'s own interface: build it with " ABI_MPICC
			", or run it without the preload%s\n",
			mpi,
			is_other ? " (there is no " ABI_OTHER_PRELOAD " here)"
				 : "");
	_exit(2);
}

bool pmpi_load(void)
{
	void **table = (void **)&shim_pmpi;
	void *library;
	const char *other;

	if (atomic_load(&loaded))
		return true;
	other = library_other();
	if (other)
		refuse(other);
	pthread_mutex_lock(&lock);
	if (library_find(&library))
		for (size_t i = 0; i < N_NAMES; i++)
			table[i] = dlsym(library, names[i]);
	atomic_store(&loaded, shim_pmpi.MPI_Init != NULL);
	pthread_mutex_unlock(&lock);
	return atomic_load(&loaded);
}
