/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHIM_EPOCHS_H
#define SHIM_EPOCHS_H

/*
 * Faults of one-sided calls that MPI lets pass.  Only a process's own accesses
 * are looked at: two to the same bytes in one epoch, and one to a process that
 * is not locked.  Only where BCS_STRICT has `buffers`.
 */

/* Once, behind all that changes the table of MPI's functions. */
void epochs_start(void);

#endif
