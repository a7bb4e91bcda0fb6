/* SPDX-License-Identifier: BSD-3-Clause */

/* Finds MPICH, or names another MPI that the program has. */
#include <dlfcn.h>
#include <stddef.h>

#include "abi.h"
#include "pmpi-shim/library.h"

/* MPICH, and those that share its binary interface under another name. */
bool library_find(void **library)
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

const char *library_other(void)
{
	static const struct library_file others[] = {
		{ "libmpi.so.40", ABI_OTHER },
		/* MPICH has it, too, but handles are pointers there. */
		{ "libmpi_abi.so.", "the standard ABI of MPI 5 (libmpi_abi)" },
		{ NULL, NULL },
	};

	if (dlsym(RTLD_DEFAULT, "ompi_mpi_comm_world"))
		return ABI_OTHER;
	return library_loaded(others);
}
