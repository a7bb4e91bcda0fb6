/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_PRELOAD_H
#define BCS_PRELOAD_H

/*
 * Puts the recorder of the command's MPI before all others in LD_PRELOAD of the
 * environment.  Returns 0, or -errno after it has said why not.
 */
int preload_set(char *const *command);

#endif
