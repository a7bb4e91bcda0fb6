/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHIM_OUTSIDE_H
#define SHIM_OUTSIDE_H

/*
 * Calls before MPI_Init or after MPI_Finalize.  MPICH ends the program within
 * such a call, unless MPI allows it.
 */
#include <stdint.h>

#include "pmpi-shim/shim.h"

/* The calling thread is about to make one.  The addresses are the wrapper's. */
void outside_note(enum shim_call call, const void *ra, const void *fa);

/* Whether the calling thread, which ends the program, is still in it. */
bool outside_is_now(void);

/* Makes it a finding of the record that is about to be written. */
void outside_tell(struct mmds_thread *thread);

#endif
