/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Collectives over the neighbours of a topology, which MPI carries.  With
 * BCS_STRICT each process first gets an empty message of ours from those that
 * it receives from.  MPI does not end the call before these have called it, so
 * nobody waits longer than for MPI.  To send is not waited for.
 *
 * Only on demand: by the strobe any exchange waits for the whole communicator.
 */
#include <stdlib.h>

#include "pmpi-shim/job/process.h"
#include "pmpi-shim/route/base/route_forms.h"
#include "pmpi-shim/route/base/route_install.h"
#include "pmpi-shim/route/base/route_op.h"
#include "pmpi-shim/route/base/route_state.h"
#include "pmpi-shim/route/coll/route_meet.h"

/* Fills in what is to be called; false if nobody waits. */
static bool call_make(struct route_call *call, enum shim_call name,
		      MPI_Comm comm, int *rc, struct shim_neighbors *found)
{
	struct route_comm *members = route_comm_find(comm);

	if (!members || members->size == 1 || route_native)
		return false;
	*call = (struct route_call){ .name = name,
				     .kind = ROUTE_NEIGHBORS,
				     .comm = comm,
				     .op = MPI_OP_NULL,
				     .out.type = MPI_DATATYPE_NULL,
				     .in.type = MPI_DATATYPE_NULL,
				     .members = members,
				     .meets = true,
				     .neighbors = found };
	if (!shim_neighbors_ask(comm, members->rank, found))
		*rc = route_error(comm, MPI_ERR_NO_MEM);
	return *rc == MPI_SUCCESS && found->in;
}

static void neighbors_free(struct shim_neighbors *found)
{
	free(found->in);
	free(found->out);
}

/* Before a call that blocks. */
static int meet(enum shim_call name, MPI_Comm comm, bool is_right)
{
	struct shim_neighbors found = { 0 };
	struct route_call call;
	int rc = MPI_SUCCESS;

	if (is_right && call_make(&call, name, comm, &rc, &found))
		rc = route_coll_run(&call);
	neighbors_free(&found);
	return rc;
}

static int request_end(struct route_companion *also)
{
	struct route_meet_request *request = (struct route_meet_request *)also;
	const int rc = request->rc;

	free(request);
	return rc;
}

static int request_wrap(const struct route_call *call, MPI_Request *handle)
{
	struct route_meet_request *request = calloc(1, sizeof(*request));

	if (!request)
		return route_error(call->comm, MPI_ERR_NO_MEM);
	request->also.is_done = route_meet_is_done;
	request->also.end = request_end;
	request->mpi = *handle;
	return route_coll_post(call, &request->also, handle);
}

/* After MPI has begun one that does not block: the request stands for both. */
static int begun(enum shim_call name, int rc, MPI_Comm comm,
		 MPI_Request *request)
{
	struct shim_neighbors found = { 0 };
	struct route_call call;

	if (rc == MPI_SUCCESS && call_make(&call, name, comm, &rc, &found))
		rc = request_wrap(&call, request);
	neighbors_free(&found);
	return rc;
}

/* MPI refuses others, and nobody should wait for that. */
#define MEET(NAME, is_right)                        \
	rc = meet(SHIM_MPI_##NAME, comm, is_right); \
	if (rc != MPI_SUCCESS)                      \
	return rc
#define BEGUN(NAME) begun(SHIM_MPI_##NAME, rc, comm, request)

ROUTE_AROUND(Neighbor_allgather,
	     MEET(Neighbor_allgather, sendcount >= 0 && recvcount >= 0), rc)
ROUTE_AROUND(Neighbor_allgatherv, MEET(Neighbor_allgatherv, sendcount >= 0), rc)
ROUTE_AROUND(Neighbor_alltoall,
	     MEET(Neighbor_alltoall, sendcount >= 0 && recvcount >= 0), rc)
ROUTE_AROUND(Neighbor_alltoallv, MEET(Neighbor_alltoallv, true), rc)
ROUTE_AROUND(Neighbor_alltoallw, MEET(Neighbor_alltoallw, true), rc)
ROUTE_AROUND(Ineighbor_allgather, , BEGUN(Ineighbor_allgather))
ROUTE_AROUND(Ineighbor_allgatherv, , BEGUN(Ineighbor_allgatherv))
ROUTE_AROUND(Ineighbor_alltoall, , BEGUN(Ineighbor_alltoall))
ROUTE_AROUND(Ineighbor_alltoallv, , BEGUN(Ineighbor_alltoallv))
ROUTE_AROUND(Ineighbor_alltoallw, , BEGUN(Ineighbor_alltoallw))

static bool is_wanted(void)
{
	return process.settings.strict && !route_engines.strobe &&
	       process.settings.deadlock != SETTINGS_DEADLOCK_OFF;
}

/* Else they are MPI's, and cost nothing more. */
void route_neighbors_install(struct shim_pmpi *table)
{
	if (!is_wanted())
		return;
	ROUTE_INSTALL(Neighbor_allgather, table);
	ROUTE_INSTALL(Neighbor_allgatherv, table);
	ROUTE_INSTALL(Neighbor_alltoall, table);
	ROUTE_INSTALL(Neighbor_alltoallv, table);
	ROUTE_INSTALL(Neighbor_alltoallw, table);
	ROUTE_INSTALL(Ineighbor_allgather, table);
	ROUTE_INSTALL(Ineighbor_allgatherv, table);
	ROUTE_INSTALL(Ineighbor_alltoall, table);
	ROUTE_INSTALL(Ineighbor_alltoallv, table);
	ROUTE_INSTALL(Ineighbor_alltoallw, table);
}
