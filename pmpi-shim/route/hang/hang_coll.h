/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHIM_HANG_COLL_H
#define SHIM_HANG_COLL_H

/* The collectives of requests that threads in a deadlock wait for. */
#include "pmpi-shim/route/hang/hang.h"
#include "pmpi-shim/route/hang/hang_words.h"

struct hang_graph {
	const struct deadlock_process *processes; /* by rank */
	hang_places *places;                      /* likewise */
	uint32_t n;
};

/*
 * Says which collective a want of a rank's thread is for, where it was begun,
 * and which ranks have not called it.  Says nothing, and returns false, if the
 * thread is in the call itself, or the collective may go on.
 */
bool hang_say_coll(struct hang_words *words, const struct hang_graph *graph,
		   uint32_t rank, const struct blocked_want *want);

#endif
