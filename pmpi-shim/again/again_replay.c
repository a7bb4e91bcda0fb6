/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Repeats receives from any source and probes: each is of the recorded source.
 * The first message of that source that fits is the recorded one, since
 * messages of a source keep their order.
 */
#include "pmpi-shim/again/again_replay.h"
#include "pmpi-shim/again/again_parts.h"
#include "pmpi-shim/route/base/route_forms.h"

#define REAL(name) (*again_replayed.MPI_##name)

/* The source of a call that waits for a message from anybody. */
static int source_of(enum shim_call call, int source)
{
	struct schedule_outcome o;

	if (source != MPI_ANY_SOURCE || !again_told(call, &o) ||
	    !again_is_rank(o.value))
		return source;
	return again_rank_of(o.value);
}

#define TAKES(NAME) \
	ROUTE_AROUND(NAME, source = source_of(SHIM_MPI_##NAME, source), rc)

TAKES(Recv)
TAKES(Sendrecv)
TAKES(Sendrecv_replace)
TAKES(Probe)
TAKES(Mprobe)

static void irecv_source(int *source, MPI_Comm *comm)
{
	if (*source == MPI_ANY_SOURCE)
		again_replay_source(again_replay_posted(SHIM_MPI_Irecv), source,
				    comm);
}

ROUTE_AROUND(Irecv, irecv_source(&source, &comm), rc)

/* Its send needs the communicator, whatever comes of the receive. */
static int isendrecv_source(enum shim_call call, int source)
{
	uint64_t recorded;

	if (source != MPI_ANY_SOURCE)
		return source;
	recorded = again_replay_posted(call);
	return again_is_rank(recorded) ? again_rank_of(recorded) : source;
}

#define BOTH(NAME)                                                             \
	ROUTE_AROUND(NAME, source = isendrecv_source(SHIM_MPI_##NAME, source), \
		     rc)

BOTH(Isendrecv)
BOTH(Isendrecv_replace)

static int Iprobe(int source, int tag, MPI_Comm comm, int *flag,
		  MPI_Status *status)
{
	struct schedule_outcome o;

	if (!again_told(SHIM_MPI_Iprobe, &o))
		return REAL(Iprobe)(source, tag, comm, flag, status);
	*flag = again_is_rank(o.value);
	return *flag ? REAL(Probe)(again_rank_of(o.value), tag, comm, status)
		     : MPI_SUCCESS;
}

static int Improbe(int source, int tag, MPI_Comm comm, int *flag,
		   MPI_Message *message, MPI_Status *status)
{
	struct schedule_outcome o;

	if (!again_told(SHIM_MPI_Improbe, &o))
		return REAL(Improbe)(source, tag, comm, flag, message, status);
	*flag = again_is_rank(o.value);
	return *flag ? REAL(Mprobe)(again_rank_of(o.value), tag, comm, message,
				    status)
		     : MPI_SUCCESS;
}

void again_replay_start(void)
{
	again_persistent_start();
	again_replayed = shim_pmpi;
	ROUTE_INSTALL(Recv, &shim_pmpi);
	ROUTE_INSTALL(Sendrecv, &shim_pmpi);
	ROUTE_INSTALL(Sendrecv_replace, &shim_pmpi);
	ROUTE_INSTALL(Probe, &shim_pmpi);
	ROUTE_INSTALL(Mprobe, &shim_pmpi);
	ROUTE_INSTALL(Irecv, &shim_pmpi);
	ROUTE_INSTALL(Isendrecv, &shim_pmpi);
	ROUTE_INSTALL(Isendrecv_replace, &shim_pmpi);
	shim_pmpi.MPI_Iprobe = Iprobe;
	shim_pmpi.MPI_Improbe = Improbe;
	again_replay_done_install(&shim_pmpi);
}

void again_replay_stop(void)
{
	again_persistent_stop();
	again_source_stop();
	again_told_end();
}
