/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * A blocked process reads ten times a second what the others of its node wait
 * for.  The first that finds itself among ranks that wait for each other only
 * says so for all.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "mds/clock.h"
#include "pmpi-shim/dump/dump.h"
#include "pmpi-shim/job/process.h"
#include "pmpi-shim/record/site.h"
#include "pmpi-shim/route/base/route_blocked.h"
#include "pmpi-shim/route/base/route_peers.h"
#include "pmpi-shim/route/base/route_state.h"
#include "pmpi-shim/route/coll/route_coll.h"
#include "pmpi-shim/route/hang/hang.h"
#include "pmpi-shim/route/route.h"

/* No status of a signal, OR-ed to it by the launcher, changes it. */
#define STATUS_DEADLOCK 79

#define BLOCKED_NS 100000000 /* before a wait is described */
#define LOOK_NS    90000000  /* between two looks */
#define LOOKS      2 /* looks that find it, so that the last ones are in it */

static bool is_there;

static uint32_t epoch_of(uint32_t slot)
{
	return atomic_load(&route_slots[slot]->waits.epoch);
}

static uint32_t ended_of(uint32_t slot)
{
	return atomic_load(&route_slots[slot]->waits.ended);
}

static uint32_t rank_of(uint32_t slot)
{
	return (uint32_t)route_slots[slot]->waits.rank;
}

/* Its owner may change it meanwhile: then the epoch tells. */
__attribute__((no_sanitize("thread"))) static void
copy(struct deadlock_process *to, uint32_t slot)
{
	const struct board_blocked *waits = &route_slots[slot]->waits;

	memcpy(&to->record, &waits->record, sizeof(to->record));
}

/* Whether a page was shown, by the one process that it is of. */
static bool is_shown(const struct blocked_want *want)
{
	uint32_t slot = 0;
	const char *at;

	while (slot < (uint32_t)route_n_slots &&
	       !blocked_peer_is(want, rank_of(slot)))
		slot++;
	if (slot == (uint32_t)route_n_slots)
		return false;
	at = (const char *)route_slots[slot] + want->op;
	return atomic_load((const _Atomic uint64_t *)at) == want->word;
}

static bool has_come(const struct blocked_want *want)
{
	switch ((enum blocked_by)want->by) {
	case BLOCKED_PAGE:
		return is_shown(want);
	case BLOCKED_CALL:
		return strobe_blocked_has_called(route_engines.strobe, want);
	default:
		return false;
	}
}

static void wants_check(struct deadlock_process *of)
{
	for (uint32_t i = 0; i < of->record.n_wants; i++)
		of->record.wants[i].elsewhere = has_come(&of->record.wants[i]);
}

/* Nothing has come for it since, and no message of its is under way. */
static bool is_still(uint32_t slot, const struct blocked_record *record)
{
	const struct strobe *strobe = route_engines.strobe;

	if (!strobe)
		return atomic_load(&route_slots[slot]->tail) == record->tail;
	/* In this order: a message that is done changes the word first. */
	return !strobe_blocked_moves(strobe, slot) &&
	       strobe_blocked_word(strobe, slot) == record->tail;
}

/*
 * All that holds at one moment: between the last first look and the first
 * second one.
 */
static void collect(struct deadlock_process *processes, uint32_t *epochs)
{
	const uint32_t n = (uint32_t)route_n_slots;
	struct deadlock_process *of;

	for (uint32_t i = 0; i < n; i++) {
		of = &processes[rank_of(i)];
		of->ended = ended_of(i);
		epochs[i] = epoch_of(i);
		of->is_blocked = epochs[i] & 1;
		if (of->is_blocked)
			copy(of, i);
	}
	for (uint32_t i = 0; i < n; i++) {
		of = &processes[rank_of(i)];
		if (!of->is_blocked)
			continue;
		if (epoch_of(i) == epochs[i])
			wants_check(of);
		of->is_blocked = is_still(i, &of->record) &&
				 epoch_of(i) == epochs[i];
	}
}

/* Calls that do not fit together are told of elsewhere (route_mismatch.c). */
static bool is_mismatch(const struct deadlock_process *processes)
{
	const struct blocked_record *r;

	for (int i = 0; i < process.size; i++) {
		r = &processes[i].record;
		for (uint32_t g = 0; processes[i].is_dead && g < r->n_groups;
		     g++)
			if (!r->groups[g].is_thread &&
			    route_mismatch_is_near(r->groups[g].context,
						   r->groups[g].number))
				return true;
	}
	return false;
}

static bool may_be(void)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < (uint32_t)route_n_slots; i++)
		n += (epoch_of(i) & 1) || ended_of(i);
	return n > 0;
}

static bool is_first(void)
{
	return !atomic_exchange(&route_slots[0]->waits.told, 1);
}

/* The first byte is the last that is written. */
static void tell(const struct deadlock_process *processes)
{
	char *shown = route_slots[0]->waits.text;
	char text[BLOCKED_TEXT];

	hang_text(processes, (uint32_t)process.size, text, sizeof(text));
	strcpy(shown + 1, text + 1);
	atomic_thread_fence(memory_order_release);
	shown[0] = text[0];
	process_warn(text);
	site_help(site_of_call());
}

static void stop(const struct deadlock_process *processes)
{
	process_warn(
		"BCS_DEADLOCK=stop: these ranks are stopped, for a debugger "
		"(kill -CONT lets them go on)");
	for (uint32_t i = 0; i < (uint32_t)route_n_slots; i++)
		if (processes[rank_of(i)].is_dead && i != route_me)
			kill(route_slots[i]->pid, SIGSTOP);
	raise(SIGSTOP);
}

static void act(const struct deadlock_process *processes)
{
	switch (process.settings.deadlock) {
	case SETTINGS_DEADLOCK_ABORT:
		dump_write("abort");
		dump_alarm();
		PMPI_Abort(MPI_COMM_WORLD, STATUS_DEADLOCK);
		break;
	case SETTINGS_DEADLOCK_STOP:
		stop(processes);
		break;
	default:
		break;
	}
}

static bool is_found(const struct deadlock_process *processes)
{
	static __thread unsigned found
		__attribute__((tls_model("initial-exec")));

	found = processes[process.rank].is_dead ? found + 1 : 0;
	return found >= LOOKS && !is_mismatch(processes) && is_first();
}

static void decide(void)
{
	const uint32_t n = (uint32_t)process.size;
	struct deadlock_process *processes = calloc(n, sizeof(*processes));
	uint32_t *epochs = calloc(n, sizeof(*epochs));

	if (processes && epochs) {
		collect(processes, epochs);
		deadlock_find(processes, n);
		if (is_found(processes)) {
			tell(processes);
			act(processes);
		}
	}
	free(epochs);
	free(processes);
}

void hang_look(bool first, bool (*ready)(void *arg), void *arg)
{
	static __thread struct {
		uint64_t since;
		uint64_t last;
	} looks __attribute__((tls_model("initial-exec")));
	const uint64_t now = clock_monotonic_ns();

	if (first || !looks.since)
		looks.since = now;
	if (!is_there || now - looks.since < BLOCKED_NS ||
	    now - looks.last < LOOK_NS)
		return;
	looks.last = now;
	if (route_blocked_look(ready, arg) && may_be())
		decide();
}

void hang_start(void)
{
	is_there = process.settings.deadlock != SETTINGS_DEADLOCK_OFF &&
		   (uint32_t)process.size <= BLOCKED_RANKS;
	process.deadlock = route_slots[0]->waits.text;
	route_blocked_start();
}

/* The record is written later, without the board. */
void hang_stop(void)
{
	static char text[BLOCKED_TEXT];

	if (process.deadlock[0])
		strcpy(text, process.deadlock);
	process.deadlock = text;
	is_there = false;
}
