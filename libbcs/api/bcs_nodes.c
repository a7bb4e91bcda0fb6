/* SPDX-License-Identifier: BSD-3-Clause */

/* Which processes share a node, and when slices begin there. */
#include <stdlib.h>

#include "libbcs/api/bcs_nodes.h"
#include "libbcs/base/machine.h"
#include "libbcs/core/fabric_clock.h"
#include "libbcs/strobe/strobe_engine.h"
#include "mds/base/clock.h"
#include "mds/settings/settings.h"

static bool all_have(MPI_Comm comm, bool there)
{
	int all = there;

	MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, comm);
	return all;
}

static int greatest(MPI_Comm comm, int value)
{
	MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT, MPI_MAX, comm);
	return value;
}

/* A machine is known by the first of its processes. */
static int first_here(const uint64_t *names, int me)
{
	int first = 0;

	while (names[first] != names[me])
		first++;
	return first;
}

static void split_by_name(struct bcs_nodes *nodes, MPI_Comm comm, int size,
			  int me)
{
	uint64_t *names = malloc((size_t)size * sizeof(*names));
	const uint64_t mine = machine_name();
	const bool all = all_have(comm, names != NULL);

	if (all)
		MPI_Allgather(&mine, 1, MPI_UINT64_T, names, 1, MPI_UINT64_T,
			      comm);
	MPI_Comm_split(comm, all ? first_here(names, me) : me, me,
		       &nodes->node);
	free(names);
}

/* For tests, as in the preload.  bcs_start refuses values that are not allowed.
 */
static unsigned node_size(void)
{
	const char *value = getenv("BCS_NODE_SIZE");
	struct settings settings = { .node_size = 0 };

	if (value)
		settings_find("BCS_NODE_SIZE")->set(&settings, value);
	return settings.node_size;
}

static void split_by_size(struct bcs_nodes *nodes, int at_most)
{
	MPI_Comm machine = nodes->node;
	int rank;

	MPI_Comm_rank(machine, &rank);
	MPI_Comm_split(machine, rank / at_most, rank, &nodes->node);
	MPI_Comm_free(&machine);
}

/*
 * Debian's MPICH 5.0 takes each process for a node: where no two share one, we
 * look ourselves.
 */
static void split(struct bcs_nodes *nodes, MPI_Comm comm, int size, int me)
{
	const int wanted = greatest(comm, (int)node_size());
	int most;

	MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, me, MPI_INFO_NULL,
			    &nodes->node);
	MPI_Comm_size(nodes->node, &most);
	if (size > 1 && greatest(comm, most) == 1) {
		MPI_Comm_free(&nodes->node);
		split_by_name(nodes, comm, size, me);
	}
	MPI_Comm_size(nodes->node, &nodes->machine);
	if (wanted)
		split_by_size(nodes, wanted);
	MPI_Comm_size(nodes->node, &nodes->size);
	MPI_Comm_rank(nodes->node, &nodes->slot);
}

static void find_leaders(struct bcs_nodes *nodes, MPI_Comm comm, int me)
{
	int about[2] = { 0, 0 };

	MPI_Comm_split(comm, nodes->slot == 0 ? 0 : MPI_UNDEFINED, me,
		       &nodes->leaders);
	if (nodes->leaders != MPI_COMM_NULL) {
		MPI_Comm_size(nodes->leaders, &about[0]);
		MPI_Comm_rank(nodes->leaders, &about[1]);
	}
	MPI_Bcast(about, 2, MPI_INT, 0, nodes->node);
	nodes->n = about[0];
	nodes->mine = about[1];
}

/* Makes the maps of ranks.  `places` has the node and the slot of each rank. */
static bool rank_map_make(struct bcs_nodes *nodes, uint32_t (*places)[2],
			  uint32_t *each, uint32_t n, int me)
{
	const uint32_t mine = (uint32_t)nodes->mine;

	for (uint32_t i = 0; i < n; i++)
		each[i] = places[i][0];
	if (rank_map_keep(&nodes->node_of, each, n) != 0)
		return false;
	for (uint32_t i = 0; i < n; i++)
		each[i] = places[i][1];
	if (rank_map_keep(&nodes->slot_of, each, n) != 0)
		return false;
	for (uint32_t i = 0; i < n; i++)
		each[i] = places[i][0] == mine ? places[i][1]
					       : (uint32_t)nodes->size + i;
	if (rank_map_keep(&nodes->peers, each, n) != 0)
		return false;
	for (uint32_t i = 0; i < n; i++)
		each[i] = places[i][0];
	return coll_nodes_make(&nodes->colls, each, n, (uint32_t)me) == 0;
}

static bool find_places(struct bcs_nodes *nodes, MPI_Comm comm, int size,
			int me)
{
	const uint32_t mine[2] = { (uint32_t)nodes->mine,
				   (uint32_t)nodes->slot };
	uint32_t(*places)[2] = malloc((size_t)size * sizeof(*places));
	uint32_t *each = malloc((size_t)size * sizeof(*each));
	bool all = all_have(comm, places && each);

	if (all) {
		MPI_Allgather(mine, 2, MPI_UINT32_T, places, 2, MPI_UINT32_T,
			      comm);
		all = all_have(comm, rank_map_make(nodes, places, each,
						   (uint32_t)size, me));
	}
	free(places);
	free(each);
	return all;
}

bool bcs_nodes_meet(struct bcs_nodes *nodes, MPI_Comm comm)
{
	int size;
	int me;

	*nodes = (struct bcs_nodes){ .n = 0 };
	MPI_Comm_size(comm, &size);
	MPI_Comm_rank(comm, &me);
	split(nodes, comm, size, me);
	find_leaders(nodes, comm, me);
	if (find_places(nodes, comm, size, me))
		return true;
	bcs_nodes_part(nodes);
	return false;
}

void bcs_nodes_part(struct bcs_nodes *nodes)
{
	rank_map_free(&nodes->node_of);
	rank_map_free(&nodes->slot_of);
	rank_map_free(&nodes->peers);
	coll_nodes_free(&nodes->colls);
	if (nodes->leaders != MPI_COMM_NULL)
		MPI_Comm_free(&nodes->leaders);
	MPI_Comm_free(&nodes->node);
}

uint64_t bcs_nodes_zero(const struct bcs_nodes *nodes, uint64_t slice_ns)
{
	uint64_t zero = strobe_zero(clock_monotonic_ns(), slice_ns);

	if (nodes->leaders != MPI_COMM_NULL)
		zero = fabric_clock_agree(nodes->leaders, zero);
	MPI_Bcast(&zero, 1, MPI_UINT64_T, 0, nodes->node);
	return zero;
}
