/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The node's part of a known state, by its leader.  The Strobe Sender begins
 * the steps by microstrobes, like those of a slice:
 *
 *   CLOSE  begins a slice instead of BEGIN.  It takes nothing from the rings.
 *          Repeated until no node has anything under way.
 *   STOP   stops processes; the node says whether all stopped in time.
 *   HOOKS  calls the hooks of each process, if all nodes say yes.
 *   GO     lets all processes go on.
 */
#include "libbcs/base/tuning.h"
#include "libbcs/strobe/leader/strobe_leader.h"
#include "mds/base/clock.h"
#include "mds/base/futex.h"

/* The Strobe Sender hears of a wish once. */
void strobe_stop_ask(struct strobe_leader *leader)
{
	uint64_t words[CORE_SET_WORDS(STROBE_NODES)];
	struct core_set first = { words, leader->all.n };
	const struct core_xfer xfer = {
		.local_event = CORE_NO_EVENT,
		.remote_event = STROBE_WANTED_AT,
	};

	if (leader->asked || !atomic_load(&leader->strobe->head->wanted))
		return;
	core_set_clear(&first);
	core_set_add(&first, 0);
	leader->asked = true;
	core_xfer_and_signal(leader->fabric, &first, &xfer);
}

static void state_set(struct strobe_leader *leader, uint32_t state)
{
	struct strobe *strobe = leader->strobe;

	atomic_store(&strobe->head->state, state);
	futex_wake(&strobe->head->state);
	for (uint32_t i = 0; i < strobe->n; i++) {
		atomic_fetch_add(&strobe_slot(strobe, i)->event, 1);
		futex_wake(&strobe_slot(strobe, i)->event);
	}
}

static bool all_are_in(const struct strobe *strobe, uint32_t state)
{
	for (uint32_t i = 0; i < strobe->n; i++)
		if (atomic_load(&strobe_slot(strobe, i)->stopped) != state &&
		    !atomic_load(&strobe_slot(strobe, i)->gone))
			return false;
	return true;
}

static bool some_are_gone(const struct strobe *strobe)
{
	for (uint32_t i = 0; i < strobe->n; i++)
		if (atomic_load(&strobe_slot(strobe, i)->gone))
			return true;
	return false;
}

static bool wait_for_all(struct strobe *strobe, uint32_t state, uint64_t ns)
{
	struct strobe_head *head = strobe->head;
	const uint64_t begin = clock_monotonic_ns();
	uint32_t seen;

	atomic_store(&head->awaits, 1);
	for (;;) {
		/* Before the look: what changes then ends the sleep. */
		seen = atomic_load(&head->progress);
		if (all_are_in(strobe, state) ||
		    clock_monotonic_ns() - begin > ns)
			break;
		futex_wait(&head->progress, seen, STROBE_STOP_NAP_NS);
	}
	atomic_store(&head->awaits, 0);
	return all_are_in(strobe, state);
}

/* The next state word: of the next round when processes run again. */
static uint32_t next(uint32_t state, enum strobe_stopping stopping)
{
	const uint32_t round = state & ~STROBE_STOPPING;

	return stopping == STROBE_RUNS ? round + STROBE_STOPPING + 1
				       : round | stopping;
}

static void stop(struct strobe_leader *leader, uint32_t state)
{
	struct strobe *strobe = leader->strobe;

	for (uint32_t i = 0; i < strobe->n; i++)
		atomic_store(&strobe_slot(strobe, i)->messages,
			     strobe_buffer_messages(leader, i));
	atomic_store(&strobe->head->boundary, leader->slice);
	state_set(leader, state);
	/* All processes that have asked so far get this state. */
	atomic_store(&strobe->head->wanted, 0);
	leader->asked = false;
	/* Hooks are called by all processes or by none. */
	core_store(leader->fabric, STROBE_STOPPED_AT,
		   !some_are_gone(strobe) &&
			   wait_for_all(strobe, state,
					strobe->options.patience_ns) &&
			   !some_are_gone(strobe));
}

static void call(struct strobe_leader *leader, uint32_t state)
{
	atomic_store(&leader->strobe->head->reached,
		     state / (STROBE_STOPPING + 1) + 1);
	state_set(leader, state);
	wait_for_all(leader->strobe, state, UINT64_MAX);
}

void strobe_stop_run(struct strobe_leader *leader, enum strobe_phase phase)
{
	const uint32_t state = atomic_load(&leader->strobe->head->state);

	if (phase == STROBE_STOP)
		stop(leader, next(state, STROBE_STOPS));
	else if (phase == STROBE_HOOKS)
		call(leader, next(state, STROBE_CALLS));
	else
		state_set(leader, next(state, STROBE_RUNS));
}
