/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Descriptor exchange: the Buffer Receiver takes descriptors from the inbox.
 * It moves no payload.  So a message whose receive is posted goes from the
 * board straight to its buffer.  The helper leaves descriptors that are still
 * being written, for it never waits with the token.
 */
#include "libbcs/base/tuning.h"
#include "libbcs/demand/base/token.h"
#include "libbcs/demand/engine.h"

/* Before the look: what comes after it is called for anew. */
static void look_called(struct engine *engine)
{
	_Atomic uint32_t *called = &engine->slot->called;

	if (atomic_load_explicit(called, memory_order_relaxed) &&
	    atomic_exchange(called, 0))
		engine->called = true;
}

void dem_run(struct engine *engine)
{
	struct board_cell *cell;
	uint64_t lines = 0;
	unsigned n = 0;

	look_called(engine);
	while (n < ENGINE_BATCH && (cell = board_next(&engine->inbox, lines))) {
		if (board_is_early(cell) && token_is_helpers() &&
		    !board_is_whole(cell))
			break;
		__builtin_prefetch(cell + DEM_AHEAD);
		engine->cells[n++] = cell;
		lines += board_lines_of(cell);
	}
	engine->n_cells = n;
	if (n)
		atomic_store_explicit(&engine->from, engine->cells[n - 1]->from,
				      memory_order_relaxed);
}
