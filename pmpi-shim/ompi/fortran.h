/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef OMPI_FORTRAN_H
#define OMPI_FORTRAN_H

/*
 * Fortran programs.  Open MPI's Fortran procedures convert their arguments and
 * call the PMPI function in C.  That is so in mpif.h, `use mpi` and `use
 * mpi_f08`.  So the preload has PMPI functions of its own.  A call from a
 * Fortran procedure goes to the wrapper as if the program had made it.  Any
 * other call is passed on: a PMPI name is not recorded.
 */
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* The return addresses of a function's last calls, by the answer for them. */
struct fortran_callers {
	_Atomic uintptr_t fortrans;
	_Atomic uintptr_t others;
};

/*
 * Whether `ra` returns to Open MPI's Fortran procedure for MPI function `name`.
 * Some procedures call another function beside their own, as mpi_gatherv_ asks
 * for the communicator's size: those are Open MPI's own calls.
 */
bool fortran_calls_slow(struct fortran_callers *known, const void *ra,
			const char *name);

static inline bool fortran_calls(struct fortran_callers *known, const void *ra,
				 const char *name)
{
	const uintptr_t at = (uintptr_t)ra;

	/* Relaxed, for they lead to nothing that another thread wrote. */
	if (atomic_load_explicit(&known->fortrans, memory_order_relaxed) == at)
		return true;
	if (atomic_load_explicit(&known->others, memory_order_relaxed) == at)
		return false;
	return fortran_calls_slow(known, ra, name);
}

#endif
