/* SPDX-License-Identifier: BSD-3-Clause */

/* Starts, fills and ends the file of this process's schedule. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pmpi-shim/job/process.h"
#include "pmpi-shim/record/outcomes.h"

static struct schedule_writer *_Atomic file;
static struct again_calls *calls;
static pthread_t owner;

static bool is_wanted(void)
{
	return process.settings.schedule && process.dir[0] != '\0';
}

bool outcomes_start(void)
{
	struct schedule_writer *made = NULL;
	struct schedule_about about = { .rank = process.rank,
					.size = process.size };
	char name[32];
	int rc;

	if (!is_wanted())
		return false;
	calls = calloc(1, sizeof(*calls));
	if (!calls)
		return false;
	again_calls_build(about.build);
	strcpy(about.mode, settings_mode_name(process.settings.mode));
	snprintf(name, sizeof(name), "rank-%06d.schedule", process.rank);
	rc = schedule_create(&made, process.dir, name, &about);
	if (rc != 0)
		process_warn_failed(rc);
	owner = pthread_self();
	file = made;
	return made != NULL;
}

void outcomes_stop(void)
{
	struct schedule_writer *was = file;
	int rc;

	file = NULL;
	if (!was)
		return;
	rc = schedule_close(was);
	if (rc != 0)
		process_warn_failed(rc);
	free(calls);
	calls = NULL;
}

static uint32_t number_of(enum shim_call call)
{
	struct again_call *entry = again_calls_find(calls, call);
	char place[AGAIN_PLACE];

	if (__builtin_expect(entry->call == 0, 0)) {
		again_calls_place(place);
		schedule_put_call(file, shim_names[call], place);
		again_calls_take(calls, entry, call, calls->n);
	}
	return entry->number;
}

void outcomes_tell(enum shim_call call, uint64_t value)
{
	schedule_put(file, number_of(call), value);
}

void outcomes_tell_list(enum shim_call call, const int *list, int n)
{
	schedule_put_list(file, number_of(call), list, n);
}

void outcomes_tell_source(uint64_t source)
{
	schedule_put_source(file, source);
}

void outcomes_tell_slice(uint64_t slice)
{
	schedule_put_slice(file, slice);
}

void outcomes_flush(void)
{
	struct schedule_writer *to = file;

	if (to && getpid() == process.pid &&
	    pthread_equal(owner, pthread_self()))
		schedule_flush(to);
}
