/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Every error of Open MPI comes by here with the handler that it is for.  If
 * that ends the program, the records are written before.
 */
#include <dlfcn.h>

#include "abi.h"
#include "pmpi-shim/dump/fatal.h"
#include "pmpi-shim/library.h"
#include "pmpi-shim/shim.h"

#define NAME "ompi_errhandler_invoke"

typedef int invoke(MPI_Errhandler handler, void *object, int kind, int code,
		   const char *message);

SHIM_EXPORT invoke ompi_errhandler_invoke;

static invoke *_Atomic real;

/* RTLD_NEXT would not find a library that dlopen() opened for itself. */
void fatal_start(void)
{
	void *library;
	void *found = library_find(&library) ? dlsym(library, NAME) : NULL;

	real = *(invoke **)&found;
}

/* An error without a handler ends the program. */
static bool ends(MPI_Errhandler handler)
{
	return !handler || abi_handler_is_fatal(handler);
}

int ompi_errhandler_invoke(MPI_Errhandler handler, void *object, int kind,
			   int code, const char *message)
{
	int rc;

	if (!real)
		fatal_start();
	if (!real)
		return code;
	if (!ends(handler))
		return real(handler, object, kind, code, message);
	fatal_record(code);
	rc = real(handler, object, kind, code, message);
	fatal_went_on();
	return rc;
}
