/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The record of slices (BCS_EMDS) of a program that calls this library.  On
 * demand each process writes a file, in slices the first one of each node.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "libbcs/api/bcs_parts.h"
#include "mds/record/record_dir.h"
#include "mds/record/record_file.h"
#include "mds/settings/settings_emds.h"

static char dir[PATH_MAX];

static const char *const names[] = {
	"BCS_NODE_SIZE",   "BCS_OUT",          "BCS_JOB",
	"BCS_RANKS",       "BCS_UMASK",        "BCS_EMDS",
	"BCS_EMDS_SLICES", "BCS_EMDS_METRICS", "BCS_EMDS_RESOLUTION",
	"BCS_BUDGET",
};

bool bcs_settings_load(struct settings *settings)
{
	*settings = (struct settings){ .node_size = 0 };
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const struct setting *setting = settings_find(names[i]);
		const char *value = getenv(names[i]);

		if (!setting->set(settings, value ? value : setting->fallback))
			return false;
	}
	record_file_mask = (mode_t)settings->umask;
	return true;
}

/* 0, or the least -errno of all processes. */
static int worst(int rc)
{
	MPI_Allreduce(MPI_IN_PLACE, &rc, 1, MPI_INT, MPI_MIN, bcs_state.comm);
	return rc;
}

static bool anybody_wants(const struct settings *settings)
{
	int wants = settings->emds != SETTINGS_EMDS_OFF;

	MPI_Allreduce(MPI_IN_PLACE, &wants, 1, MPI_INT, MPI_MAX,
		      bcs_state.comm);
	return wants;
}

static int dir_meet(const struct settings *settings)
{
	const struct record_dir_options options = { .out = settings->out,
						    .job = settings->job,
						    .number = (long)getpid() };
	int rc = 0;

	if (bcs_state.rank == 0)
		rc = record_dir_make(dir, sizeof(dir), &options);
	rc = worst(rc);
	if (rc != 0)
		return rc;
	MPI_Bcast(dir, sizeof(dir), MPI_CHAR, 0, bcs_state.comm);
	if (bcs_state.rank != 0 && bcs_state.nodes.slot == 0)
		record_dir_make_parent(dir);
	return 0;
}

static bool writes(const struct settings *settings, uint64_t slice_ns)
{
	return settings->emds != SETTINGS_EMDS_OFF &&
	       settings_rank_in(settings->ranks, bcs_state.rank) &&
	       (!slice_ns || bcs_state.nodes.slot == 0);
}

static int file_start(const struct settings *settings, uint64_t slice_ns,
		      uint64_t zero_ns, uint64_t first_ns, uint64_t budget)
{
	char host[HOST_NAME_MAX + 1] = "";
	char name[32];
	struct emds_options options = settings_emds_options(
		settings, (unsigned)bcs_state.nodes.machine);

	gethostname(host, sizeof(host) - 1);
	snprintf(name, sizeof(name), "rank-%06d.slices", bcs_state.rank);
	options.columns &= emds_columns_of(slice_ns != 0, bcs_state.rank == 0);
	options.dir = dir;
	options.name = name;
	options.rank = bcs_state.rank;
	options.pid = (uint64_t)getpid();
	options.host = host;
	options.mode = settings_mode_name(slice_ns ? SETTINGS_FIXED
						   : SETTINGS_DEMAND);
	options.slice_ns = slice_ns;
	options.budget = budget;
	options.zero_ns = zero_ns;
	options.first_ns = first_ns;
	return emds_start(&bcs_state.emds, &options);
}

int bcs_emds_start(const struct settings *settings, uint64_t slice_ns,
		   uint64_t zero_ns, uint64_t budget)
{
	uint64_t first_ns = zero_ns;
	int rc;

	if (!anybody_wants(settings))
		return 0;
	rc = dir_meet(settings);
	if (rc != 0)
		return rc;
	MPI_Bcast(&first_ns, 1, MPI_UINT64_T, 0, bcs_state.comm);
	if (writes(settings, slice_ns))
		rc = file_start(settings, slice_ns, zero_ns, first_ns, budget);
	rc = worst(rc);
	if (rc != 0)
		bcs_emds_stop();
	return rc;
}

void bcs_emds_stop(void)
{
	emds_stop(bcs_state.emds);
	bcs_state.emds = NULL;
}
