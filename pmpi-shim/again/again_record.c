/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Records receives from any source and probes. A receive that does not block
 * is an outcome without a value, and its source follows when it is over
 * (again_open.h).
 */
#include "abi.h"
#include "pmpi-shim/again/again_open.h"
#include "pmpi-shim/again/again_parts.h"
#include "pmpi-shim/record/outcomes.h"
#include "pmpi-shim/route/base/route_forms.h"

#define REAL(name) (*again_recorded.MPI_##name)

struct shim_pmpi again_recorded;

/* MPICH 4.0 leaves garbage in the rest of a status of MPI_Improbe. */
static uint64_t source_of(int rc, const MPI_Status *status)
{
	return rc != MPI_SUCCESS || status->MPI_SOURCE < 0
		       ? SCHEDULE_SOURCE_UNKNOWN
		       : SCHEDULE_SOURCE_RANK + (uint64_t)status->MPI_SOURCE;
}

uint64_t again_record_source(int rc, const MPI_Status *status)
{
	return rc == MPI_SUCCESS && abi_status_is_cancelled(status)
		       ? SCHEDULE_SOURCE_NONE
		       : source_of(rc, status);
}

static bool takes_any(int source)
{
	return source == MPI_ANY_SOURCE && again_counts();
}

/* A call that took a message, or found one, from any source. */
static int took(enum shim_call call, bool any, int rc, const MPI_Status *status)
{
	if (any)
		outcomes_tell(call, source_of(rc, status));
	return rc;
}

#define TOOK(NAME)                                                             \
	ROUTE_AROUND(NAME, MPI_Status own; const bool any = takes_any(source); \
		     status = again_status(status, &own),                      \
		     took(SHIM_MPI_##NAME, any, rc, status))

TOOK(Recv)
TOOK(Sendrecv)
TOOK(Sendrecv_replace)
TOOK(Probe)
TOOK(Mprobe)

static int posted(enum shim_call call, bool any, int rc,
		  const MPI_Request *request)
{
	if (!any)
		return rc;
	outcomes_tell(call, 0);
	again_open_post(rc == MPI_SUCCESS ? *request : MPI_REQUEST_NULL);
	return rc;
}

#define POSTED(NAME)                                           \
	ROUTE_AROUND(NAME, const bool any = takes_any(source), \
		     posted(SHIM_MPI_##NAME, any, rc, request))

POSTED(Irecv)
POSTED(Isendrecv)
POSTED(Isendrecv_replace)

/* A probe that does not wait: 0 if it found nothing. */
static int looked(enum shim_call call, bool counts, int rc, const int *flag,
		  const MPI_Status *status)
{
	if (counts)
		outcomes_tell(call, rc == MPI_SUCCESS && *flag
					    ? source_of(rc, status)
					    : 0);
	return rc;
}

#define LOOKED(NAME)                                                           \
	ROUTE_AROUND(NAME, MPI_Status own; const bool counts = again_counts(); \
		     status = again_status(status, &own),                      \
		     looked(SHIM_MPI_##NAME, counts, rc, flag, status))

LOOKED(Iprobe)
LOOKED(Improbe)

static int made(bool any, int rc, const MPI_Request *request)
{
	if (any && rc == MPI_SUCCESS)
		again_open_make(*request);
	return rc;
}

ROUTE_AROUND(Recv_init, const bool any = takes_any(source),
	     made(any, rc, request))

static int Start(MPI_Request *request)
{
	const int rc = REAL(Start)(request);

	if (rc == MPI_SUCCESS && again_counts() && again_open_start(*request))
		outcomes_tell(SHIM_MPI_Start, 0);
	return rc;
}

static int Startall(int n, MPI_Request requests[])
{
	const int rc = REAL(Startall)(n, requests);

	for (int i = 0; rc == MPI_SUCCESS && i < n && again_counts(); i++)
		if (again_open_start(requests[i]))
			outcomes_tell(SHIM_MPI_Startall, 0);
	return rc;
}

static int Request_free(MPI_Request *request)
{
	const MPI_Request was = request ? *request : MPI_REQUEST_NULL;
	const int rc = REAL(Request_free)(request);

	if (rc == MPI_SUCCESS && again_counts())
		again_open_free(was);
	return rc;
}

void again_record_start(void)
{
	again_recorded = shim_pmpi;
	ROUTE_INSTALL(Recv, &shim_pmpi);
	ROUTE_INSTALL(Sendrecv, &shim_pmpi);
	ROUTE_INSTALL(Sendrecv_replace, &shim_pmpi);
	ROUTE_INSTALL(Probe, &shim_pmpi);
	ROUTE_INSTALL(Mprobe, &shim_pmpi);
	ROUTE_INSTALL(Irecv, &shim_pmpi);
	ROUTE_INSTALL(Isendrecv, &shim_pmpi);
	ROUTE_INSTALL(Isendrecv_replace, &shim_pmpi);
	ROUTE_INSTALL(Iprobe, &shim_pmpi);
	ROUTE_INSTALL(Improbe, &shim_pmpi);
	ROUTE_INSTALL(Recv_init, &shim_pmpi);
	shim_pmpi.MPI_Start = Start;
	shim_pmpi.MPI_Startall = Startall;
	shim_pmpi.MPI_Request_free = Request_free;
}

void again_record_stop(void)
{
	shim_pmpi = again_recorded;
	again_open_end(again_counts_all ? SCHEDULE_SOURCE_NONE
					: SCHEDULE_SOURCE_UNKNOWN);
}
