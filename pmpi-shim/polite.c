/* SPDX-License-Identifier: BSD-3-Clause */
#include "pmpi-shim/polite.h"
#include "mds/clock.h"
#include "pmpi-shim/cores.h"
#include "pmpi-shim/launcher.h"
#include "pmpi-shim/polite_state.h"

#define SHARE_MAX 8

struct polite_state polite_state;

static enum settings_polite wish;
static _Atomic bool unavailable;

/*
 * A thread that sleeps for 1/16 of the time it has waited is late by 1/16 at
 * most.  The more ranks share a core, the more its waking costs the others,
 * and the longer it would have to wait for the core anyhow.
 */
unsigned polite_share(enum settings_polite wanted, unsigned local_ranks,
		      unsigned millicores)
{
	const uint64_t needed = (uint64_t)local_ranks * 1000;
	const bool crowded = needed > millicores;
	uint64_t share;

	if (wanted == SETTINGS_OFF || (wanted == SETTINGS_AUTO && !crowded))
		return 0;
	share = millicores ? needed / millicores : SHARE_MAX;
	return share < 1 ? 1 : share > SHARE_MAX ? SHARE_MAX : (unsigned)share;
}

static void decide(unsigned local_ranks, unsigned millicores)
{
	const unsigned share = atomic_load(&unavailable)
				       ? 0
				       : polite_share(wish, local_ranks,
						      millicores);

	atomic_store(&polite_state.share, share);
}

void polite_start(enum settings_polite wanted)
{
	struct cores cores;

	wish = wanted;
	cores_mine(&cores);
	clock_calibrate();
	atomic_store(&unavailable, polite_ucx_find() == NULL);
	decide(launcher_local_ranks(), cores_millicores(&cores));
}

void polite_decide(unsigned local_ranks, unsigned millicores)
{
	if (local_ranks > 1 && !polite_ucx_reached())
		atomic_store(&unavailable, true);
	decide(local_ranks, millicores);
}

void polite_contended(void)
{
	atomic_store(&polite_state.contended, true);
}

void polite_get(struct polite_stats *stats)
{
	stats->state = atomic_load(&unavailable)          ? "unavailable"
		       : atomic_load(&polite_state.share) ? "on"
							  : "off";
	stats->yields = atomic_load(&polite_state.yields);
	stats->sleeps = atomic_load(&polite_state.sleeps);
	stats->given_up = atomic_load(&polite_state.given_up);
}
