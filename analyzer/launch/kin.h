/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_KIN_H
#define BCS_KIN_H

#include <stdbool.h>
#include <sys/types.h>

/*
 * Sends `signal` to each descendant of process `root`, and to itself, that has
 * a handler for it: to the others it could be the end.  Returns how many got
 * it.
 */
unsigned kin_signal(pid_t root, int signal);

/* Ends process `root` and all its descendants at once. */
void kin_kill(pid_t root);

/* Whether the process is `root`, or a descendant of it. */
bool kin_descends(pid_t pid, pid_t root);

#endif
