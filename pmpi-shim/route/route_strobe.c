/* SPDX-License-Identifier: BSD-3-Clause */

/* The memory of the strobe, on the node and between nodes, and its start. */
#include <stdlib.h>

#include "libbcs/base/board_memory.h"
#include "libbcs/core/fabric_net.h"
#include "pmpi-shim/job/job.h"
#include "pmpi-shim/job/process.h"
#include "pmpi-shim/route/base/route_net.h"
#include "pmpi-shim/route/base/route_state.h"
#include "pmpi-shim/route/route_strobe.h"

static void *memory;
static uint64_t memory_bytes;
static struct fabric *fabric;   /* a leader's */
static struct rank_map slot_of; /* by rank in the world, if there are nodes */
static bool slots_are_there;
static bool met;

static bool memory_meet(MPI_Comm node, int n, int me)
{
	struct board_ticket ticket;
	bool joined;

	memory_bytes = strobe_memory_bytes((uint32_t)n);
	if (me == 0)
		memory = board_memory_make(&ticket, memory_bytes);
	REAL(Bcast)(&ticket, sizeof(ticket), MPI_BYTE, 0, node);
	if (me != 0)
		memory = board_memory_join(&ticket);
	joined = job_all_can(node, memory != NULL);
	if (me == 0)
		board_memory_close(&ticket);
	return joined;
}

static bool slots_meet(uint32_t me)
{
	const uint32_t n = (uint32_t)process.size;
	uint32_t *each = malloc(n * sizeof(*each));

	if (!job_all_can(MPI_COMM_WORLD, each != NULL)) {
		free(each);
		return false;
	}
	REAL(Allgather)
	(&me, 1, MPI_UINT32_T, each, 1, MPI_UINT32_T, MPI_COMM_WORLD);
	slots_are_there = rank_map_keep(&slot_of, each, n) == 0;
	free(each);
	return slots_are_there;
}

static bool fabric_meet(void)
{
	int node;
	const int n = route_net_nodes(&node);

	return route_net_leaders() == MPI_COMM_NULL ||
	       fabric_net_start(&fabric, route_net_leaders(),
				strobe_fabric_bytes((uint32_t)n)) == 0;
}

/* Each step is of all processes. */
static bool meet(MPI_Comm node, int n, int me)
{
	if (!job_all_can(MPI_COMM_WORLD, memory_meet(node, n, me)))
		return false;
	return !route_net_is_there() ||
	       (job_all_can(MPI_COMM_WORLD, slots_meet((uint32_t)me)) &&
		job_all_can(MPI_COMM_WORLD, fabric_meet()));
}

static bool engine_make(int n, int me, const struct strobe_options *options)
{
	struct strobe_options all = *options;
	int node = 0;

	all.world = (uint32_t)process.rank;
	if (route_net_is_there()) {
		all.n_nodes = (uint32_t)route_net_nodes(&node);
		all.node = (uint32_t)node;
		all.node_of = route_net_node_of();
		all.slot_of = &slot_of;
		all.fabric = fabric;
	}
	return strobe_engine_new(&route_engines.strobe, memory, (uint32_t)n,
				 (uint32_t)me, &all) == 0;
}

static const char *all_meet(MPI_Comm node, const struct strobe_options *options)
{
	int my_node;
	int me;
	int n;

	if (route_net_is_there() &&
	    route_net_nodes(&my_node) > (int)STROBE_NODES)
		return "takes 64 nodes at most";
	REAL(Comm_rank)(node, &me);
	REAL(Comm_size)(node, &n);
	if (!meet(node, n, me) ||
	    !job_all_can(MPI_COMM_WORLD, engine_make(n, me, options)))
		return "found no memory for its slices";
	return NULL;
}

const char *route_strobe_meet(MPI_Comm node,
			      const struct strobe_options *options)
{
	const char *why;

	met = true;
	why = all_meet(node, options);
	if (why)
		route_strobe_stop();
	return why;
}

/* The Strobe Sender first: the others answer to its last microstrobe. */
void route_strobe_stop(void)
{
	route_quiesce_stop();
	if (process.rank == 0)
		strobe_engine_stop(route_engines.strobe);
	if (met && route_net_leaders() != MPI_COMM_NULL)
		REAL(Barrier)(route_net_leaders());
	met = false;
	if (process.rank != 0)
		strobe_engine_stop(route_engines.strobe);
	route_engines.strobe = NULL;
	fabric_net_stop(fabric);
	fabric = NULL;
	if (slots_are_there)
		rank_map_free(&slot_of);
	slots_are_there = false;
	board_memory_free(memory, memory_bytes);
	memory = NULL;
}
