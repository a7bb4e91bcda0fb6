/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Stands in for the parts of the preload that exist for MPICH alone: the
 * scheduler (route/, again/) and politeness (mpich/).  A user who asks for one
 * of these is told, and the program is observed.
 */
#include <stdio.h>
#include <string.h>

#include "abi.h"
#include "pmpi-shim/again/again.h"
#include "pmpi-shim/job/process.h"
#include "pmpi-shim/mpich/leave.h"
#include "pmpi-shim/mpich/polite.h"
#include "pmpi-shim/record/slices.h"
#include "pmpi-shim/route/route.h"
#include "pmpi-shim/shim.h"

bool shim_posts_only;
__thread unsigned route_native __attribute__((tls_model("initial-exec")));
__thread struct polite_thread polite_thread
	__attribute__((tls_model("initial-exec")));

static void tell(const char *line)
{
	if (process_is_first())
		process_warn(line);
}

static void refuse_mode(struct settings *settings)
{
	if (settings->mode == SETTINGS_OBSERVE)
		return;
	snprintf(process.slices, sizeof(process.slices),
		 "BCS_MODE=%s: messages of Open MPI are not scheduled, since "
		 "the scheduler knows MPICH's requests and communicators only; "
		 "the program is observed",
		 settings_mode_name(settings->mode));
	tell(process.slices);
	settings->mode = SETTINGS_OBSERVE;
}

static void refuse_schedule(struct settings *settings)
{
	if (!settings->schedule && !*settings->replay)
		return;
	tell("BCS_RECORD and BCS_REPLAY are for MPICH: the schedule of a "
	     "program of Open MPI is neither recorded nor repeated");
	settings->schedule = false;
	settings->replay = "";
}

void abi_prepare(void)
{
	refuse_mode(&process.settings);
	refuse_schedule(&process.settings);
}

void route_start(void)
{
	slices_none();
}

void route_stop(void)
{
}

void route_gone(void)
{
}

void route_attrs_delete(void)
{
}

int route_quiesce(void)
{
	return MPI_SUCCESS;
}

void again_prepare(void)
{
}

void again_start(void)
{
}

void again_stop(void)
{
}

void leave_together(void)
{
}

/* Open MPI yields by itself, once there are more ranks than cores. */
void polite_start(enum settings_polite wish)
{
	if (wish == SETTINGS_ON)
		tell("BCS_POLITE=on has nothing to do: Open MPI yields by "
		     "itself");
}

void polite_decide(unsigned local_ranks, unsigned millicores)
{
	(void)local_ranks;
	(void)millicores;
}

void polite_share_run(void)
{
}

void polite_unhurried(void)
{
}

void polite_get(struct polite_stats *stats)
{
	memset(stats, 0, sizeof(*stats));
	stats->state = "off";
}
