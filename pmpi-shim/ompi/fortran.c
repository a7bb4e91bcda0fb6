/* SPDX-License-Identifier: BSD-3-Clause */

/* Tells the Fortran procedure that a call comes from, by its symbol. */
#include "pmpi-shim/ompi/fortran.h"

#include <ctype.h>
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "abi.h"
#include "pmpi-shim/pmpi.h"
#include "pmpi-shim/shim.h"

static bool is_fortrans(const char *file)
{
	const char *base = strrchr(file, '/');

	return strncmp(base ? base + 1 : file, ABI_FORTRAN,
		       strlen(ABI_FORTRAN)) == 0;
}

/*
 * The ends of names such as ompi_send_f, mpi_send_ and mpi_send_f08_.  The last
 * is version 6's.
 */
static bool is_ending(const char *text)
{
	static const char *const endings[] = { "",      "_",    "__",     "_f",
					       "_f08_", "_f08", "_f08ts_" };

	for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++)
		if (strcasecmp(text, endings[i]) == 0)
			return true;
	return false;
}

/* Version 6 has ompi_send_wrapper_f08, and ompi_send_wrapper_f08_c beside it.
 */
static bool is_wrapper(const char *text, const char *name)
{
	const int len = (int)strlen(name);
	const bool large = len > 2 && strcmp(name + len - 2, "_c") == 0;
	char wrapper[128];

	snprintf(wrapper, sizeof(wrapper), "%.*s_wrapper_f08%s",
		 large ? len - 2 : len, name, large ? "_c" : "");
	return strcasecmp(text, wrapper) == 0;
}

/* `symbol` may have any of the spellings of a procedure; `name` is MPI_Send. */
static bool is_procedure(const char *symbol, const char *name)
{
	const size_t len = strlen(name + 4);
	const char *at = strchr(symbol, '_');

	if (!at)
		return false;
	return is_wrapper(at + 1, name + 4) ||
	       (strncasecmp(at + 1, name + 4, len) == 0 &&
		is_ending(at + 1 + len));
}

static bool is_from(const void *ra, const char *name)
{
	Dl_info info;

	return dladdr((const char *)ra - 1, &info) && info.dli_sname &&
	       is_fortrans(info.dli_fname) &&
	       is_procedure(info.dli_sname, name);
}

bool fortran_calls_slow(struct fortran_callers *known, const void *ra,
			const char *name)
{
	const bool is = is_from(ra, name);

	pmpi_load();
	atomic_store_explicit(is ? &known->fortrans : &known->others,
			      (uintptr_t)ra, memory_order_relaxed);
	return is;
}

/*
 * Nothing is passed on: MPI does nothing either.  The procedure ends in this
 * call, whose return address is therefore the program's.
 */
#undef PMPI_Pcontrol
SHIM_EXPORT int PMPI_Pcontrol(const int level, ...)
{
	return MPI_Pcontrol(level);
}
