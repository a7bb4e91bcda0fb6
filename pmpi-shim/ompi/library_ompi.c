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

static bool is_mpich(void)
{
	return library_is_loaded("libmpich.so.12") ||
	       library_is_loaded("libmpi.so.12");
}

const char *library_other(void)
{
	return is_mpich() ? ABI_OTHER : NULL;
}

bool library_is_others(void)
{
	return is_mpich() && !library_is_loaded(LIBRARY);
}
