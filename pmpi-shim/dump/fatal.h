/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHIM_FATAL_H
#define SHIM_FATAL_H

/* Errors that MPI ends the program for.  All of this in any thread. */
#include <mpi.h>

/* After MPI_Init. */
void fatal_start(void);

/* The program is about to set `handler`: it may go on after errors. */
void fatal_handled(MPI_Errhandler handler);

/* A communicator of ours has MPI_ERRORS_RETURN. */
void fatal_not_for(MPI_Comm comm);

/* Writes the records now, for the error is the program's end. */
void fatal_record(int code);
/*
 * The error handler is to be called for `code`: writes the records, if that is
 * the program's end.
 */
void fatal_expect(int code);
/* It was not. */
void fatal_went_on(void);

/*
 * Raises an error of ours, which MPI does not know of, in this thread's call;
 * the handler decides what happens.  Returns what the call is to return.
 */
int fatal_raise(MPI_Comm comm, int code);

#endif
