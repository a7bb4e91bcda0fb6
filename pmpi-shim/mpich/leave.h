/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_LEAVE_H
#define BCS_LEAVE_H

/*
 * Before PMPI_Finalize: waits until all processes have what was sent to them,
 * where MPICH would leave it behind.  Collective over the world.
 */
void leave_together(void);

#endif
