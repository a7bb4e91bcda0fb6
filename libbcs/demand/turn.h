/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_TURN_H
#define BCS_TURN_H

/*
 * Whether a turn would have something to do.  A thread that turns to something
 * else hands it over to the helper.
 */
#include "libbcs/demand/base/state.h"

static inline bool turn_is_left(const struct engine *engine)
{
	return atomic_load_explicit(&engine->local, memory_order_relaxed) ||
	       atomic_load_explicit(&engine->n_jobs, memory_order_relaxed) ||
	       atomic_load_explicit(&engine->work.n, memory_order_relaxed);
}

static inline bool turn_has_streams(const struct engine *engine)
{
	return atomic_load_explicit(&engine->n_streams, memory_order_relaxed);
}

/* Moves a stream further, and what waited for its end. */
bool turn_stream(struct engine *engine);

/* Does what it can, and wakes the helper for the rest. */
void turn_hand_over(struct engine *engine);

static inline void turn_leave(struct engine *engine)
{
	if (turn_is_left(engine) || turn_has_streams(engine) ||
	    engine_is_left_remote(engine))
		turn_hand_over(engine);
}

#endif
