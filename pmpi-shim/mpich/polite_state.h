/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHIM_POLITE_STATE_H
#define SHIM_POLITE_STATE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * Between the deciding (polite.c), the watching (polite_ucx.c) and the doing
 * (polite_give.c, polite_unlock.c).
 */
struct polite_state {
	/* All accesses are relaxed: no other memory depends on them. */
	_Atomic unsigned share; /* polite_share(); 0: off */
	_Atomic uint64_t yields;
	_Atomic uint64_t sleeps;
	_Atomic uint64_t given_up; /* ticks */
};

extern struct polite_state polite_state;

static inline unsigned polite_state_share(void)
{
	return atomic_load_explicit(&polite_state.share, memory_order_relaxed);
}

/* Turns in vain of the calling thread, one after the other. */
struct polite_row {
	uint64_t begin;
	uint64_t end;  /* of its last turn, or of what followed on it */
	uint64_t own;  /* ns of them that are the program's, or may be */
	unsigned vain; /* yields in which nobody else ran, in a row */
};

extern __thread struct polite_row polite_row
	__attribute__((tls_model("initial-exec")));

/* UCX's ucp_worker_progress, wherever it was loaded; NULL if it was not. */
typedef unsigned polite_progress(void *worker);
polite_progress *polite_ucx_find(void);

/* Where MPICH calls UCX through us; NULL as long as it has not. */
const void *polite_ucx_caller(void);

/* Adds up to now what the calling thread waited for. */
void polite_account(uint64_t now);

/* Yields or sleeps, after a turn in vain and as long as there was one. */
void polite_give_up(unsigned share);

/*
 * From now on, where the library that `caller` lies in lets go of a mutex, a
 * thread does what it put off.  Nothing happens if that cannot be arranged.
 */
void polite_unlock_watch(const void *caller);

/*
 * Puts polite_give_up off until the calling thread unlocks its mutex. False if
 * the caller has to yield at once: nothing is watched, or the thread has
 * unlocked nothing since it put off the last one.
 */
bool polite_unlock_defer(unsigned share);

#endif
