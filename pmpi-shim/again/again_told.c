/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Follows the recorded schedule. Each call that asks is compared with the one
 * that was recorded: its name and, in the same build of the program, its place.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pmpi-shim/again/again_parts.h"
#include "pmpi-shim/dump/dump.h"
#include "pmpi-shim/job/process.h"
#include "pmpi-shim/record/again_calls.h"

#define STATUS_DIVERGED 78
#define LINE            1024

static struct schedule *schedule;
static struct again_calls *calls;
static bool same_build;
static bool left; /* the schedule, or it has ended */
static uint64_t n_told;

static const char *open_check(void)
{
	const struct schedule_about *about = schedule_about(schedule);
	static char why[128];
	char build[SCHEDULE_BUILD + 1];

	again_calls_build(build);
	same_build = strcmp(build, about->build) == 0;
	calls = calloc(1, sizeof(*calls));
	if (!calls)
		return "there is no memory for BCS_REPLAY";
	if (about->size == process.size && about->rank == process.rank)
		return NULL;
	snprintf(why, sizeof(why),
		 "BCS_REPLAY: that schedule is of rank %d of %d, and this is "
		 "rank %d of %d",
		 about->rank, about->size, process.rank, process.size);
	return why;
}

const char *again_told_open(const char *dir)
{
	static char why[PATH_MAX + 256];
	char path[PATH_MAX + 64];
	char fault[PATH_MAX + 128];
	int rc;

	snprintf(path, sizeof(path), "%s/rank-%06d.schedule", dir,
		 process.rank);
	rc = schedule_open(&schedule, path, fault, sizeof(fault));
	if (rc == 0)
		return open_check();
	if (rc == -ENOENT)
		snprintf(fault, sizeof(fault),
			 "%s has no rank-%06d.schedule: take a record made "
			 "with BCS_RECORD=schedule",
			 dir, process.rank);
	snprintf(why, sizeof(why), "BCS_REPLAY: %s", fault);
	return why;
}

bool again_told_is_there(void)
{
	return schedule != NULL;
}

static void end_if_wanted(void)
{
	if (process.settings.diverged != SETTINGS_DIVERGED_END)
		return;
	dump_write("abort");
	dump_alarm();
	PMPI_Abort(MPI_COMM_WORLD, STATUS_DIVERGED);
}

/* Says how the run left the schedule: `recorded`, and what is done instead. */
static void diverge(const char *recorded, const char *now)
{
	char line[LINE];

	left = true;
	snprintf(line, sizeof(line),
		 "rank %d leaves the recorded schedule after %llu outcomes: "
		 "%s was recorded, %s is called%s",
		 process.rank, (unsigned long long)n_told, recorded, now,
		 process.settings.diverged == SETTINGS_DIVERGED_END
			 ? ""
			 : "; going on without it");
	process_warn(line);
	end_if_wanted();
}

static void call_text(char *text, size_t size, const char *call,
		      const char *place)
{
	snprintf(text, size, "%s at %s", call, place);
}

static void call_text_now(char *text, size_t size, enum shim_call call)
{
	char place[AGAIN_PLACE];

	again_calls_place(place);
	call_text(text, size, shim_names[call], place);
}

static void diverge_at(const char *recorded, enum shim_call call)
{
	char now[2 * AGAIN_PLACE];

	call_text_now(now, sizeof(now), call);
	diverge(recorded, now);
}

static bool is_known(const char *place)
{
	return strchr(place, '+') != NULL;
}

static bool places_fit(const char *recorded)
{
	char now[AGAIN_PLACE];

	if (!same_build || !is_known(recorded))
		return true;
	again_calls_place(now);
	return !is_known(now) || strcmp(now, recorded) == 0;
}

static bool fits(const struct schedule_outcome *outcome, enum shim_call call)
{
	struct again_call *entry = again_calls_find(calls, call);

	if (entry->call != 0 && entry->number == outcome->number)
		return true;
	if (strcmp(outcome->call, shim_names[call]) != 0 ||
	    !places_fit(outcome->place))
		return false;
	if (entry->call == 0)
		again_calls_take(calls, entry, call, outcome->number);
	return true;
}

/* A run that was killed has a schedule up to there, and this run goes on. */
static void over(enum shim_call call)
{
	char line[128];

	if (schedule_is_whole(schedule)) {
		diverge_at("MPI_Finalize", call);
		return;
	}
	left = true;
	snprintf(line, sizeof(line),
		 "rank %d: the recorded schedule ends here, after %llu "
		 "outcomes, since that run was cut off; going on without it",
		 process.rank, (unsigned long long)n_told);
	process_warn(line);
}

bool again_told(enum shim_call call, struct schedule_outcome *outcome)
{
	char recorded[2 * AGAIN_PLACE];

	if (left || !again_counts())
		return false;
	if (schedule_next(schedule, outcome) != 1) {
		over(call);
		return false;
	}
	if (!fits(outcome, call)) {
		call_text(recorded, sizeof(recorded), outcome->call,
			  outcome->place);
		diverge_at(recorded, call);
		return false;
	}
	n_told++;
	return true;
}

uint64_t again_told_source(void)
{
	uint64_t source;

	if (left || schedule_next_source(schedule, &source) != 1)
		return SCHEDULE_SOURCE_UNKNOWN;
	return source;
}

uint64_t again_told_slice(void)
{
	uint64_t slice;

	if (left || schedule_next_slice(schedule, &slice) != 1)
		return UINT64_MAX;
	return slice;
}

uint64_t again_told_listed(void)
{
	return schedule_list_next(schedule);
}

void again_told_misfits(const struct schedule_outcome *outcome,
			enum shim_call call)
{
	char recorded[3 * AGAIN_PLACE];

	snprintf(recorded, sizeof(recorded), "%s at %s with the answer %llu",
		 outcome->call, outcome->place,
		 (unsigned long long)outcome->value);
	diverge_at(recorded, call);
}

void again_told_end(void)
{
	struct schedule_outcome outcome;
	char recorded[2 * AGAIN_PLACE];

	if (!left && schedule_next(schedule, &outcome) == 1) {
		call_text(recorded, sizeof(recorded), outcome.call,
			  outcome.place);
		diverge(recorded, "MPI_Finalize");
	}
	schedule_free(schedule);
	free(calls);
	schedule = NULL;
}
