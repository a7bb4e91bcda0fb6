/* SPDX-License-Identifier: BSD-3-Clause */

/* Fills the table of the real MPI by dlsym. */
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
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

/* MPIs whose handles are not laid out as MPICH's, by their files. */
static const struct other {
	const char *file;
	const char *name;
} others[] = {
	{ "libmpi.so.40", "Open MPI" },
	/* MPICH has it, too, but handles are pointers there. */
	{ "libmpi_abi.so.", "the standard ABI of MPI 5 (libmpi_abi)" },
};

static int look_at(struct dl_phdr_info *library, size_t size, void *found)
{
	const char *slash = strrchr(library->dlpi_name, '/');
	const char *file = slash ? slash + 1 : library->dlpi_name;
	const struct other **other = found;

	(void)size;
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (strncmp(file, others[i].file, strlen(others[i].file)) == 0)
			*other = &others[i];
	return *other != NULL;
}

/*
 * The program's MPI, or NULL if its handles are laid out as MPICH's.  This
 * looks at libraries that are loaded: dlopen() would look for each file on the
 * disk, which takes 0.2 ms.
 */
static const char *other_mpi(void)
{
	const struct other *found = NULL;

	if (dlsym(RTLD_DEFAULT, "ompi_mpi_comm_world"))
		return others[0].name;
	dl_iterate_phdr(look_at, &found);
	return found ? found->name : NULL;
}

static void refuse(const char *mpi)
{
	fprintf(stderr,
		"bcs: this program uses %s; libbcs-pmpi.so is for MPICH's own "
		"interface: build it with mpicc.mpich, or run it without the "
		"preload\n",
		mpi);
	_exit(2);
}

bool pmpi_load(void)
{
	void **table = (void **)&shim_pmpi;
	void *library;
	const char *other;

	if (atomic_load(&loaded))
		return true;
	other = other_mpi();
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
