/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * On one node a blocked process reads ten times a second what the others wait
 * for.  The first that finds itself among ranks that wait for each other only
 * says so for all.  With several nodes the leaders look (hang_net.c).
 */
#include <stdlib.h>
#include <string.h>

#include "mds/base/clock.h"
#include "pmpi-shim/dump/dump.h"
#include "pmpi-shim/job/process.h"
#include "pmpi-shim/record/site.h"
#include "pmpi-shim/route/base/route_blocked.h"
#include "pmpi-shim/route/base/route_net.h"
#include "pmpi-shim/route/base/route_peers.h"
#include "pmpi-shim/route/base/route_state.h"
#include "pmpi-shim/route/coll/route_coll.h"
#include "pmpi-shim/route/hang/hang_board.h"
#include "pmpi-shim/route/hang/hang_net.h"
#include "pmpi-shim/route/route.h"

#define BLOCKED_NS 100000000 /* before a wait is described */
#define LOOK_NS    90000000  /* between two looks */
#define LOOKS      2 /* looks that find it, so that the last ones are in it */

static bool is_there;
static bool nodes; /* there are others */

/*
 * All that holds at one moment: between the last first look and the first
 * second one.
 */
static void collect(struct deadlock_process *processes,
		    struct hang_entry *entries)
{
	const uint32_t n = (uint32_t)route_n_slots;
	struct deadlock_process *of;

	for (uint32_t i = 0; i < n; i++)
		hang_board_read(i, &entries[i]);
	for (uint32_t i = 0; i < n; i++) {
		of = &processes[entries[i].rank];
		of->ended = entries[i].ended;
		of->is_blocked = hang_is_blocked(&entries[i]) &&
				 hang_board_holds(i, &entries[i]);
		if (of->is_blocked)
			of->record = entries[i].record;
	}
}

/* Calls that do not fit together are told of elsewhere (route_mismatch.c). */
static bool is_mismatch(const struct deadlock_process *processes)
{
	const struct blocked_group *group;

	for (int i = 0; i < process.size; i++) {
		for (uint32_t g = 0;
		     processes[i].is_dead && g < processes[i].record.n_groups;
		     g++) {
			group = &processes[i].record.groups[g];
			if (!group->is_thread &&
			    route_mismatch_differs(group->context,
						   group->number,
						   group->signature))
				return true;
		}
	}
	return false;
}

static bool is_first(void)
{
	return !atomic_exchange(&route_slots[0]->waits.told, 1);
}

static void tell(const struct deadlock_process *processes,
		 const struct hang_entry *entries)
{
	hang_places *places = calloc((size_t)process.size, sizeof(*places));
	char text[BLOCKED_TEXT];

	if (!places)
		return;
	for (uint32_t i = 0; i < (uint32_t)route_n_slots; i++)
		if (processes[entries[i].rank].is_dead)
			hang_board_places(i, &entries[i].record,
					  &places[entries[i].rank]);
	hang_text(processes, places, (uint32_t)process.size, text,
		  sizeof(text));
	free(places);
	hang_text_keep(text);
	process_warn(text);
	site_help(site_of_call());
}

static void stop(const struct deadlock_process *processes)
{
	process_warn(HANG_STOPS);
	for (uint32_t i = 0; i < (uint32_t)route_n_slots; i++)
		if (processes[route_slots[i]->waits.rank].is_dead &&
		    i != route_me)
			hang_board_stop(i);
	hang_board_stop(route_me);
}

static void act(const struct deadlock_process *processes)
{
	if (process.settings.deadlock == SETTINGS_DEADLOCK_ABORT)
		hang_abort();
	else if (process.settings.deadlock == SETTINGS_DEADLOCK_STOP)
		stop(processes);
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
	struct hang_entry *entries = calloc((size_t)route_n_slots,
					    sizeof(*entries));

	if (processes && entries) {
		collect(processes, entries);
		deadlock_find(processes, n);
		if (is_found(processes)) {
			tell(processes, entries);
			act(processes);
		}
	}
	free(entries);
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
	if (route_blocked_look(ready, arg) && !nodes && hang_board_may_be())
		decide();
}

void hang_start(void)
{
	is_there = process.settings.deadlock != SETTINGS_DEADLOCK_OFF &&
		   (uint32_t)process.size <= BLOCKED_RANKS;
	nodes = route_net_is_there();
	process.deadlock = route_slots[0]->waits.text;
	route_blocked_start();
	if (is_there && nodes)
		hang_net_start();
}

/* The record is written later, without the board. */
void hang_stop(void)
{
	static char text[BLOCKED_TEXT];

	hang_net_stop();
	if (process.deadlock[0])
		strcpy(text, process.deadlock);
	process.deadlock = text;
	is_there = false;
}
