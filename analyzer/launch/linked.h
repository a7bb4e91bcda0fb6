/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_LINKED_H
#define BCS_LINKED_H

#include <stdbool.h>

/*
 * Whether a word of the command is the path of a program that is linked with
 * Open MPI.  A script, or a program that opens MPI later, does not tell.
 */
bool linked_with_open_mpi(char *const *command);

#endif
