/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHIM_LIBRARY_H
#define SHIM_LIBRARY_H

/* Which MPI library the program has.  mpich/ and ompi/ each answer this. */
#include <stdbool.h>

/* The library that the preload is for, as dlsym() takes it; false: not yet. */
bool library_find(void **library);

/* Another MPI of the program, whose handles are laid out otherwise; or NULL. */
const char *library_other(void);

/* How a library's file name begins, and what MPI that is. */
struct library_file {
	const char *begin; /* NULL ends a list */
	const char *name;
};

/*
 * The MPI of the first loaded library that is in the list; NULL: none is.  This
 * looks at libraries that are loaded: dlopen() would look for each file on the
 * disk, which takes 0.2 ms.
 */
const char *library_loaded(const struct library_file *files);

/* Whether the preload for the other MPI is beside this one. */
bool library_has_other(void);

#endif
