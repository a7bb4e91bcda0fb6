/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHIM_F08_H
#define SHIM_F08_H

/*
 * Helpers that the wrappers of the mpi_f08 module share, both generated and
 * written by hand. The module's procedures take every argument by address.
 * Statuses and handles lie in memory as in C, except handles of files, so their
 * addresses are passed on as they are. Any thread may call these functions once
 * MPI is loaded.
 */
#include <stdatomic.h>
#include <stddef.h>

#include "pmpi-shim/shim.h"

typedef void f08_fn(void);

/*
 * The MPI library's own function of that name, which `found` remembers.  Ends
 * the program with a message if it has none.
 */
f08_fn *f08_real(_Atomic(f08_fn *) *found, const char *name);

/* The C constant, where Fortran passes its own constant of that name. */
MPI_Status *f08_status(MPI_Status *status);
MPI_Status *f08_statuses(MPI_Status statuses[]);
int *f08_weights(const int weights[]);

/* MPI_File_f2c() and MPI_File_c2f(), the only ones that are not just casts. */
MPI_File f08_file_f2c(int file);
int f08_file_c2f(MPI_File file);

/*
 * A C string of a Fortran one, without the blanks at both ends.  The caller
 * frees it.  NULL, which MPI refuses, when there is no memory.
 */
char *f08_string(const char *text, size_t len);

/* Fortran's index of a request in an array (f08_indices.c). */
int f08_index(int index);
void f08_indices(int n, int indices[]);

/* True is 1 in Fortran. */
static inline void f08_logicals(int values[], int n)
{
	for (int i = 0; i < n; i++)
		values[i] = values[i] != 0;
}

static inline void f08_error(int *ierror, int rc)
{
	if (ierror)
		*ierror = rc;
}

#endif
