/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_RUN_ALIVE_H
#define BCS_RUN_ALIVE_H

#include <stdint.h>

enum run_alive {
	RUN_ALIVE,
	RUN_STOPPED, /* by a signal */
	RUN_ENDED,
	RUN_UNKNOWN, /* on another machine, or it may not be looked at */
};

/*
 * Whether a process of that host still runs.  `started` is when it began, as
 * /proc has it, which tells it from a later process of the same pid.
 */
enum run_alive run_alive(const char *host, uint64_t pid, uint64_t started);

#endif
