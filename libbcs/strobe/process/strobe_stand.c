/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * A process's part of a known state.  Once nothing is under way, the leader's
 * state word tells all processes of the node to stop.
 *
 * A thread follows that word where it enters the engine and where it waits, and
 * nowhere else.  There it has seen all results of slices before the boundary,
 * and has not posted its next descriptor.  So each of its operations is done at
 * both sides, or at none.
 */
#include <sched.h>

#include "libbcs/base/tuning.h"
#include "libbcs/strobe/process/strobe_process.h"
#include "mds/base/futex.h"

static uint32_t state_of(const struct strobe *strobe)
{
	return atomic_load(&strobe->head->state);
}

static void call_hooks(struct strobe *strobe)
{
	const struct strobe_known known = {
		.slice = atomic_load(&strobe->head->boundary),
		.open = strobe_engine_n_open(strobe),
		.messages = atomic_load(&strobe->slot->messages),
	};

	if (strobe->options.known)
		strobe->options.known(&known);
}

/* The process has done what the state asks for, and waits for the next one. */
static void wait_in(struct strobe *strobe, uint32_t state)
{
	atomic_store(&strobe->slot->stopped, state);
	strobe_tell_leader(strobe);
	while (state_of(strobe) == state) {
		if (strobe->options.poke)
			strobe->options.poke();
		futex_wait(&strobe->head->state, state, STROBE_POKE_NS);
	}
}

static void stand(struct strobe *strobe)
{
	uint32_t state = state_of(strobe);

	for (; state & STROBE_STOPPING; state = state_of(strobe)) {
		if ((state & STROBE_STOPPING) == STROBE_CALLS)
			call_hooks(strobe);
		wait_in(strobe, state);
	}
}

/* A clock that is behind shows later what the last slice did. */
static bool is_shown(struct strobe *strobe)
{
	if (!strobe_dma_due(strobe))
		return true;
	if (!strobe_dma_run(strobe))
		sched_yield();
	return false;
}

void strobe_stand(struct strobe *strobe)
{
	const uint32_t state = state_of(strobe);

	if (!(state & STROBE_STOPPING) || !is_shown(strobe))
		return;
	/* One thread stops for the process, the others wait for it. */
	if (atomic_exchange(&strobe->stopping, 1)) {
		futex_wait(&strobe->head->state, state, STROBE_POKE_NS);
		return;
	}
	stand(strobe);
	atomic_store(&strobe->stopping, 0);
}
