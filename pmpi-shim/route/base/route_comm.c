/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Which communicators are scheduled: those whose members are of this world,
 * made by a call that all of them are in.  The first member names the context
 * that tells their messages from others', and MPI tells the rest.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "handles.h"
#include "libbcs/demand/coll/coll.h"
#include "pmpi-shim/job/process.h"
#include "pmpi-shim/record/calls/comms.h"
#include "pmpi-shim/route/base/route_comm.h"
#include "pmpi-shim/route/base/route_net.h"
#include "pmpi-shim/route/base/route_peers.h"
#include "pmpi-shim/route/base/route_state.h"
#include "pmpi-shim/route/route.h"

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
	here = here && rank_map_keep(&comm->peers, peers, n) == 0;
	free(peers);
	return here;
}

static bool nodes_find(struct route_comm *comm, const int *ranks)
{
	const uint32_t n = (uint32_t)comm->size;
	uint32_t *node_of;
	int rc;

	if (!route_net_is_there()) {
		comm->nodes.apart = process.apart;
		return true;
	}
	node_of = malloc(n * sizeof(*node_of));
	if (!node_of)
		return false;
	for (uint32_t i = 0; i < n; i++)
		node_of[i] = route_net_node(ranks[i]);
	rc = coll_nodes_make(&comm->nodes, node_of, n, (uint32_t)comm->rank);
	comm->nodes.made_up = process.settings.node_size != 0;
	comm->nodes.apart = process.apart;
	free(node_of);
	return rc == 0;
}

/* Sends and flushes that are under way may outlive the communicator. */
static void room_free(struct route_room *room)
{
	if (room && atomic_load(&room->used) == 0 &&
	    atomic_load(&room->flushes) == 0)
		free(room);
}

static void comm_free(struct route_comm *comm)
{
	if (!comm)
		return;
	room_free(atomic_load(&comm->room));
	pages_leave(comm->pages);
	coll_free(atomic_load(&comm->spare));
	free(comm->cache);
	rank_map_free(&comm->peers);
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

uint32_t route_comm_context(void)
{
	if (atomic_load(&n_named) + 2 >= contexts_each())
		return 0;
	return (uint32_t)process.rank * contexts_each() +
	       atomic_fetch_add(&n_named, 2) + 1;
}

/* The strobe needs no shared pages. */
static struct pages *pages_make(const struct route_comm *comm)
{
	if (!comm || comm->size == 1 || route_engines.strobe)
		return NULL;
	return pages_new(&route_engines.demand, &comm->peers, comm->rank,
			 comm->size);
}

/* All have to come to the same decision: what everybody can. */
static bool comm_agree(MPI_Comm handle, struct route_comm *comm)
{
	struct pages *pages = pages_make(comm);
	const uint32_t mine[] = { comm != NULL, pages_offer(pages) };
	uint32_t all[] = { 0, 0 };
	uint32_t context = 0;

	REAL(Allreduce)(mine, all, 2, MPI_UINT32_T, MPI_BAND, handle);
	if (all[0] && comm->rank == 0)
		context = route_comm_context();
	if (all[0])
		REAL(Bcast)(&context, 1, MPI_UINT32_T, 0, handle);
	pages = pages_settle(pages, all[1], context);
	if (!context)
		return false;
	comm->pages = pages;
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

int route_comm_start(void)
{
	REAL(Comm_group)(MPI_COMM_WORLD, &world_group);
	route_comm_made(MPI_SUCCESS, MPI_COMM_WORLD);
	return route_comm_made(MPI_SUCCESS, MPI_COMM_SELF);
}

struct route_comm *route_comm_copy(const struct route_comm *from)
{
	struct route_comm *comm = calloc(1, sizeof(*comm));

	if (!comm)
		return NULL;
	if (rank_map_copy(&comm->peers, &from->peers) != 0 ||
	    coll_nodes_copy(&comm->nodes, &from->nodes) != 0) {
		comm_free(comm);
		return NULL;
	}
	comm->rank = from->rank;
	comm->size = from->size;
	atomic_store(&comm->users, 1);
	return comm;
}

struct route_comm *route_comm_twin(const struct route_comm *from)
{
	struct route_comm *comm = route_comm_copy(from);

	if (!comm_agree(from->handle, comm)) {
		comm_free(comm);
		return NULL;
	}
	comm->handle = from->handle == MPI_COMM_WORLD ? MPI_COMM_WORLD
						      : MPI_COMM_NULL;
	return comm;
}
