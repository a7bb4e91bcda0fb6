/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * MPI's progress and the engine's, while a thread waits for either of them.
 */
#include "pmpi-shim/route/base/route_progress.h"
#include "mds/base/clock.h"
#include "mds/mmds/mmds.h"
#include "mds/mmds/path.h"
#include "pmpi-shim/dump/fatal.h"
#include "pmpi-shim/mpich/polite.h"
#include "pmpi-shim/mpich/polite_state.h"
#include "pmpi-shim/route/base/route_state.h"

#define TAG_NEVER 1 /* on route_self; conversions there have 0 */

#define VAIN_POKES  3    /* in a row that moved nothing: nothing is left */
#define BLIND_POKES 32   /* the same, where UCX does not tell what moved */
#define MOST_POKES  1000 /* in all: others may send without end */

MPI_Request route_never = MPI_REQUEST_NULL;

/*
 * MPI gets on with what is its own, while a thread waits for what is ours.  A
 * request that is never done makes it do everything there is to do: MPI_Iprobe
 * leaves out collectives that do not block.  Whether it got further.
 */
bool route_poke(void)
{
	const uint64_t waiting = polite_thread.waiting;
	const uint64_t moved = polite_thread.moved;
	int flag;

	REAL(Test)(&route_never, &flag, MPI_STATUS_IGNORE);
	/* To look is not to wait. */
	polite_thread.waiting = waiting;
	return polite_thread.moved != moved;
}

/* When the thread began to wait here, and the waiting counted before that. */
static __thread struct {
	uint64_t since;
	uint64_t waiting;
} idles __attribute__((tls_model("initial-exec")));

void route_meanwhile(void)
{
	if (mmds_thread)
		mmds_settle(mmds_thread);
}

void route_post_is_slow(void)
{
	if (!mmds_thread || !mmds_time(mmds_thread))
		return;
	polite_thread.last = mmds_thread->now->start;
	path_enter(mmds_thread, polite_thread.last);
}

/* All of it is waited for, whatever MPI did meanwhile counts as such. */
void route_idle(bool begins)
{
	const uint64_t now = clock_ticks();

	if (begins) {
		idles.since = now;
		idles.waiting = polite_thread.waiting;
		return;
	}
	polite_thread.waiting = idles.waiting + now - idles.since;
	polite_thread.last = 0;
	polite_thread.turns = 0;
}

void route_progress_start(void)
{
	REAL(Comm_dup)(MPI_COMM_SELF, &route_self);
	REAL(Comm_set_errhandler)(route_self, MPI_ERRORS_RETURN);
	fatal_not_for(route_self);
	REAL(Irecv)(NULL, 0, MPI_BYTE, 0, TAG_NEVER, route_self, &route_never);
}

void route_progress_stop(void)
{
	REAL(Cancel)(&route_never);
	REAL(Wait)(&route_never, MPI_STATUS_IGNORE);
	REAL(Comm_free)(&route_self);
}

void route_help(void)
{
	route_poke();
	engines_help(&route_engines);
}

bool route_catch_up(bool (*ready)(void *arg), bool (*soon)(void *arg),
		    void *arg)
{
	route_help();
	return engines_settle(&route_engines, ready, soon, arg);
}

/*
 * UCX takes some messages at a time, and tells how many; what MPICH does with
 * them may take a turn more.  Where MPICH does not come by UCX, nothing tells.
 */
void route_settle(void)
{
	const unsigned most = polite_ucx_caller() ? VAIN_POKES : BLIND_POKES;
	unsigned vain = 0;

	for (unsigned i = 0; i < MOST_POKES && vain < most; i++)
		vain = route_poke() ? 0 : vain + 1;
}

bool route_said_no(int rc, const int *flag)
{
	if (rc != MPI_SUCCESS || *flag)
		return false;
	route_settle();
	return true;
}
