/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_SLICE_TALLY_H
#define BCS_SLICE_TALLY_H

#include <stdatomic.h>
#include <stdint.h>

/*
 * Counts what the slices of a node have done so far.  The node's leader writes
 * it when a slice is over.  Other threads may read it at any time; the numbers
 * may then be of two slices in a row.
 */
struct slice_tally {
	_Alignas(64) _Atomic uint64_t slice; /* the last one that ran */
	_Atomic uint64_t length_ns;          /* 0: none has run here */
	_Atomic uint64_t budget;             /* bytes that a slice may move */
	_Atomic uint64_t n;                  /* slices that ran */
	_Atomic uint64_t bytes;              /* that they moved, of budgets */
	_Atomic uint64_t ticks;              /* that they took */
};

static inline uint64_t slice_tally_get(const _Atomic uint64_t *value)
{
	return atomic_load_explicit(value, memory_order_relaxed);
}

static inline void slice_tally_set(_Atomic uint64_t *value, uint64_t to)
{
	atomic_store_explicit(value, to, memory_order_relaxed);
}

/* Only one thread may write. */
static inline void slice_tally_add(_Atomic uint64_t *value, uint64_t more)
{
	slice_tally_set(value, slice_tally_get(value) + more);
}

#endif
