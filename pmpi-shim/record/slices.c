/* SPDX-License-Identifier: BSD-3-Clause */

/* Starts and ends the record of slices of this process. */
#include <stdio.h>
#include <unistd.h>

#include "mds/emds/emds.h"
#include "mds/settings/settings_emds.h"
#include "pmpi-shim/job/process.h"
#include "pmpi-shim/record/slices.h"

static struct emds *_Atomic emds;

static bool is_wanted(void)
{
	return process.settings.emds != SETTINGS_EMDS_OFF &&
	       process.dir[0] != '\0' &&
	       settings_rank_in(process.settings.ranks, process.rank);
}

struct emds *slices_start(uint64_t zero_ns, uint64_t first_ns, bool leads,
			  uint64_t budget)
{
	const struct settings *settings = &process.settings;
	char name[32];
	struct emds_options options = settings_emds_options(
		settings, process.local_ranks);
	struct emds *made = NULL;
	int rc;

	if (!is_wanted() || (settings->mode == SETTINGS_FIXED && !leads))
		return NULL;
	snprintf(name, sizeof(name), "rank-%06d.slices", process.rank);
	options.columns &= emds_columns_of(settings->mode == SETTINGS_FIXED,
					   process.rank == 0);
	options.dir = process.dir;
	options.name = name;
	options.rank = process.rank;
	options.pid = (uint64_t)process.pid;
	options.host = process.host;
	options.mode = settings_mode_name(settings->mode);
	if (settings->mode == SETTINGS_FIXED)
		options.slice_ns = settings->slice_ns;
	options.budget = budget;
	options.zero_ns = zero_ns;
	options.first_ns = first_ns;
	options.failed = process_warn_failed;
	rc = emds_start(&made, &options);
	if (rc != 0)
		process_warn_failed(rc);
	emds = made;
	return made;
}

void slices_none(void)
{
	if (is_wanted() && process_is_first())
		process_warn("BCS_EMDS has nothing to record: there are no "
			     "slices with BCS_MODE=observe");
}

void slices_flush(void)
{
	if (getpid() == process.pid)
		emds_flush(emds);
}

void slices_stop(void)
{
	struct emds *was = emds;

	emds = NULL;
	emds_stop(was);
}
