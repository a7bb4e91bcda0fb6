/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHIM_POLITE_STATE_H
#define SHIM_POLITE_STATE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * Between the deciding (polite.c) and the doing (polite_ucx.c).  All accesses
 * are relaxed: no other memory depends on them.
 */
struct polite_state {
	_Atomic unsigned share; /* polite_share(); 0: off */
	_Atomic bool contended;
	_Atomic uint64_t yields;
	_Atomic uint64_t sleeps;
	_Atomic uint64_t given_up; /* ticks */
};

extern struct polite_state polite_state;

/* UCX's ucp_worker_progress, wherever it was loaded; NULL if it was not. */
typedef unsigned polite_progress(void *worker);
polite_progress *polite_ucx_find(void);

/* Whether MPICH calls UCX through us: false as long as it has not. */
bool polite_ucx_reached(void);

#endif
