/* SPDX-License-Identifier: BSD-3-Clause */

#include <stdlib.h>

#include "pmpi-shim/job/process.h"
#include "pmpi-shim/record/calls/comms.h"
#include "pmpi-shim/route/base/route_net.h"
#include "pmpi-shim/route/base/route_peers.h"
#include "pmpi-shim/route/base/route_state.h"

struct rank_map route_peers;
int route_n_slots;

int route_peer(int world_rank)
{
	int peer;

	if (world_rank < 0)
		return -1;
	peer = (int)rank_map_at(&route_peers, (uint32_t)world_rank);
	return peer < route_n_slots || route_net_is_there() ? peer : -1;
}

int route_peer_world(uint32_t peer)
{
	return peer < (uint32_t)route_n_slots ? -1 : (int)peer - route_n_slots;
}

/*
 * Ranks of the node get their slot; ranks of other nodes come after all slots.
 */
bool route_peers_count(MPI_Comm node)
{
	const int n = process.size;
	MPI_Group here;
	MPI_Group all;
	int *ranks;
	int rc;

	REAL(Comm_size)(node, &route_n_slots);
	REAL(Comm_group)(MPI_COMM_WORLD, &all);
	REAL(Comm_group)(node, &here);
	ranks = shim_ranks_in(here, all, n);
	REAL(Group_free)(&all);
	REAL(Group_free)(&here);
	if (!ranks)
		return false;
	for (int i = 0; i < n; i++)
		if (ranks[i] == MPI_UNDEFINED)
			ranks[i] = route_n_slots + i;
	rc = rank_map_keep(&route_peers, (uint32_t *)ranks, (uint32_t)n);
	free(ranks);
	return rc == 0;
}

void route_peers_free(void)
{
	rank_map_free(&route_peers);
}
