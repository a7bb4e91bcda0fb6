/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_DEADLOCK_H
#define BCS_DEADLOCK_H

/*
 * Which processes wait for each other only.  All that may go on is taken away
 * from the graph of who waits for whom, and then what may go on when that did;
 * what is left never will.
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

/* How many of them are dead. */
unsigned deadlock_find(struct deadlock_process *processes, uint32_t n);

#endif
