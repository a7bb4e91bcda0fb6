/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The calls that make and free communicators, as far as these are scheduled
 * (base/route_comm.h).
 */
#include <stdlib.h>

#include "pmpi-shim/route/base/route_comm.h"
#include "pmpi-shim/route/base/route_forms.h"
#include "pmpi-shim/route/base/route_install.h"
#include "pmpi-shim/route/base/route_op.h"
#include "pmpi-shim/route/base/route_state.h"
#include "pmpi-shim/route/coll/route_coll.h"
#include "pmpi-shim/route/coll/route_meet.h"
#include "pmpi-shim/route/route.h"

static int made(int rc, const MPI_Comm *comm)
{
	return route_comm_made(rc, rc == MPI_SUCCESS ? *comm : MPI_COMM_NULL);
}

static bool is_color(int color)
{
	return color >= 0 || color == MPI_UNDEFINED;
}

/* Without a dimension MPI makes communicators of one process, alone. */
static bool keeps_one(MPI_Comm comm, const int *remain_dims)
{
	int topology;
	int n = 0;

	if (!route_comm_find(comm))
		return false;
	REAL(Topo_test)(comm, &topology);
	if (topology != MPI_CART)
		return false;
	REAL(Cartdim_get)(comm, &n);
	while (n > 0 && !remain_dims[n - 1])
		n--;
	return n > 0;
}

ROUTE_AROUND(Comm_dup, ROUTE_MEET(Comm_dup, comm, newcomm), made(rc, newcomm))
ROUTE_AROUND(Comm_dup_with_info, ROUTE_MEET(Comm_dup_with_info, comm, newcomm),
	     made(rc, newcomm))
ROUTE_AROUND(Comm_create,
	     ROUTE_MEET(Comm_create, comm, newcomm &&group != MPI_GROUP_NULL),
	     made(rc, newcomm))
ROUTE_AROUND(Comm_create_group, , made(rc, newcomm))
ROUTE_AROUND(Comm_split,
	     ROUTE_MEET(Comm_split, comm, newcomm &&is_color(color)),
	     made(rc, newcomm))
ROUTE_AROUND(Comm_split_type, ROUTE_MEET(Comm_split_type, comm, newcomm),
	     made(rc, newcomm))
/* Without a dimension MPI makes it without the others. */
ROUTE_AROUND(Cart_create,
	     ROUTE_MEET(Cart_create, comm_old,
			ndims > 0 && dims && periods && comm_cart),
	     made(rc, comm_cart))
ROUTE_AROUND(Cart_sub,
	     ROUTE_MEET(Cart_sub, comm,
			newcomm &&remain_dims &&keeps_one(comm, remain_dims)),
	     made(rc, newcomm))
/* Without a node, likewise. */
ROUTE_AROUND(Graph_create,
	     ROUTE_MEET(Graph_create, comm_old,
			nnodes > 0 && indx && edges && comm_graph),
	     made(rc, comm_graph))
ROUTE_AROUND(Dist_graph_create,
	     ROUTE_MEET(Dist_graph_create, comm_old, n >= 0 && comm_dist_graph),
	     made(rc, comm_dist_graph))
ROUTE_AROUND(Dist_graph_create_adjacent,
	     ROUTE_MEET(Dist_graph_create_adjacent, comm_old,
			indegree >= 0 && outdegree >= 0 && comm_dist_graph),
	     made(rc, comm_dist_graph))
ROUTE_AROUND(Intercomm_merge, , made(rc, newintracomm))

/*
 * A duplicate is made while its processes do something else; so they agree on
 * its context by a reduction of ours that does not block.  The request stands
 * for both.  MPI's waits for all members, and so does a reduction.
 */
struct route_dup {
	struct route_meet_request request;
	struct route_comm *comm; /* as it will be */
	MPI_Comm handle;
};

static int dup_end(struct route_companion *also)
{
	struct route_dup *dup = (struct route_dup *)also;
	struct route_comm **entry = handles_find(&route_comms, dup->handle);
	const int rc = dup->request.rc;

	if (rc == MPI_SUCCESS && dup->comm->context)
		*entry = dup->comm;
	else
		route_comm_drop(dup->comm);
	free(dup);
	return rc;
}

static struct route_dup *dup_make(const struct route_comm *from)
{
	struct route_dup *dup = calloc(1, sizeof(*dup));

	if (!dup)
		return NULL;
	dup->comm = route_comm_copy(from);
	if (!dup->comm) {
		free(dup);
		return NULL;
	}
	dup->request.also.is_done = route_meet_is_done;
	dup->request.also.end = dup_end;
	return dup;
}

static int idup_run(enum shim_call name, int rc, struct route_comm *from,
		    MPI_Comm comm, const MPI_Comm *made, MPI_Request *request)
{
	struct route_dup *dup;
	struct route_call call = { .name = name,
				   .kind = ROUTE_ALLREDUCE,
				   .comm = comm,
				   .op = MPI_MAX,
				   .members = from,
				   .meets = true };

	if (rc != MPI_SUCCESS || !from || from->size == 1 || route_native)
		return rc;
	dup = handles_make(&route_comms, *made) ? dup_make(from) : NULL;
	if (!dup)
		return route_error(comm, MPI_ERR_NO_MEM);
	dup->handle = *made;
	dup->comm->handle = *made;
	dup->request.mpi = *request;
	if (from->rank == 0)
		dup->comm->context = route_comm_context();
	call.in = (struct route_side){ .address = &dup->comm->context,
				       .count = 1,
				       .type = MPI_UINT32_T };
	call.out = call.in;
	call.out.address = MPI_IN_PLACE;
	return route_coll_post(&call, &dup->request.also, request);
}

static int Comm_idup(MPI_Comm comm, MPI_Comm *made, MPI_Request *request)
{
	return idup_run(SHIM_MPI_Comm_idup,
			REAL(Comm_idup)(comm, made, request),
			route_comm_find(comm), comm, made, request);
}

static int Comm_idup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm *made,
			       MPI_Request *request)
{
	return idup_run(SHIM_MPI_Comm_idup_with_info,
			REAL(Comm_idup_with_info)(comm, info, made, request),
			route_comm_find(comm), comm, made, request);
}

/* Its number may be another's as soon as MPI has freed it. */
static int comm_free_run(int (*real)(MPI_Comm *), MPI_Comm *handle)
{
	const bool known = handle && *handle != MPI_COMM_WORLD &&
			   *handle != MPI_COMM_SELF && route_comm_find(*handle);
	struct route_comm *comm = known ? route_comm_find(*handle) : NULL;
	const MPI_Comm was = known ? *handle : MPI_COMM_NULL;
	int rc;

	if (known)
		*(struct route_comm **)handles_find(&route_comms, was) = NULL;
	rc = real(handle);
	if (known && rc == MPI_SUCCESS)
		route_comm_drop(comm);
	else if (known)
		*(struct route_comm **)handles_find(&route_comms, was) = comm;
	return rc;
}

static int Comm_free(MPI_Comm *comm)
{
	return comm_free_run(route_real.MPI_Comm_free, comm);
}

static int Comm_disconnect(MPI_Comm *comm)
{
	return comm_free_run(route_real.MPI_Comm_disconnect, comm);
}

void route_comms_install(struct shim_pmpi *table)
{
	ROUTE_INSTALL(Comm_dup, table);
	ROUTE_INSTALL(Comm_dup_with_info, table);
	ROUTE_INSTALL(Comm_create, table);
	ROUTE_INSTALL(Comm_create_group, table);
	ROUTE_INSTALL(Comm_split, table);
	ROUTE_INSTALL(Comm_split_type, table);
	ROUTE_INSTALL(Cart_create, table);
	ROUTE_INSTALL(Cart_sub, table);
	ROUTE_INSTALL(Graph_create, table);
	ROUTE_INSTALL(Dist_graph_create, table);
	ROUTE_INSTALL(Dist_graph_create_adjacent, table);
	ROUTE_INSTALL(Intercomm_merge, table);
	table->MPI_Comm_idup = Comm_idup;
	table->MPI_Comm_idup_with_info = Comm_idup_with_info;
	table->MPI_Comm_free = Comm_free;
	table->MPI_Comm_disconnect = Comm_disconnect;
}
