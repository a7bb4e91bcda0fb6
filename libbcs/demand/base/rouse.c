/* SPDX-License-Identifier: BSD-3-Clause */
#include "libbcs/demand/base/rouse.h"
#include "libbcs/base/wake.h"
#include "mds/base/clock.h"

/* The leader itself sees to it when it has let go of the token. */
void rouse_leader(struct engine *engine)
{
	if (engine->options.net)
		return;
	wake_slot(engine->options.leader);
	wake_helper(engine->options.leader);
}

void rouse_peer(struct engine *engine, uint32_t peer)
{
	if (engine_is_local(engine, peer))
		wake_helper(engine->slots[peer]);
	else
		rouse_leader(engine);
}

/*
 * To wake the peer's helper takes 5 us, or 40 us if its core sleeps.  In an
 * exchange the peer mostly woke the helper here a moment before.  That helper
 * wakes the peer's when this thread gives up its core.
 */
void rouse_later(struct engine *engine, uint32_t peer)
{
	if (!engine_is_local(engine, peer) ||
	    board_is_blocked(engine->slots[peer]) ||
	    !wake_helper_is_awake(engine->slot)) {
		rouse_peer(engine, peer);
		return;
	}
	atomic_store_explicit(&engine->slots[peer]->called, 1,
			      memory_order_relaxed);
	atomic_store(&engine->outboxes[peer].deferred_since, clock_ticks());
	atomic_store(&engine->has_deferred, true);
	if (!wake_helper_is_awake(engine->slot)) /* any more */
		rouse_deferred(engine);
}

void rouse_deferred(struct engine *engine)
{
	uint64_t since;

	if (!atomic_load(&engine->has_deferred) ||
	    !atomic_exchange(&engine->has_deferred, false))
		return;
	for (uint32_t peer = 0; peer < engine->n_slots; peer++) {
		since = atomic_exchange(&engine->outboxes[peer].deferred_since,
					0);
		if (since)
			wake_helper_since(engine->slots[peer], since);
	}
}
