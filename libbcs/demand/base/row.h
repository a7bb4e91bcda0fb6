/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_ROW_H
#define BCS_ROW_H

/*
 * The current row of the record of slices (mds/emds/emds.h), if slices are
 * recorded. Functions need the token unless they say otherwise.
 */
#include "libbcs/demand/base/state.h"
#include "mds/base/clock.h"

/* Begins and ends to time something, if slices are recorded. */
static inline uint64_t row_stamp(const struct engine *engine)
{
	return engine->options.emds ? clock_ticks() : 0;
}

static inline void row_spent(struct engine *engine, enum emds_column on,
			     uint64_t since)
{
	if (since)
		engine->row.value[on] += clock_ticks() - since;
}

/* Counts time spent in `poke`; needs no token. */
static inline void row_spent_poking(struct engine *engine, uint64_t since)
{
	if (since)
		atomic_fetch_add_explicit(&engine->poking,
					  clock_ticks() - since,
					  memory_order_relaxed);
}

/* Counts a turn that did not begin, because another thread runs one. */
static inline void row_missed(struct engine *engine)
{
	if (engine->options.emds)
		atomic_fetch_add_explicit(&engine->missed, 1,
					  memory_order_relaxed);
}

#endif
