/* SPDX-License-Identifier: BSD-3-Clause */

/* Where the record begins and ends. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "abi.h"
#include "mds/callpath/callpath_shared.h"
#include "pmpi-shim/again/again.h"
#include "pmpi-shim/dump/dump.h"
#include "pmpi-shim/dump/dump_now.h"
#include "pmpi-shim/dump/fatal.h"
#include "pmpi-shim/dump/save.h"
#include "pmpi-shim/dump/watch.h"
#include "pmpi-shim/job/launcher.h"
#include "pmpi-shim/job/no_core.h"
#include "pmpi-shim/job/process.h"
#include "pmpi-shim/mpich/leave.h"
#include "pmpi-shim/process/lifecycle.h"
#include "pmpi-shim/process/outside.h"
#include "pmpi-shim/record/buffers/buffers.h"
#include "pmpi-shim/record/buffers/reuse.h"
#include "pmpi-shim/record/calls/events.h"
#include "pmpi-shim/record/calls/requests.h"
#include "pmpi-shim/record/findings/epochs.h"
#include "pmpi-shim/record/findings/thread_level.h"
#include "pmpi-shim/record/site.h"
#include "pmpi-shim/route/route.h"
#include "pmpi-shim/shim.h"

#define X(name) #name,
const char *const shim_names[] = { SHIM_CALLS(X) NULL };
#undef X

static bool selected[SHIM_N_CALLS];
static bool finalized; /* and the record of it was written */
_Atomic int lifecycle_sessions;

static bool recording_wanted(void)
{
	return process.settings.mmds &&
	       (process.rank < 0 ||
		settings_rank_in(process.settings.ranks, process.rank));
}

static void calls_select(const char *list)
{
	const bool all = strcmp(list, "all") == 0;

	for (int i = 0; i < SHIM_N_CALLS; i++)
		selected[i] = all || settings_call_in(list, shim_names[i]);
	if (process_is_first() && !all)
		settings_unknown_calls(list, shim_names, process_warn);
}

/* False if nothing is to be recorded. */
static bool recording_start(void)
{
	const struct mmds mmds = {
		.bits = process.settings.resolution,
		.depth = process.settings.depth,
		.metrics = process.settings.metrics,
		.n_calls = SHIM_N_CALLS,
		.names = shim_names,
		.selected = selected,
	};

	if (!recording_wanted())
		return false;
	calls_select(process.settings.calls);
	callpath_start(process.settings.depth,
		       (const void *)(uintptr_t)recording_start, ABI_FORTRAN);
	if (mmds_start(&mmds, process.settings.memory) != 0) {
		if (process_is_first())
			process_warn("no memory for the record; going on "
				     "without it");
		return false;
	}
	return true;
}

/* The program sees the level that it asked for. */
static bool level_is_ours;
static int level_asked;

static int query_thread(int *provided)
{
	*provided = level_asked;
	return MPI_SUCCESS;
}

/* Runs before destructors do, and so before leave(). */
static void take_status(int status, void *unused)
{
	(void)unused;
	process.status = status & 0xff;
}

void lifecycle_prepare(void)
{
	process_prepare();
	reuse_prepare();
	polite_start(process.settings.polite);
}

/*
 * MPI ends the program for a call outside of its reach.  Before MPI_Init there
 * is no record yet.
 */
static void tell_outside(void)
{
	struct mmds_thread *thread = NULL;

	if (!process.started) {
		lifecycle_prepare();
		process_alone();
		process.started = true;
		if (!recording_start())
			return;
		mmds_begin();
		dump_begin();
	}
	if (process.recording && getpid() == process.pid)
		thread = mmds_thread_get();
	if (thread)
		outside_tell(thread);
}

/*
 * Runs when the program ends. Programs with sessions do not call MPI_Finalize:
 * their record is written here. After MPI_Finalize the record is written again
 * only if the exit status is not 0.
 */
static void leave(void)
{
	if (outside_is_now())
		tell_outside();
	if (getpid() == process.pid)
		route_gone();
	if (!process.recording || getpid() != process.pid)
		return;
	if (process.ended) {
		if (finalized && process.status > 0)
			dump_write("finalize");
		return;
	}
	if (process.rank < 0 && lifecycle_sessions == 0 && !outside_is_now()) {
		dump_write("finalize");
		return;
	}
	dump_write("exit");
	dump_alarm();
}

static void events_begin(enum shim_call call, uint64_t ticks)
{
	const uint64_t now = clock_ticks();

	events_start();
	if (!mmds_thread)
		return;
	events_thread(mmds_thread, true);
	events_outside(call, now - ticks, now);
}

void lifecycle_begin(enum shim_call call, uint64_t ticks, bool has_world)
{
	clock_calibrate();
	(void)at_quick_exit(leave);
	abi_start();
	fatal_start();
	dump_signals_start();
	if (has_world) {
		process_join();
		polite_decide(process.local_ranks, process.millicores);
	} else {
		process_alone();
	}
	process.thread_asked = level_is_ours ? level_asked
					     : process.thread_level;
	buffers_prepare();
	if (has_world) {
		again_prepare();
		route_start();
		again_start();
	}
	buffers_start();
	epochs_start();
	polite_share_run();
	if (level_is_ours)
		shim_pmpi.MPI_Query_thread = query_thread;
	process.started = true;
	thread_level_start();
	if (!recording_start())
		return;
	watch_start();
	mmds_record_outside(call, ticks);
	mmds_begin();
	no_core_begin();
	events_begin(call, ticks);
	dump_begin();
	save_start();
	on_exit(take_status, NULL);
}

bool shim_enter_slow(enum shim_call call, const void *ra, const void *fa)
{
	struct mmds_thread *thread = mmds_thread;
	bool is_first;

	if (thread && thread->inside)
		return false;
	pmpi_load();
	if (!process.started || process.ended)
		outside_note(call, ra, fa);
	if (!process.recording || process.ended)
		return false;
	is_first = !thread;
	if (is_first && thread_level_leaves_out(call))
		return false;
	thread = mmds_thread_get();
	if (!thread)
		return false;
	if (is_first)
		thread_level_look(thread, call, ra, fa);
	events_thread(thread, is_first);
	return thread->state == atomic_load(&mmds_state) ||
	       mmds_thread_catch_up(thread);
}

/* A thread of ours handles messages from other nodes. */
static bool needs_threads(void)
{
	return process.settings.mode != SETTINGS_OBSERVE &&
	       (process.settings.node_size || !launcher_has_one_node());
}

static int init_thread(int *argc, char ***argv, int required, int *provided)
{
	int rc;

	if (!needs_threads())
		return PMPI_Init_thread(argc, argv, required, provided);
	rc = PMPI_Init_thread(argc, argv, MPI_THREAD_MULTIPLE, provided);
	if (*provided > required)
		*provided = required;
	level_asked = *provided;
	level_is_ours = true;
	return rc;
}

static int init(int *argc, char ***argv)
{
	int provided;

	return needs_threads()
		       ? init_thread(argc, argv, MPI_THREAD_SINGLE, &provided)
		       : PMPI_Init(argc, argv);
}

SHIM_EXPORT int MPI_Init(int *argc, char ***argv)
{
	uint64_t start;
	int rc;

	pmpi_load();
	if (process.started)
		return PMPI_Init(argc, argv);
	lifecycle_prepare();
	start = clock_ticks();
	rc = init(argc, argv);
	if (rc == MPI_SUCCESS)
		lifecycle_begin(SHIM_MPI_Init, clock_ticks() - start, true);
	return rc;
}

SHIM_EXPORT int MPI_Init_thread(int *argc, char ***argv, int required,
				int *provided)
{
	uint64_t start;
	int rc;

	pmpi_load();
	if (process.started)
		return PMPI_Init_thread(argc, argv, required, provided);
	lifecycle_prepare();
	start = clock_ticks();
	rc = init_thread(argc, argv, required, provided);
	if (rc == MPI_SUCCESS)
		lifecycle_begin(SHIM_MPI_Init_thread, clock_ticks() - start,
				true);
	return rc;
}

/*
 * Shows MPI_Finalize as the thread's call, though it is outside of the account.
 */
static void flight_finalize(uint64_t start)
{
	struct callpath_slot nowhere = { 0 };
	const struct mmds_frame frame = { .start = start, .slot = &nowhere };

	if (mmds_thread)
		mmds_flight_enter(mmds_thread, &frame, SHIM_MPI_Finalize,
				  MPI_PROC_NULL);
}

SHIM_EXPORT int MPI_Finalize(void)
{
	uint64_t start;
	int rc;

	site_set(__builtin_return_address(0));
	route_attrs_delete();
	again_stop();
	if (process.started)
		polite_unhurried();
	if (!process.recording || process.ended) {
		pmpi_load();
		route_stop();
		leave_together();
		return PMPI_Finalize();
	}
	mmds_end();
	no_core_end();
	process.ended = true;
	start = clock_ticks();
	process.finalizing = start;
	flight_finalize(start);
	route_stop();
	leave_together();
	rc = PMPI_Finalize();
	process.finalizing = 0;
	shim_requests_left();
	mmds_record_outside(SHIM_MPI_Finalize, clock_ticks() - start);
	events_outside(SHIM_MPI_Finalize, start, clock_ticks());
	events_stop();
	save_stop();
	dump_write("finalize");
	finalized = true;
	return rc;
}

SHIM_EXPORT int MPI_Abort(MPI_Comm comm, int errorcode)
{
	int rc;

	pmpi_load();
	dump_write("abort");
	dump_alarm();
	rc = PMPI_Abort(comm, errorcode);
	/*
	 * MPI refused it: the program goes on.  MPICH may also return before
	 * the end that it has asked for comes.
	 */
	if (rc != MPI_SUCCESS && !process.ended)
		dump_take_back();
	return rc;
}

__attribute__((destructor)) static void unload(void)
{
	leave();
}

/*
 * Exit status of a program that ended well, but whose collectives did not
 * match. Without it a script would not notice.
 */
#define STATUS_FOUND 76

static bool ends_badly(int status)
{
	return status == 0 && process.mismatch[0] && getpid() == process.pid;
}

/* exit() goes on from here with the other status, and flushes all files. */
static void change_status(int status, void *unused)
{
	(void)unused;
	if (ends_badly(status))
		exit(STATUS_FOUND);
}

/* Registered before the loader's own: it is called after all destructors. */
__attribute__((constructor)) static void load(void)
{
	on_exit(change_status, NULL);
}

SHIM_EXPORT __attribute__((noreturn)) void _exit(int status)
{
	take_status(status, NULL);
	leave();
	for (;;)
		syscall(SYS_exit_group,
			ends_badly(status) ? STATUS_FOUND : status);
}

SHIM_EXPORT __attribute__((noreturn, alias("_exit"))) void _Exit(int status);
