/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHIM_ROUTE_SUMS_H
#define SHIM_ROUTE_SUMS_H

/*
 * Sums are folded in the order of MPICH's defaults.  Settings of MPICH's in the
 * environment may choose another for the program alone.
 */

/* Where messages are ours: says so once in a job, and in the record. */
void route_sums_tell(void);

#endif
