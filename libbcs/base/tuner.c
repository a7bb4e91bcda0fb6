/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Decides which of two alternatives is tried or used next, by their measured
 * times.
 */
#include <stdbool.h>
#include <stddef.h>

#include "libbcs/base/tuner.h"

/* Relaxed: if two threads update at once, one update is lost, which is fine. */
static uint32_t get(const _Atomic uint32_t *word)
{
	return atomic_load_explicit(word, memory_order_relaxed);
}

static void set(_Atomic uint32_t *word, uint32_t value)
{
	atomic_store_explicit(word, value, memory_order_relaxed);
}

static bool is_hopeless(const struct tuner *tuner, unsigned way)
{
	const uint32_t least = get(&tuner->cost[!way]);

	return least && get(&tuner->cost[way]) / 2 > least;
}

static bool is_trial(const struct tuner *tuner, unsigned way, uint32_t n)
{
	return n < TUNER_GLANCE ||
	       (n < TUNER_TRIAL && !is_hopeless(tuner, way));
}

unsigned tuner_next(const struct tuner *tuner, const struct tuner_turns *turns)
{
	const unsigned better = get(&tuner->cost[1]) < get(&tuner->cost[0]);

	return is_trial(tuner, !better, get(&turns->n) % TUNER_ROUND) ? !better
								      : better;
}

unsigned tuner_choose(const struct tuner *tuner, struct tuner_turns *turns)
{
	const unsigned way = tuner_next(tuner, turns);

	set(&turns->n, get(&turns->n) + 1);
	return way;
}

static uint32_t cost_make(uint64_t ticks, uint64_t bytes)
{
	const uint64_t cost = ticks * 4096 / bytes;

	if (cost > UINT32_MAX / 2)
		return UINT32_MAX / 2;
	return cost ? (uint32_t)cost : 1;
}

/*
 * A running mean of the last few, because operations differ.  A single slow
 * one, say by an interrupt, counts for little.  A very fast one replaces the
 * mean: earlier ones were slowed, by page faults for example.
 */
static uint32_t cost_mean(uint32_t before, uint32_t now)
{
	const uint32_t most = before + before / 2 + 1;

	if (now < before / 2 || !before)
		return now;
	if (now > most)
		now = most;
	return before - before / 4 + now / 4 + (now > before);
}

/*
 * True if this operation is timed.  In a long row only some are, because each
 * write of the shared cost takes its cache line from the other process.
 */
static bool counts(struct tuner_turns *turns, unsigned way)
{
	const uint32_t same = get(&turns->way) == way ? get(&turns->same) : 0;

	set(&turns->way, way);
	set(&turns->same, same + 1);
	return same >= TUNER_WARM &&
	       (same < TUNER_TRIAL || same % TUNER_EVERY == 0);
}

static void took(const struct tuner_run *run, uint64_t ticks)
{
	_Atomic uint32_t *cost = &run->tuner->cost[run->way];

	/* The first is always taken, as nothing is known. */
	if (counts(run->turns, run->way) || !get(cost))
		set(cost, cost_mean(get(cost), cost_make(ticks, run->bytes)));
}

void tuner_end(struct tuner_run *run, uint64_t now)
{
	if (run->tuner)
		took(run, now - run->since);
	run->tuner = NULL;
}
