/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Turns: slices that a thread runs at once, the large copies between them, and
 * what is left to the helper.
 */
#include "libbcs/demand/turn.h"
#include "libbcs/base/wake.h"
#include "libbcs/demand/base/row.h"
#include "libbcs/demand/base/token.h"
#include "libbcs/demand/coll/coll.h"
#include "libbcs/demand/engine.h"
#include "libbcs/demand/p2p/p2p.h"
#include "libbcs/demand/slice.h"

bool engine_has_work(struct engine *engine)
{
	return board_peek(&engine->inbox) || turn_is_left(engine);
}

bool engine_has_more(struct engine *engine)
{
	return engine_has_work(engine) || turn_has_streams(engine);
}

void engine_slice(struct engine *engine)
{
	engine->n_completed = 0;
	engine->n_moved = 0;
	engine->slice++;
	slice_run(engine);
}

bool engine_turn(struct engine *engine)
{
	unsigned completed;
	unsigned moved;

	if (!engine_has_work(engine))
		return false;
	if (!token_try(engine)) {
		/* Another thread runs one. */
		row_missed(engine);
		return false;
	}
	engine_slice(engine);
	completed = engine->n_completed;
	moved = engine->n_moved;
	token_give(engine);
	if (completed)
		wake_slot(engine->slot);
	return moved != 0;
}

/* A copy may have been the last that a collective's round waited for. */
static void rounds_run(struct engine *engine)
{
	if (!atomic_load_explicit(&engine->moved.n, memory_order_relaxed))
		return;
	token_take(engine);
	coll_run(engine);
	token_give(engine);
	wake_slot(engine->slot);
}

static bool copies_run(struct engine *engine, unsigned what)
{
	if (!p2p_stream(engine) &&
	    !((what & ENGINE_COPIES) && p2p_move(engine)))
		return false;
	rounds_run(engine);
	return true;
}

bool turn_stream(struct engine *engine)
{
	return copies_run(engine, 0);
}

bool engine_work(struct engine *engine, unsigned what)
{
	return copies_run(engine, what) ||
	       coll_work(engine, what & ENGINE_OPERATIONS);
}

bool engine_tidy(struct engine *engine)
{
	if (board_is_tidy(&engine->inbox) || !token_try(engine))
		return false;
	board_tidy(&engine->inbox);
	token_give(engine);
	return true;
}

void turn_hand_over(struct engine *engine)
{
	if (wake_before_slow)
		wake_before_slow();
	engine_turn(engine);
	engine_remote(engine);
	if (engine_has_more(engine) || engine_is_left_remote(engine))
		wake_helper(engine->slot);
}

void engine_leave(struct engine *engine)
{
	turn_leave(engine);
}
