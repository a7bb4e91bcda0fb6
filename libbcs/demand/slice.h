/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_SLICE_H
#define BCS_SLICE_H

/*
 * A slice: its microphases, one after the other.  Where slices are on record
 * (mds/emds.h) it also says what it did.  All with the token.
 */
#include "libbcs/demand/engine.h"
#include "mds/clock.h"

void slice_run(struct engine *engine);

/* No more slices; what is left of their record. */
void slice_end(struct engine *engine);

/* Something that takes time begins, if that is on record; and ends. */
static inline uint64_t slice_stamp(const struct engine *engine)
{
	return engine->options.emds ? clock_ticks() : 0;
}

static inline void slice_spent(struct engine *engine, enum emds_column on,
			       uint64_t since)
{
	if (since)
		engine->row.value[on] += clock_ticks() - since;
}

/* The same without the token. */
static inline void slice_spent_poking(struct engine *engine, uint64_t since)
{
	if (since)
		atomic_fetch_add_explicit(&engine->poking,
					  clock_ticks() - since,
					  memory_order_relaxed);
}

/* A look in vain for one to begin. */
static inline void slice_missed(struct engine *engine)
{
	if (engine->options.emds)
		atomic_fetch_add_explicit(&engine->missed, 1,
					  memory_order_relaxed);
}

#endif
