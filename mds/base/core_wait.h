/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_CORE_WAIT_H
#define BCS_CORE_WAIT_H

#include <stdbool.h>
#include <stdint.h>

/*
 * How long a thread waited for a core, since it began: it was ready to run, and
 * others ran.  Linux counts that in /proc/PID/task/TID/schedstat.
 */

/* Reads it, in ns, from such an open file.  Is async-signal-safe. */
bool core_wait_read(int fd, uint64_t *ns);

#endif
