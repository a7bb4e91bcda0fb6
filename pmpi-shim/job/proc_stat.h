/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHIM_PROC_STAT_H
#define SHIM_PROC_STAT_H

#include <stdint.h>
#include <sys/types.h>

/*
 * When a process began, in the kernel's own units; 0 if there is none of that
 * pid.  May be called from a signal handler.
 */
uint64_t proc_stat_started(pid_t pid);

/* Threads of this process; 0: unknown. */
int proc_stat_threads(void);
/* Their numbers, of at most so many.  Returns how many. */
unsigned proc_stat_tasks(pid_t tasks[], unsigned most);

#endif
