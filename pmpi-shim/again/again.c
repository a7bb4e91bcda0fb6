/* SPDX-License-Identifier: BSD-3-Clause */

/* Starts and ends recording and repeating. */
#include <stdio.h>
#include <stdlib.h>

#include "pmpi-shim/again/again.h"
#include "pmpi-shim/again/again_parts.h"
#include "pmpi-shim/job/process.h"
#include "pmpi-shim/record/outcomes.h"

#define STATUS_USAGE 2

static bool is_recording;
static bool is_replaying;

/* The line of the first process that cannot; false if all can. */
static bool some_cannot(const char *why)
{
	int first = why ? process.rank : process.size;

	PMPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_INT, MPI_MIN,
		       MPI_COMM_WORLD);
	if (first == process.rank)
		process_warn(why);
	return first < process.size;
}

void again_prepare(void)
{
	if (!*process.settings.replay)
		return;
	if (!some_cannot(again_told_open(process.settings.replay)))
		return;
	process.ended = true;
	PMPI_Finalize();
	exit(STATUS_USAGE);
}

void again_start(void)
{
	is_replaying = again_told_is_there();
	is_recording = outcomes_start();
	if (!is_replaying && !is_recording)
		return;
	again_threads();
	if (is_replaying)
		again_replay_start();
	again_slices_start(is_recording, is_replaying);
	/* Above: what is repeated can be recorded once more. */
	if (is_recording) {
		again_record_start();
		again_record_done_install(&shim_pmpi);
	}
}

void again_stop(void)
{
	if (is_recording || is_replaying)
		again_slices_stop();
	if (is_recording)
		again_record_stop();
	if (is_replaying)
		again_replay_stop();
	outcomes_stop();
	is_recording = false;
	is_replaying = false;
}
