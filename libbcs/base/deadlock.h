/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_DEADLOCK_H
#define BCS_DEADLOCK_H

/*
 * Finds processes that wait for each other only.  From the graph of waits it
 * removes what may go on, then what may go on after that, and so on.  The rest
 * never will.
 */
#include "libbcs/base/board_blocked.h"

struct deadlock_process {
	bool is_blocked; /* `record` holds */
	uint32_t ended;  /* enum blocked_end */
	struct blocked_record record;
	/* The result: */
	bool is_dead;
	uint32_t groups; /* a bit for each that may go on */
};

/* By rank in the world.  Returns how many are dead. */
unsigned deadlock_find(struct deadlock_process *processes, uint32_t n);

#endif
