/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Starts the flight recorder.  The program's threads write their calls.  Sums,
 * and the requests that a call waits for, cost more: a thread of ours finds
 * them now and then.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "mds/flight/flight.h"
#include "mds/mmds/mmds.h"
#include "pmpi-shim/dump/dump_file.h"
#include "pmpi-shim/dump/dump_now.h"
#include "pmpi-shim/dump/watch.h"
#include "pmpi-shim/job/proc_stat.h"
#include "pmpi-shim/job/process.h"
#include "pmpi-shim/record/calls/comm_rows.h"
#include "pmpi-shim/shim.h"

_Static_assert(DUMP_NOW_WAITS <= FLIGHT_WAITS, "they have room");

static bool is_on;
static const struct slice_tally *slices; /* NULL: there are none */

static void file_name(char *name, size_t size)
{
	if (process.rank >= 0)
		snprintf(name, size, "rank-%06d" FLIGHT_SUFFIX, process.rank);
	else
		snprintf(name, size, "proc-%s-%ld" FLIGHT_SUFFIX, process.host,
			 (long)process.pid);
}

static void facts_fill(struct flight_head *facts)
{
	facts->rank = process.rank;
	facts->size = process.rank < 0 ? 0 : (uint32_t)process.size;
	facts->pid = (uint64_t)process.pid;
	facts->started = proc_stat_started(process.pid);
	facts->start_ns = process.start_ns;
	facts->any_source = MPI_ANY_SOURCE;
	facts->any_tag = MPI_ANY_TAG;
	facts->local_ranks = process.local_ranks;
	snprintf(facts->host, sizeof(facts->host), "%s", process.host);
	snprintf(facts->program, sizeof(facts->program), "%s",
		 program_invocation_short_name);
	snprintf(facts->mode, sizeof(facts->mode), "%s",
		 settings_mode_name(process.settings.mode));
}

void watch_start(void)
{
	char name[sizeof(process.host) + 32];
	struct flight_options options = {
		.dir = process.dir,
		.name = name,
		.threads = process.thread_asked > MPI_THREAD_FUNNELED,
		.names = shim_names,
		.n_names = SHIM_N_CALLS,
	};

	if (!process.settings.flight || process.dir[0] == '\0')
		return;
	/* On a full disk, the record matters more. */
	dump_file_reserve();
	file_name(name, sizeof(name));
	facts_fill(&options.facts);
	is_on = flight_start(&options) == 0;
	comm_rows_tell();
}

bool watch_is_on(void)
{
	return is_on;
}

static void take_sums(struct flight_look *look,
		      const struct mmds_thread *thread, uint64_t now)
{
	const struct mmds_sum sum = mmds_sum_until(thread, now);

	look->ticks = now;
	look->calls = thread->calls;
	look->computation = sum.computation;
	look->communication = sum.communication;
	look->sent = 0;
	look->received = 0;
	for (int b = 0; b < MMDS_COMM_BLOCKS; b++)
		for (int i = 0; thread->comms[b] && i < MMDS_COMM_BLOCK; i++) {
			look->sent += thread->comms[b][i].sent;
			look->received += thread->comms[b][i].received;
		}
}

static struct flight_wait wait_shown(const struct dump_wait *wait)
{
	if (wait->is_coll)
		return (struct flight_wait){
			.what = FLIGHT_COLLECTIVE,
			.comm = wait->comm,
			.peer = (int32_t)mmds_key_call(wait->key),
			.tag = (int32_t)mmds_key_path(wait->key),
		};
	return (struct flight_wait){
		.what = wait->is_send ? FLIGHT_SEND : FLIGHT_RECEIVE,
		.comm = wait->comm,
		.peer = wait->peer,
		.tag = wait->tag,
	};
}

static void take_waits(struct flight_look *look,
		       const struct mmds_thread *thread)
{
	const struct mmds_frame now = *thread->now;
	struct dump_wait waits[DUMP_NOW_WAITS];

	look->at = *thread->flight.entered;
	look->n_waits = 0;
	if (thread->inside && !thread->ended)
		look->n_waits = (uint32_t)dump_now_waits(&now, waits);
	for (uint32_t i = 0; i < look->n_waits; i++)
		look->waits[i] = wait_shown(&waits[i]);
}

/* A reader believes what it finds between two equal and even counts. */
static void look_at(const struct mmds_thread *thread, uint64_t now)
{
	struct flight_look *shown = &thread->flight.row->look;
	struct flight_look look = { .changes = shown->changes + 2 };

	take_sums(&look, thread, now);
	take_waits(&look, thread);
	/* Orders the odd count before what follows, and that before the even
	 * one. */
	__atomic_exchange_n(&shown->changes, look.changes - 1,
			    __ATOMIC_ACQ_REL);
	memcpy((char *)shown + sizeof(shown->changes),
	       (char *)&look + sizeof(look.changes),
	       sizeof(look) - sizeof(look.changes));
	__atomic_store_n(&shown->changes, look.changes, __ATOMIC_RELEASE);
}

void watch_slices(const struct slice_tally *tally)
{
	slices = tally;
}

/* Only the leader of a node has any. */
static void look_at_slices(uint64_t now)
{
	const struct flight_slices shown = {
		.at = now,
		.length_ns = slice_tally_get(&slices->length_ns),
		.budget = slice_tally_get(&slices->budget),
		.slice = slice_tally_get(&slices->slice),
		.n = slice_tally_get(&slices->n),
		.bytes = slice_tally_get(&slices->bytes),
		.ticks = slice_tally_get(&slices->ticks),
	};

	if (shown.length_ns)
		flight_show_slices(&shown);
}

/* Once; it may be there before the program ends, or waits for ever. */
static void look_at_deadlock(void)
{
	static bool told;

	/* Orders the text's first byte, which shows it, before the rest. */
	if (told || !__atomic_load_n(&process.deadlock[0], __ATOMIC_ACQUIRE))
		return;
	told = true;
	flight_deadlock(process.deadlock);
}

void watch_look(void)
{
	const uint64_t now = clock_ticks();

	if (!is_on)
		return;
	for (struct mmds_thread *t = mmds_threads(); t; t = t->next)
		if (t->flight.row)
			look_at(t, now);
	if (slices)
		look_at_slices(now);
	look_at_deadlock();
	flight_moment(atomic_load(&mmds_state) & 1);
}

void watch_end(void)
{
	if (is_on)
		flight_remove();
	is_on = false;
}
