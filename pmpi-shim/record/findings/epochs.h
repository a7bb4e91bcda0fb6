/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHIM_EPOCHS_H
#define SHIM_EPOCHS_H

/*
 * Faults of one-sided calls that MPI lets pass.  Only a process's own accesses
 * are looked at: two to the same bytes in one epoch, and one to a process that
 * is not locked.  Only where BCS_STRICT has `buffers`.
 */

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#define EPOCHS_ACCESSES 512 /* of a window in an epoch that are compared */

enum epochs_how { EPOCHS_PUT, EPOCHS_GET, EPOCHS_READ, EPOCHS_ACCUMULATE };

struct epochs_access {
	int target;
	enum epochs_how how;
	int64_t at; /* in units of displacement of the target */
	int64_t bytes;
	uint64_t key; /* of the cell of the call, at this process */
};

/* Reads do no harm to each other, nor do accumulates. */
static inline bool epochs_harm(enum epochs_how a, enum epochs_how b)
{
	if (a == EPOCHS_GET || a == EPOCHS_READ)
		return b != EPOCHS_GET && b != EPOCHS_READ;
	return a != b || a == EPOCHS_PUT;
}

/* Once, behind all that changes the table of MPI's functions. */
void epochs_start(void);

/*
 * Copies the accesses that a fence of that window ends, at most
 * EPOCHS_ACCESSES, and returns their number.  None if the process has locks.
 */
unsigned epochs_accesses(MPI_Win win, struct epochs_access *to);

#endif
