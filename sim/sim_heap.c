/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * A heap holds the processes that can run.  The one furthest behind in time
 * runs its next operation.  So a receive from any source gets the message that
 * was sent first.  A blocked process is not in the heap.  The process that ends
 * its wait puts it back.
 */
#include "sim/sim_inside.h"

uint32_t sim_heap_number(const struct sim_engine *engine,
			 const struct sim_process *process)
{
	return (uint32_t)(process - engine->processes);
}

bool sim_heap_is_before(const struct sim_engine *engine, uint32_t a, uint32_t b)
{
	const double at_a = engine->processes[a].now.last;
	const double at_b = engine->processes[b].now.last;

	return at_a < at_b || (at_a <= at_b && a < b);
}

static void sift_up(struct sim_engine *engine, uint32_t at)
{
	uint32_t *heap = engine->heap;
	const uint32_t moved = heap[at];

	for (; at && sim_heap_is_before(engine, moved, heap[(at - 1) / 2]);
	     at = (at - 1) / 2)
		heap[at] = heap[(at - 1) / 2];
	heap[at] = moved;
}

static void sift_down(struct sim_engine *engine)
{
	uint32_t *heap = engine->heap;
	const uint32_t moved = heap[0];
	uint32_t at = 0;
	uint32_t child;

	while ((child = 2 * at + 1) < engine->n_heap) {
		if (child + 1 < engine->n_heap &&
		    sim_heap_is_before(engine, heap[child + 1], heap[child]))
			child++;
		if (!sim_heap_is_before(engine, heap[child], moved))
			break;
		heap[at] = heap[child];
		at = child;
	}
	heap[at] = moved;
}

void sim_heap_put(struct sim_engine *engine, uint32_t process)
{
	engine->heap[engine->n_heap] = process;
	sift_up(engine, engine->n_heap++);
}

uint32_t sim_heap_take(struct sim_engine *engine)
{
	const uint32_t first = engine->heap[0];

	engine->heap[0] = engine->heap[--engine->n_heap];
	if (engine->n_heap)
		sift_down(engine);
	return first;
}

void sim_heap_resume(struct sim_engine *engine, struct sim_process *process,
		     struct sim_moment now)
{
	process->now = now;
	if (!process->blocked)
		return;
	process->blocked = false;
	/* The current process goes back to the heap after its operation. */
	if (process != engine->current)
		sim_heap_put(engine, sim_heap_number(engine, process));
}
