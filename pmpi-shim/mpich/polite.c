/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Decides whether this process gives up cores while MPICH waits, and keeps its
 * share of the time.
 */
#include <mpi.h>

#include "mds/base/clock.h"
#include "pmpi-shim/job/cores.h"
#include "pmpi-shim/job/launcher.h"
#include "pmpi-shim/job/process.h"
#include "pmpi-shim/mpich/polite.h"
#include "pmpi-shim/mpich/polite_state.h"

#define SHARE_MAX 8

struct polite_state polite_state;

static enum settings_polite wish;
static bool unavailable;   /* set before there are other threads */
static unsigned run_share; /* the share while the program runs */

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

static void share_set(unsigned share)
{
	atomic_store_explicit(&polite_state.share, share, memory_order_relaxed);
}

static void decide(unsigned local_ranks, unsigned millicores)
{
	run_share = unavailable ? 0
				: polite_share(wish, local_ranks, millicores);
	polite_unhurried();
}

static bool is_never(void)
{
	return unavailable || wish == SETTINGS_OFF;
}

void polite_unhurried(void)
{
	share_set(run_share || is_never() ? run_share : 1);
}

void polite_share_run(void)
{
	share_set(run_share);
}

void polite_start(enum settings_polite wanted)
{
	struct cores cores;

	wish = wanted;
	cores_mine(&cores);
	clock_calibrate();
	unavailable = polite_ucx_find() == NULL;
	decide(launcher_local_ranks(), cores_millicores(&cores));
}

/* By now the ranks have talked to each other, so MPICH has waited. */
static void look_for_ucx(unsigned local_ranks)
{
	if (local_ranks > 1)
		unavailable = polite_ucx_caller() == NULL;
	if (unavailable && wish == SETTINGS_ON && process_is_first())
		process_warn("BCS_POLITE=on is not available: this MPICH does "
			     "not wait through UCX");
}

void polite_decide(unsigned local_ranks, unsigned millicores)
{
	look_for_ucx(local_ranks);
	decide(local_ranks, millicores);
	/* Also where only MPI_Finalize sleeps: the helper needs MPI then. */
	if (!is_never() && process.thread_level == MPI_THREAD_MULTIPLE)
		polite_unlock_watch(polite_ucx_caller());
}

static uint64_t total(_Atomic uint64_t *counter)
{
	return atomic_load_explicit(counter, memory_order_relaxed);
}

void polite_get(struct polite_stats *stats)
{
	stats->state = unavailable ? "unavailable" : run_share ? "on" : "off";
	stats->yields = total(&polite_state.yields);
	stats->sleeps = total(&polite_state.sleeps);
	stats->given_up = total(&polite_state.given_up);
}
