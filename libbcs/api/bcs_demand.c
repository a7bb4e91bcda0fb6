/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Starts and stops the engine on demand: the slots of the node's processes, and
 * the exchange with other nodes.  The gateway to these lies behind all slots.
 */
#include <errno.h>
#include <stdlib.h>

#include "libbcs/api/bcs_parts.h"
#include "libbcs/base/board_memory.h"
#include "libbcs/demand/net_mpi.h"

#define BUDGET_DEFAULT (1u << 20)

static struct board_slot **slots;
static struct board_slot *gateway; /* NULL: there is one node */
static MPI_Win win; /* where there is no board: the slots' window */
static struct net *net;

static bool has_nodes(void)
{
	return bcs_state.nodes.n > 1;
}

static bool slots_share(void)
{
	const int n = bcs_state.nodes.size;
	struct board_slot *all;

	if (!bcs_board_share((uint64_t)(n + has_nodes()) * sizeof(*all)))
		return false;
	all = bcs_state.board;
	for (int i = 0; i < n; i++)
		slots[i] = all + i;
	gateway = has_nodes() ? all + n : NULL;
	return true;
}

/* MPI has no shared windows on a communicator of one process. */
static bool slots_alone(void)
{
	slots[0] = board_alone();
	gateway = has_nodes() ? board_alone() : NULL;
	return slots[0] && (gateway || !has_nodes());
}

static bool slots_window(void)
{
	const MPI_Comm node = bcs_state.nodes.node;
	const bool leads = bcs_state.nodes.slot == 0 && has_nodes();
	struct board_slot *own;
	MPI_Aint bytes = (MPI_Aint)sizeof(*own) * (leads ? 2 : 1);
	int unit;
	int rc;

	/* The caller is told, and not ended, if there is none. */
	MPI_Comm_set_errhandler(node, MPI_ERRORS_RETURN);
	if (MPI_Win_allocate_shared(bytes, 1, MPI_INFO_NULL, node, &own,
				    &win) != MPI_SUCCESS) {
		win = MPI_WIN_NULL;
		return false;
	}
	rc = board_memory_take(own, (uint64_t)bytes);
	for (int i = 0; i < bcs_state.nodes.size; i++)
		MPI_Win_shared_query(win, i, &bytes, &unit, &slots[i]);
	gateway = has_nodes() ? slots[0] + 1 : NULL;
	return rc == 0;
}

static bool slots_make(void)
{
	if (bcs_state.size > 1 && slots_share())
		return true;
	return bcs_all_have(bcs_state.nodes.size == 1 ? slots_alone()
						      : slots_window());
}

static void slots_free(void)
{
	if (bcs_state.board) {
		bcs_board_free();
	} else if (win != MPI_WIN_NULL) {
		MPI_Win_free(&win);
	} else if (slots) {
		board_memory_free(slots[0], sizeof(*slots[0]));
		board_memory_free(gateway, sizeof(*gateway));
	}
	free(slots);
	gateway = NULL;
	slots = NULL;
}

/* In a leader. */
static int net_make(void)
{
	const struct bcs_nodes *nodes = &bcs_state.nodes;
	const struct net_options options = {
		.ops = &net_mpi_ops,
		.n_nodes = (uint32_t)nodes->n,
		.node_of = &nodes->node_of,
		.peer_of = &nodes->peers,
		.slots = slots,
		.n_slots = (uint32_t)nodes->size,
		.gateway = gateway,
	};
	int rc;

	if (!has_nodes() || nodes->leaders == MPI_COMM_NULL)
		return 0;
	rc = net_start(&net, &options);
	return rc == 0 ? net_mpi_start(nodes->leaders) : rc;
}

static void net_free(void)
{
	net_mpi_stop();
	net_stop(net);
	net = NULL;
}

static int engine_make(const struct bcs_options *options)
{
	const struct bcs_nodes *nodes = &bcs_state.nodes;
	const struct engine_options made = {
		.budget = options && options->budget_bytes
				  ? options->budget_bytes
				  : BUDGET_DEFAULT,
		.crowded = nodes->machine > bcs_cores(),
		.emds = bcs_state.emds,
		.world = (uint32_t)bcs_state.rank,
		.gateway = gateway,
		.leader = slots[0],
		.net = net,
		.remote = has_nodes() ? &net_mpi_remote_ops : NULL,
	};

	/* If a piece of a large message fails, the caller gets the error. */
	MPI_Comm_set_errhandler(bcs_state.comm, MPI_ERRORS_RETURN);
	net_mpi_remote(bcs_state.comm);
	return engine_start(&bcs_state.engines.demand, slots,
			    (uint32_t)nodes->size, (uint32_t)nodes->slot,
			    &made);
}

/* After all processes have started their engines. */
static void pages_make(void)
{
	struct pages *pages = pages_new(&bcs_state.engines.demand,
					&bcs_state.nodes.peers, bcs_state.rank,
					bcs_state.size);
	const uint32_t mine = pages_offer(pages);
	uint32_t all = 0;

	MPI_Allreduce(&mine, &all, 1, MPI_UINT32_T, MPI_BAND, bcs_state.comm);
	bcs_state.pages = pages_settle(pages, all, BCS_CONTEXT_COLLS);
}

int bcs_demand_start(const struct bcs_options *options)
{
	bool made;

	win = MPI_WIN_NULL;
	slots = calloc((size_t)bcs_state.nodes.size, sizeof(*slots));
	if (!bcs_all_have(slots != NULL) || !slots_make())
		goto no_slots;
	if (!bcs_all_have(net_make() == 0))
		goto no_net;
	made = engine_make(options) == 0;
	if (!bcs_all_have(made))
		goto no_engine;
	pages_make();
	return 0;

no_engine:
	if (made)
		engine_stop(&bcs_state.engines.demand);
no_net:
	net_free();
no_slots:
	slots_free();
	return -ENOMEM;
}

static bool is_over(void *request)
{
	int flag;

	MPI_Test((MPI_Request *)request, &flag, MPI_STATUS_IGNORE);
	return flag;
}

/* A barrier.  Leaders carry messages for other nodes meanwhile. */
static void meet(void)
{
	MPI_Request all;

	MPI_Ibarrier(bcs_state.comm, &all);
	engine_wait_until(&bcs_state.engines.demand, is_over, &all);
}

static bool is_quiet(void *unused)
{
	(void)unused;
	return !net || (!net_has_work(net) && net_is_quiet(net));
}

/* Messages without a receive reach their nodes, too. */
static void nodes_leave(void)
{
	meet();
	engine_wait_until(&bcs_state.engines.demand, is_quiet, NULL);
	meet();
}

void bcs_demand_stop(void)
{
	if (has_nodes())
		nodes_leave();
	pages_leave(bcs_state.pages);
	engine_stop(&bcs_state.engines.demand);
	net_free();
	slots_free();
}
