/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef OMPI_FORTRAN_H
#define OMPI_FORTRAN_H

/*
 * Fortran programs.  All of Open MPI's Fortran procedures, of mpif.h, of `use
 * mpi` and of `use mpi_f08`, end in a call of the PMPI function in C, with
 * their arguments converted.  So the preload has PMPI functions of its own.
 * A call from a Fortran procedure goes to the wrapper as if the program had
 * made it.  Any other call is passed on: a PMPI name is not recorded.
 */
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * Whether `ra` returns to Open MPI's Fortran procedure for MPI function `name`.
 * Some procedures call another function beside their own, as mpi_gatherv_ asks
 * for the communicator's size: those are Open MPI's own calls.  `known` keeps
 * the last address for which the answer was yes.
 */
bool fortran_calls_slow(_Atomic uintptr_t *known, const void *ra,
			const char *name);

static inline bool fortran_calls(_Atomic uintptr_t *known, const void *ra,
				 const char *name)
{
	/* Relaxed, for it leads to nothing that another thread wrote. */
	return atomic_load_explicit(known, memory_order_relaxed) ==
		       (uintptr_t)ra ||
	       fortran_calls_slow(known, ra, name);
}

#endif
