/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The Strobe Sender runs on the first node.  It begins each microphase on all
 * nodes by a microstrobe (Xfer-And-Signal).  It verifies by Compare-And-Write
 * that all have done it.
 */
#include <sched.h>
#include <time.h>

#include "libbcs/base/tuning.h"
#include "libbcs/strobe/leader/strobe_leader.h"
#include "mds/base/clock.h"

static enum emds_column vain_of(enum strobe_phase phase)
{
	switch (phase) {
	case STROBE_DEM:
		return EMDS_USRDEM;
	case STROBE_MSM:
		return EMDS_USRMSM;
	default:
		return EMDS_USRSTS;
	}
}

/* Whether it holds on all nodes. */
static bool holds(struct strobe_leader *leader, uint64_t offset,
		  enum core_relation relation, int64_t value)
{
	const struct core_condition condition = { offset, relation, value };
	bool yes = false;

	return core_compare_and_write(leader->fabric, &leader->all, &condition,
				      NULL, &yes) == 0 &&
	       yes;
}

/*
 * Counts the time of a microphase since its microstrobe, and the time of the
 * slice so far since its strobe.
 */
static void record(struct strobe_leader *leader, enum strobe_phase phase,
		   uint64_t since)
{
	const uint64_t now = clock_ticks();

	if (phase == STROBE_DEM)
		strobe_count(leader, EMDS_GTDEM, now - since);
	else if (phase == STROBE_MSM)
		strobe_count(leader, EMDS_GTMSM, now - since);
	leader->row.value[EMDS_GTTS] = now - leader->begun;
}

static bool all_did(struct strobe_leader *leader)
{
	return holds(leader, STROBE_DONE_AT, CORE_GE, leader->microstrobes);
}

/* This node has done its part: looks in vain are for other nodes. */
static void verify(struct strobe_leader *leader, enum strobe_phase phase)
{
	while (!all_did(leader)) {
		strobe_count(leader, vain_of(phase), 1);
		sched_yield();
	}
}

/* Processes may take long to stop, and their hooks. */
static void verify_stop(struct strobe_leader *leader)
{
	static const struct timespec nap = { .tv_nsec = STROBE_SENDER_NAP_NS };

	while (!all_did(leader))
		nanosleep(&nap, NULL);
}

static void microphase(struct strobe_leader *leader, enum strobe_phase phase)
{
	const struct strobe_microstrobe microstrobe = {
		leader->slice, phase, leader->microstrobes + 1
	};
	const struct core_xfer xfer = {
		.offset = STROBE_STROBE_AT,
		.block = &microstrobe,
		.bytes = sizeof(microstrobe),
		.local_event = CORE_NO_EVENT,
		.remote_event = STROBE_EVENT_AT,
	};
	const uint64_t since = clock_ticks();

	core_xfer_and_signal(leader->fabric, &leader->all, &xfer);
	/* The Strobe Receiver of this node is the same thread. */
	core_test_event(leader->fabric, STROBE_EVENT_AT, CORE_FOREVER);
	strobe_receiver_run(leader);
	if (phase > STROBE_ASIDE) {
		verify_stop(leader);
		return;
	}
	verify(leader, phase);
	record(leader, phase, since);
}

/* Between nodes bytes have to leave before they are copied. */
static bool is_needed(const struct strobe_leader *leader, int phase)
{
	return phase != STROBE_GET || leader->exchange;
}

/* A node has asked for a known state since the last one. */
static bool is_wanted(struct strobe_leader *leader)
{
	bool wanted = false;

	while (core_test_event(leader->fabric, STROBE_WANTED_AT, CORE_POLL) ==
	       0)
		wanted = true;
	return wanted;
}

/* Nothing is under way: the hooks are called if all processes stop. */
static void known_state(struct strobe_leader *leader)
{
	microphase(leader, STROBE_STOP);
	if (holds(leader, STROBE_STOPPED_AT, CORE_EQ, 1))
		microphase(leader, STROBE_HOOKS);
	microphase(leader, STROBE_GO);
	leader->closing = false;
}

/* A schedule that is repeated waits for all nodes. */
static bool is_held_up(struct strobe_leader *leader)
{
	return !leader->closing && atomic_load(&leader->strobe->head->again) &&
	       !(holds(leader, STROBE_BUSY_AT, CORE_NE, STROBE_LATER) &&
		 holds(leader, STROBE_BUSY_AT, CORE_NE, STROBE_PROBES));
}

static bool is_later(struct strobe_leader *leader, bool held_up)
{
	return held_up ? holds(leader, STROBE_BUSY_AT, CORE_NE, STROBE_PROBES)
		       : holds(leader, STROBE_BUSY_AT, CORE_LT, STROBE_BUSY);
}

/* Nodes' sums go up a tree, as many steps as the node with most needs. */
static void climb(struct strobe_leader *leader)
{
	if (!leader->exchange || leader->all.n <= 2)
		return;
	for (int64_t step = 1; !holds(leader, STROBE_TREE_AT, CORE_LT, step);
	     step++)
		microphase(leader, STROBE_TREE);
}

/* From DEM on, in this slice. */
static void run_slice(struct strobe_leader *leader, bool held_up)
{
	microphase(leader, held_up ? STROBE_ASIDE : STROBE_DEM);
	for (int phase = STROBE_MSM; phase < STROBE_PHASES; phase++) {
		if (is_needed(leader, phase))
			microphase(leader, (enum strobe_phase)phase);
		if (phase == STROBE_BBM)
			climb(leader);
	}
	strobe_row_end(leader);
}

/* Nothing is to be done on any node; whether the next slice begins at once. */
static bool beat_idle(struct strobe_leader *leader)
{
	if (leader->closing) {
		known_state(leader);
		return true;
	}
	if (leader->strobe->options.always)
		run_slice(leader, false);
	return leader->strobe->options.always;
}

/* Whether there is anything to do, now or later. */
static bool beat(struct strobe_leader *leader)
{
	const uint64_t now = strobe_slice_now(leader->strobe);
	bool held_up;

	leader->slice = now > leader->slice ? now : leader->slice + 1;
	strobe_sleep_until(leader->strobe, leader->slice);
	leader->closing = is_wanted(leader) || leader->closing;
	microphase(leader, leader->closing ? STROBE_CLOSE : STROBE_BEGIN);
	if (holds(leader, STROBE_BUSY_AT, CORE_EQ, STROBE_IDLE))
		return beat_idle(leader);
	held_up = is_held_up(leader);
	if (!is_later(leader, held_up))
		run_slice(leader, held_up);
	return true;
}

/* Another node has posted; what it said meanwhile is taken with it. */
static bool is_armed(struct strobe_leader *leader)
{
	bool armed = leader->strobe->options.always ||
		     strobe_has_posts(leader->strobe);

	while (leader->exchange &&
	       core_test_event(leader->fabric, STROBE_ARM_AT, CORE_POLL) == 0)
		armed = true;
	return armed;
}

void strobe_sender_main(struct strobe_leader *leader)
{
	_Atomic bool *ending = &leader->strobe->ending;

	while (!atomic_load(ending)) {
		if (is_armed(leader))
			while (beat(leader) && !atomic_load(ending))
				;
		else
			strobe_receiver_sleep(
				leader, leader->exchange ? STROBE_SENDER_NAP_NS
							 : UINT64_MAX);
	}
}
