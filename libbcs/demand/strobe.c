/* SPDX-License-Identifier: BSD-3-Clause */
#include <sched.h>
#include <time.h>

#include "libbcs/demand/engine.h"
#include "libbcs/demand/slice.h"
#include "libbcs/demand/strobe.h"
#include "mds/clock.h"

/* What it may take from a timer's time to the thread's running again. */
#define WAKE_NS 120000

/* It is moved, so who needs it twice gets it once. */
static uint64_t zero_now(const struct engine *engine)
{
	return engine->options.zero_ns +
	       atomic_load_explicit(&engine->slots[0]->zero_moved,
				    memory_order_relaxed);
}

static uint64_t slice_now(const struct engine *engine)
{
	return (clock_monotonic_ns() - zero_now(engine)) /
	       engine->options.slice_ns;
}

static uint64_t begin_of_next(const struct engine *engine)
{
	const uint64_t slice_ns = engine->options.slice_ns;
	const uint64_t now = clock_monotonic_ns();

	return now + slice_ns - (now - zero_now(engine)) % slice_ns;
}

void strobe_post_by_time(struct engine *engine)
{
	engine->slice = slice_now(engine) + 1;
}

static uint64_t due_of(const struct op *op)
{
	return atomic_load_explicit(&op->due, memory_order_relaxed);
}

static void close_due(struct engine *engine)
{
	struct op *op;

	while (engine->closing.first &&
	       due_of(engine->closing.first) <= engine->slice) {
		op = op_list_take(&engine->closing);
		engine_local_remove(engine);
		engine_show_done(engine, op);
	}
}

/* Where the zero was moved on, a slice may seem to come once more. */
static bool is_over(const struct engine *engine, uint64_t slice)
{
	return slice >
	       atomic_load_explicit(&engine->last, memory_order_relaxed);
}

static bool receive_by_time(struct engine *engine)
{
	const uint64_t since = clock_monotonic_ns() - zero_now(engine);
	const uint64_t slice = since / engine->options.slice_ns;

	if (!is_over(engine, slice)) {
		slice_missed(engine);
		return false;
	}
	atomic_store_explicit(&engine->last, slice, memory_order_relaxed);
	engine->slice = slice;
	engine->left = engine->options.budget;
	engine->late_ns = since % engine->options.slice_ns;
	close_due(engine);
	return true;
}

bool strobe_receive(struct engine *engine)
{
	if (engine->options.slice_ns)
		return receive_by_time(engine);
	engine->slice++;
	return true;
}

bool strobe_beats_always(const struct engine *engine)
{
	return engine->options.slice_ns && engine->options.emds &&
	       engine->options.emds->every;
}

bool strobe_beats(const struct engine *engine)
{
	return strobe_beats_always(engine) &&
	       is_over(engine, slice_now(engine));
}

void strobe_close(struct engine *engine, struct op *op, uint32_t slice)
{
	const uint32_t ago = (uint32_t)engine->slice - slice;

	/* Another process may have begun the next a moment before. */
	if (ago != 0 && ago < UINT32_MAX / 2) {
		engine_show_done(engine, op);
		return;
	}
	atomic_store_explicit(&op->due, engine->slice + 1,
			      memory_order_relaxed);
	op_list_add(&engine->closing, op);
	engine_local_add(engine);
}

static void sleep_until(uint64_t ns)
{
	const struct timespec at = { .tv_sec = (time_t)(ns / 1000000000),
				     .tv_nsec = (long)(ns % 1000000000) };

	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL);
}

void strobe_sleep(const struct engine *engine)
{
	sleep_until(begin_of_next(engine));
}

void strobe_wait(const struct engine *engine)
{
	const uint64_t next = begin_of_next(engine);

	sleep_until(next - WAKE_NS);
	while (clock_monotonic_ns() < next)
		sched_yield();
}
