/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Finds Open MPI.  Its PMPI functions are looked up in its own library: those
 * that the program sees are the preload's (fortran.h).
 */
#include <dlfcn.h>
#include <stddef.h>

#include "abi.h"
#include "pmpi-shim/library.h"

#define LIBRARY "libmpi.so.40"

bool library_find(void **library)
{
	*library = dlopen(LIBRARY, RTLD_LAZY | RTLD_NOLOAD);
	if (*library)
		ompi_constants_find(*library);
	return *library;
}

const char *library_other(void)
{
	static const struct library_file others[] = {
		{ "libmpich.so.12", ABI_OTHER },
		{ "libmpi.so.12", ABI_OTHER },
		{ NULL, NULL },
	};

	return library_loaded(others);
}
