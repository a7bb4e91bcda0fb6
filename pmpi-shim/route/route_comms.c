/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Which communicators are scheduled: those whose members are of this world,
 * made by a call that all of them are in.  The first member names the context
 * that tells their messages from others', and MPI tells the rest.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "pmpi-shim/job/process.h"
#include "pmpi-shim/mpich/handles.h"
#include "pmpi-shim/record/comms.h"
#include "pmpi-shim/route/route_coll.h"
#include "pmpi-shim/route/route_net.h"

static void *zeroed(size_t bytes)
{
	return calloc(1, bytes);
}

struct handles route_comms = { .entry_size = sizeof(struct route_comm *),
			       .alloc = zeroed };
static MPI_Group world_group;
static _Atomic uint32_t n_named;

/* In the world of its members; NULL if there is no memory. */
static int *members_of(MPI_Comm handle, int size)
{
	MPI_Group group;
	int *ranks;

	REAL(Comm_group)(handle, &group);
	ranks = shim_ranks_in(world_group, group, size);
	REAL(Group_free)(&group);
	return ranks;
}

/* False if one of them is not in the world. */
static bool peers_find(struct route_comm *comm, const int *ranks)
{
	const uint32_t n = (uint32_t)comm->size;
	uint32_t *peers = malloc(n * sizeof(*peers));
	bool here = peers != NULL;
	int peer;

	for (uint32_t i = 0; here && i < n; i++) {
		peer = route_peer(ranks[i]);
		peers[i] = (uint32_t)peer;
		here = peer >= 0;
	}
	here = here && numbers_keep(&comm->peers, peers, n) == 0;
	free(peers);
	return here;
}

static bool nodes_find(struct route_comm *comm, const int *ranks)
{
	const uint32_t n = (uint32_t)comm->size;
	uint32_t *node_of;
	int rc;

	if (!route_net_is_there())
		return true;
	node_of = malloc(n * sizeof(*node_of));
	if (!node_of)
		return false;
	for (uint32_t i = 0; i < n; i++)
		node_of[i] = route_net_node(ranks[i]);
	rc = coll_nodes_make(&comm->nodes, node_of, n, (uint32_t)comm->rank);
	comm->nodes.made_up = process.settings.node_size != 0;
	free(node_of);
	return rc == 0;
}

static void comm_free(struct route_comm *comm)
{
	if (!comm)
		return;
	slate_leave(comm->slate);
	coll_free(atomic_load(&comm->spare));
	free(comm->likes);
	numbers_free(&comm->peers);
	coll_nodes_free(&comm->nodes);
	free(comm);
}

void route_comm_hold(struct route_comm *comm)
{
	atomic_fetch_add(&comm->users, 1);
}

void route_comm_drop(struct route_comm *comm)
{
	if (comm && atomic_fetch_sub(&comm->users, 1) == 1)
		comm_free(comm);
}

/* NULL if it is not to be scheduled. */
static struct route_comm *comm_describe(MPI_Comm handle)
{
	struct route_comm *comm = calloc(1, sizeof(*comm));
	bool found;
	int *ranks;

	if (!comm)
		return NULL;
	atomic_store(&comm->users, 1);
	comm->handle = handle;
	REAL(Comm_rank)(handle, &comm->rank);
	REAL(Comm_size)(handle, &comm->size);
	ranks = members_of(handle, comm->size);
	found = ranks && peers_find(comm, ranks) && nodes_find(comm, ranks);
	free(ranks);
	if (found)
		return comm;
	comm_free(comm);
	return NULL;
}

/* How many communicators a process can name, so that all can. */
static uint32_t contexts_each(void)
{
	return UINT32_MAX / (uint32_t)process.size;
}

/* 0: there are none left. */
static uint32_t context_name(void)
{
	if (atomic_load(&n_named) + 2 >= contexts_each())
		return 0;
	return (uint32_t)process.rank * contexts_each() +
	       atomic_fetch_add(&n_named, 2) + 1;
}

static struct slate *slate_make(const struct route_comm *comm)
{
	return comm && comm->size > 1 ? slate_new(&route_engine, &comm->peers,
						  comm->rank, comm->size)
				      : NULL;
}

/* All have to come to the same decision: what everybody can. */
static bool comm_agree(MPI_Comm handle, struct route_comm *comm)
{
	struct slate *slate = slate_make(comm);
	const uint32_t mine[] = { comm != NULL, slate_offer(slate) };
	uint32_t all[] = { 0, 0 };
	uint32_t context = 0;

	REAL(Allreduce)(mine, all, 2, MPI_UINT32_T, MPI_BAND, handle);
	if (all[0] && comm->rank == 0)
		context = context_name();
	if (all[0])
		REAL(Bcast)(&context, 1, MPI_UINT32_T, 0, handle);
	slate = slate_settle(slate, all[1], context);
	if (!context)
		return false;
	comm->slate = slate;
	comm->context = context;
	return true;
}

int route_comm_made(int rc, MPI_Comm handle)
{
	struct route_comm **entry;
	struct route_comm *comm;
	int inter;

	if (rc != MPI_SUCCESS || handle == MPI_COMM_NULL || route_native)
		return rc;
	REAL(Comm_test_inter)(handle, &inter);
	if (inter)
		return rc;
	comm = comm_describe(handle);
	entry = handles_make(&route_comms, handle);
	if (entry)
		*entry = NULL;
	if (!entry) {
		comm_free(comm);
		comm = NULL;
	}
	if (comm_agree(handle, comm))
		*entry = comm;
	else
		comm_free(comm);
	return rc;
}

int route_comms_start(void)
{
	REAL(Comm_group)(MPI_COMM_WORLD, &world_group);
	route_comm_made(MPI_SUCCESS, MPI_COMM_WORLD);
	return route_comm_made(MPI_SUCCESS, MPI_COMM_SELF);
}

/* A call that makes a communicator, the last of its arguments. */
#define MAKES(NAME, PARAMS, ARGS)                                              \
	static int NAME PARAMS                                                 \
	{                                                                      \
		const int rc = REAL(NAME) ARGS;                                \
                                                                               \
		return route_comm_made(rc, rc == MPI_SUCCESS ? *made           \
							     : MPI_COMM_NULL); \
	}

MAKES(Comm_dup, (MPI_Comm comm, MPI_Comm *made), (comm, made))
MAKES(Comm_dup_with_info, (MPI_Comm comm, MPI_Info info, MPI_Comm *made),
      (comm, info, made))
MAKES(Comm_create, (MPI_Comm comm, MPI_Group group, MPI_Comm *made),
      (comm, group, made))
MAKES(Comm_create_group,
      (MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *made),
      (comm, group, tag, made))
MAKES(Comm_split, (MPI_Comm comm, int color, int key, MPI_Comm *made),
      (comm, color, key, made))
MAKES(Comm_split_type,
      (MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm *made),
      (comm, type, key, info, made))
MAKES(Cart_create,
      (MPI_Comm comm, int n, const int dims[], const int periods[], int order,
       MPI_Comm *made),
      (comm, n, dims, periods, order, made))
MAKES(Cart_sub, (MPI_Comm comm, const int remain[], MPI_Comm *made),
      (comm, remain, made))
MAKES(Graph_create,
      (MPI_Comm comm, int n, const int index[], const int edges[], int order,
       MPI_Comm *made),
      (comm, n, index, edges, order, made))
MAKES(Dist_graph_create,
      (MPI_Comm comm, int n, const int sources[], const int degrees[],
       const int dests[], const int weights[], MPI_Info info, int order,
       MPI_Comm *made),
      (comm, n, sources, degrees, dests, weights, info, order, made))
MAKES(Dist_graph_create_adjacent,
      (MPI_Comm comm, int in, const int sources[], const int inw[], int out,
       const int dests[], const int outw[], MPI_Info info, int order,
       MPI_Comm *made),
      (comm, in, sources, inw, out, dests, outw, info, order, made))
MAKES(Intercomm_merge, (MPI_Comm comm, int high, MPI_Comm *made),
      (comm, high, made))

/*
 * A duplicate is made while its processes do something else; so they agree on
 * its context by a broadcast of ours that does not block.  The request stands
 * for both.
 */
struct route_dup {
	struct route_comm *comm; /* as it will be */
	MPI_Comm handle;
	MPI_Request request; /* MPI's */
	int rc;
};

static struct route_dup *dup_make(const struct route_comm *from)
{
	struct route_dup *dup = calloc(1, sizeof(*dup));

	if (!dup)
		return NULL;
	dup->comm = calloc(1, sizeof(*dup->comm));
	if (!dup->comm || numbers_copy(&dup->comm->peers, &from->peers) != 0 ||
	    coll_nodes_copy(&dup->comm->nodes, &from->nodes) != 0) {
		comm_free(dup->comm);
		free(dup);
		return NULL;
	}
	dup->comm->rank = from->rank;
	dup->comm->size = from->size;
	atomic_store(&dup->comm->users, 1);
	return dup;
}

bool route_dup_is_done(struct route_dup *dup)
{
	int flag = 1;

	if (dup->request != MPI_REQUEST_NULL)
		dup->rc = REAL(Test)(&dup->request, &flag, MPI_STATUS_IGNORE);
	return flag;
}

int route_dup_end(struct route_dup *dup)
{
	struct route_comm **entry = handles_find(&route_comms, dup->handle);
	const int rc = dup->rc;

	if (rc == MPI_SUCCESS && dup->comm->context)
		*entry = dup->comm;
	else
		comm_free(dup->comm);
	free(dup);
	return rc;
}

static int idup_run(enum shim_call name, int rc, struct route_comm *from,
		    MPI_Comm comm, const MPI_Comm *made, MPI_Request *request)
{
	struct route_dup *dup;
	struct route_call call = { .name = name,
				   .kind = ROUTE_BCAST,
				   .comm = comm,
				   .op = MPI_OP_NULL,
				   .members = from };

	if (rc != MPI_SUCCESS || !from || from->size == 1 || route_native)
		return rc;
	dup = handles_make(&route_comms, *made) ? dup_make(from) : NULL;
	if (!dup)
		return route_error(comm, MPI_ERR_NO_MEM);
	dup->handle = *made;
	dup->comm->handle = *made;
	dup->request = *request;
	if (from->rank == 0)
		dup->comm->context = context_name();
	call.in = (struct route_side){ .address = &dup->comm->context,
				       .count = 1,
				       .type = MPI_UINT32_T };
	return route_coll_post(&call, dup, request);
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
	table->MPI_Comm_dup = Comm_dup;
	table->MPI_Comm_dup_with_info = Comm_dup_with_info;
	table->MPI_Comm_idup = Comm_idup;
	table->MPI_Comm_idup_with_info = Comm_idup_with_info;
	table->MPI_Comm_create = Comm_create;
	table->MPI_Comm_create_group = Comm_create_group;
	table->MPI_Comm_split = Comm_split;
	table->MPI_Comm_split_type = Comm_split_type;
	table->MPI_Cart_create = Cart_create;
	table->MPI_Cart_sub = Cart_sub;
	table->MPI_Graph_create = Graph_create;
	table->MPI_Dist_graph_create = Dist_graph_create;
	table->MPI_Dist_graph_create_adjacent = Dist_graph_create_adjacent;
	table->MPI_Intercomm_merge = Intercomm_merge;
	table->MPI_Comm_free = Comm_free;
	table->MPI_Comm_disconnect = Comm_disconnect;
}
