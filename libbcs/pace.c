/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdbool.h>

#include "libbcs/pace.h"

static uint32_t cost_of(const struct pace *pace, unsigned way)
{
	return atomic_load_explicit(&pace->cost[way], memory_order_relaxed);
}

static bool is_hopeless(const struct pace *pace, unsigned way)
{
	const uint32_t least = cost_of(pace, !way);

	return least && cost_of(pace, way) / 2 > least;
}

static bool is_trial(const struct pace *pace, unsigned way, uint32_t n)
{
	return n < PACE_GLANCE || (n < PACE_TRIAL && !is_hopeless(pace, way));
}

unsigned pace_choose(struct pace *pace)
{
	const unsigned better = cost_of(pace, 1) < cost_of(pace, 0);
	const uint32_t n = atomic_fetch_add_explicit(&pace->n, 1,
						     memory_order_relaxed);

	return is_trial(pace, !better, n % PACE_ROUND) ? !better : better;
}

static uint32_t cost_make(uint64_t ticks, uint64_t bytes)
{
	const uint64_t cost = ticks * 4096 / bytes;

	if (cost > UINT32_MAX / 2)
		return UINT32_MAX / 2;
	return cost ? (uint32_t)cost : 1;
}

/* What happens once, an interruption say, is not what it takes. */
static uint32_t cost_raise(uint32_t before, uint32_t now)
{
	const uint32_t most = before + before / 8 + 1;

	return before && now > most ? most : now;
}

void pace_took(struct pace *pace, unsigned way, uint64_t ticks, uint64_t bytes)
{
	atomic_store_explicit(
		&pace->cost[way],
		cost_raise(cost_of(pace, way), cost_make(ticks, bytes)),
		memory_order_relaxed);
}
