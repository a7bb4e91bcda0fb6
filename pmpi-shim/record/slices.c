/* SPDX-License-Identifier: BSD-3-Clause */

/* Starts and ends the record of slices of this process. */
#include <stdio.h>
#include <unistd.h>

#include "mds/emds.h"
#include "pmpi-shim/job/process.h"
#include "pmpi-shim/record/slices.h"

#define NODE_MEMORY (8u << 20)

static struct emds *_Atomic emds;

static bool is_wanted(void)
{
	return process.settings.emds != SETTINGS_EMDS_OFF &&
	       process.dir[0] != '\0' &&
	       settings_rank_in(process.settings.ranks, process.rank);
}

struct emds *slices_start(uint64_t zero_ns, uint64_t first_ns)
{
	const struct settings *settings = &process.settings;
	char name[32];
	const struct emds_options options = {
		.dir = process.dir,
		.name = name,
		.from = settings->emds_from,
		.to = settings->emds_to,
		.resolution = settings->emds_resolution,
		.every = settings->emds == SETTINGS_EMDS_EVERY,
		.columns = settings->emds_columns,
		.memory = NODE_MEMORY / process.local_ranks,
		.rank = process.rank,
		.pid = (uint64_t)process.pid,
		.host = process.host,
		.mode = settings_mode_name(settings->mode),
		.slice_ns = settings->mode == SETTINGS_FIXED
				    ? settings->slice_ns
				    : 0,
		.zero_ns = zero_ns,
		.first_ns = first_ns,
		.local_ranks = process.local_ranks,
		.failed = process_warn_failed,
	};
	struct emds *made = NULL;
	int rc;

	if (!is_wanted())
		return NULL;
	snprintf(name, sizeof(name), "rank-%06d.slices", process.rank);
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
