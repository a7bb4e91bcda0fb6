/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The module's constants are variables of libmpichfort, told by their address.
 * The preload must load where that library is not, so they are looked up when
 * they are first needed.  A program may hold such a variable in a copy of its
 * own (a copy relocation), hence the search begins at the program.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "pmpi-shim/mpich/f08.h"

#define LIBRARY "libmpichfort.so.12"

/* A library that dlopen() loaded for one user alone is not seen from `where`.
 */
static void *look_up(void *where, const char *name)
{
	void *found = dlsym(where, name);
	void *library;

	if (!found) {
		library = dlopen(LIBRARY, RTLD_LAZY | RTLD_NOLOAD);
		found = library ? dlsym(library, name) : NULL;
	}
	if (!found) {
		fprintf(stderr,
			"bcs: no %s in this program: its mpi_f08 is not that "
			"of " LIBRARY "; run it without the preload\n",
			name);
		_exit(2);
	}
	return found;
}

f08_fn *f08_real(_Atomic(f08_fn *) *found, const char *name)
{
	/* Relaxed, for it leads to nothing that another thread wrote. */
	f08_fn *real = atomic_load_explicit(found, memory_order_relaxed);

	if (!real) {
		*(void **)&real = look_up(RTLD_NEXT, name);
		atomic_store_explicit(found, real, memory_order_relaxed);
	}
	return real;
}

static void *constant(_Atomic(void *) *found, const char *name)
{
	void *address = atomic_load_explicit(found, memory_order_relaxed);

	if (!address) {
		address = look_up(RTLD_DEFAULT, name);
		atomic_store_explicit(found, address, memory_order_relaxed);
	}
	return address;
}

MPI_Status *f08_status(MPI_Status *status)
{
	static _Atomic(void *) ignore;

	if (status == constant(&ignore, "MPIR_F08_MPI_STATUS_IGNORE_OBJ"))
		return MPI_STATUS_IGNORE;
	return status;
}

MPI_Status *f08_statuses(MPI_Status statuses[])
{
	static _Atomic(void *) ignore;

	if (statuses == constant(&ignore, "MPIR_F08_MPI_STATUSES_IGNORE_OBJ"))
		return MPI_STATUSES_IGNORE;
	return statuses;
}

#define IN_MODULE "__mpi_f08_link_constants_MOD_"

/* In C these are variables that hold an address. */
int *f08_weights(const int weights[])
{
	static _Atomic(void *) unweighted, empty;
	static _Atomic(void *) c_unweighted, c_empty;

	if (weights == constant(&unweighted, IN_MODULE "mpi_unweighted"))
		return *(int **)constant(&c_unweighted, "MPI_UNWEIGHTED");
	if (weights == constant(&empty, IN_MODULE "mpi_weights_empty"))
		return *(int **)constant(&c_empty, "MPI_WEIGHTS_EMPTY");
	return (int *)weights;
}

MPI_File f08_file_f2c(int file)
{
	static _Atomic(f08_fn *) found;

	return ((__typeof__(MPI_File_f2c) *)f08_real(&found, "MPI_File_f2c"))(
		file);
}

int f08_file_c2f(MPI_File file)
{
	static _Atomic(f08_fn *) found;

	return ((__typeof__(MPI_File_c2f) *)f08_real(&found, "MPI_File_c2f"))(
		file);
}

char *f08_string(const char *text, size_t len)
{
	for (; len > 0 && *text == ' '; len--)
		text++;
	while (len > 0 && text[len - 1] == ' ')
		len--;
	return strndup(text, len);
}
