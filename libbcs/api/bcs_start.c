/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The start and the end of the BCS API: the memory that the processes share,
 * and the engine, on demand or by the strobe.
 */
#include <errno.h>
#include <sched.h>
#include <stdlib.h>

#include "libbcs/api/bcs_state.h"
#include "libbcs/base/board_memory.h"
#include "libbcs/core/fabric_net.h"

#define BUDGET_DEFAULT   (1u << 20)
#define PATIENCE_DEFAULT UINT64_C(60000000000)

static int cores(void)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	return sched_getaffinity(0, sizeof(set), &set) == 0 ? CPU_COUNT(&set)
							    : 1;
}

static bool all_have(bool there)
{
	int all = there;

	MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, bcs_state.comm);
	return all;
}

/* Memory of all processes; false, alike in all, if one cannot have it. */
static bool board_share(uint64_t bytes)
{
	const struct bcs_nodes *nodes = &bcs_state.nodes;
	struct board_ticket ticket;
	bool all;

	if (nodes->slot == 0)
		bcs_state.board = board_memory_make(&ticket, bytes);
	MPI_Bcast(&ticket, sizeof(ticket), MPI_BYTE, 0, nodes->node);
	if (nodes->slot != 0)
		bcs_state.board = board_memory_join(&ticket);
	bcs_state.board_bytes = ticket.bytes;
	all = all_have(bcs_state.board != NULL);
	if (nodes->slot == 0)
		board_memory_close(&ticket);
	if (!all) {
		board_memory_free(bcs_state.board, bcs_state.board_bytes);
		bcs_state.board = NULL;
	}
	return all;
}

static bool slots_share(void)
{
	if (!board_share((uint64_t)bcs_state.size * sizeof(struct board_slot)))
		return false;
	for (int i = 0; i < bcs_state.size; i++)
		bcs_state.slots[i] = (struct board_slot *)bcs_state.board + i;
	return true;
}

static int slots_make_window(void)
{
	struct board_slot *own;
	MPI_Aint bytes;
	int unit;

	/* The caller is told, and not ended, if there is none. */
	MPI_Comm_set_errhandler(bcs_state.comm, MPI_ERRORS_RETURN);
	if (MPI_Win_allocate_shared(sizeof(*own), 1, MPI_INFO_NULL,
				    bcs_state.comm, &own,
				    &bcs_state.win) != MPI_SUCCESS)
		return -ENOMEM;
	for (int i = 0; i < bcs_state.size; i++)
		MPI_Win_shared_query(bcs_state.win, i, &bytes, &unit,
				     &bcs_state.slots[i]);
	if (all_have(board_memory_take(own, sizeof(*own)) == 0))
		return 0;
	MPI_Win_free(&bcs_state.win);
	return -ENOMEM;
}

static int slots_make(void)
{
	bcs_state.board = NULL;
	bcs_state.win = MPI_WIN_NULL;
	if (bcs_state.size == 1) {
		bcs_state.slots[0] = board_alone();
		return bcs_state.slots[0] ? 0 : -ENOMEM;
	}
	return slots_share() ? 0 : slots_make_window();
}

static void slots_free(void)
{
	if (bcs_state.board)
		board_memory_free(bcs_state.board, bcs_state.board_bytes);
	else if (bcs_state.win != MPI_WIN_NULL)
		MPI_Win_free(&bcs_state.win);
	else
		board_memory_free(bcs_state.slots[0],
				  sizeof(struct board_slot));
}

static struct engine_options options_make(const struct bcs_options *options)
{
	struct engine_options made = { .budget = BUDGET_DEFAULT,
				       .crowded = bcs_state.size > cores() };

	if (options && options->budget_bytes)
		made.budget = options->budget_bytes;
	return made;
}

/* All have started their engines, then. */
static void slate_make(void)
{
	struct slate *slate = slate_new(&bcs_state.engines.demand,
					&bcs_state.nodes.peers, bcs_state.rank,
					bcs_state.size);
	const uint32_t mine = slate_offer(slate);
	uint32_t all = 0;

	MPI_Allreduce(&mine, &all, 1, MPI_UINT32_T, MPI_BAND, bcs_state.comm);
	bcs_state.slate = slate_settle(slate, all, BCS_CONTEXT_COLLS);
}

static int start_demand(const struct bcs_options *options)
{
	const struct engine_options made = options_make(options);
	int rc;

	bcs_state.slots = calloc((size_t)bcs_state.size,
				 sizeof(struct board_slot *));
	rc = bcs_state.slots ? slots_make() : -ENOMEM;
	if (rc != 0)
		goto no_board;
	rc = engine_start(&bcs_state.engines.demand, bcs_state.slots,
			  (uint32_t)bcs_state.size, (uint32_t)bcs_state.rank,
			  &made);
	if (rc != 0)
		goto no_engine;
	slate_make();
	return 0;

no_engine:
	slots_free();
no_board:
	free(bcs_state.slots);
	return rc;
}

static void stop_demand(void)
{
	slate_leave(bcs_state.slate);
	engine_stop(&bcs_state.engines.demand);
	slots_free();
	free(bcs_state.slots);
}

static int strobe_make(const struct bcs_options *options)
{
	const struct bcs_nodes *nodes = &bcs_state.nodes;
	struct strobe_options made = { .slice_ns = options->slice_ns,
				       .zero_ns = bcs_nodes_zero(
					       nodes, options->slice_ns),
				       .budget = options->budget_bytes,
				       .cores = (uint32_t)cores(),
				       .world = (uint32_t)bcs_state.rank,
				       .node = (uint32_t)nodes->mine,
				       .n_nodes = (uint32_t)nodes->n,
				       .node_of = &nodes->node_of,
				       .slot_of = &nodes->slot_of,
				       .fabric = nodes->fabric,
				       .known = bcs_known,
				       .patience_ns = PATIENCE_DEFAULT };

	if (options->patience_ns)
		made.patience_ns = options->patience_ns;
	return strobe_engine_new(&bcs_state.engines.strobe, bcs_state.board,
				 (uint32_t)nodes->size, (uint32_t)nodes->slot,
				 &made);
}

/* The Strobe Sender first: the others answer to its last microstrobe. */
static void stop_strobe(void)
{
	struct bcs_nodes *nodes = &bcs_state.nodes;

	if (bcs_state.rank == 0)
		strobe_engine_stop(bcs_state.engines.strobe);
	if (nodes->leaders != MPI_COMM_NULL)
		MPI_Barrier(nodes->leaders);
	if (bcs_state.rank != 0)
		strobe_engine_stop(bcs_state.engines.strobe);
	bcs_state.engines.strobe = NULL;
	fabric_net_stop(nodes->fabric);
	nodes->fabric = NULL;
	board_memory_free(bcs_state.board, bcs_state.board_bytes);
}

static bool fabric_make(void)
{
	struct bcs_nodes *nodes = &bcs_state.nodes;

	return nodes->n == 1 || nodes->leaders == MPI_COMM_NULL ||
	       fabric_net_start(&nodes->fabric, nodes->leaders,
				strobe_fabric_bytes((uint32_t)nodes->n)) == 0;
}

static int start_strobe(const struct bcs_options *options)
{
	bool all;

	if (!board_share(strobe_memory_bytes((uint32_t)bcs_state.nodes.size)))
		return -ENOMEM;
	all = all_have(fabric_make()) && all_have(strobe_make(options) == 0);
	/* Nobody posts before all have started. */
	if (all &&
	    all_have(strobe_engine_start(bcs_state.engines.strobe, NULL) == 0))
		return 0;
	stop_strobe();
	return -ENOMEM;
}

/* On several nodes the leaders' helper threads call MPI. */
static bool nodes_fit(const struct bcs_options *options)
{
	int level;

	MPI_Query_thread(&level);
	return bcs_state.nodes.n == 1 ||
	       (options && options->slice_ns &&
		bcs_state.nodes.n <= (int)STROBE_NODES &&
		all_have(level == MPI_THREAD_MULTIPLE));
}

static int start(const struct bcs_options *options)
{
	int rc = -EXDEV;

	bcs_state.n_colls = 0;
	bcs_state.slate = NULL;
	if (!bcs_nodes_meet(&bcs_state.nodes, bcs_state.comm))
		return -ENOMEM;
	if (nodes_fit(options) && bcs_state.nodes.size <= UINT16_MAX)
		rc = options && options->slice_ns ? start_strobe(options)
						  : start_demand(options);
	if (rc != 0)
		bcs_nodes_part(&bcs_state.nodes);
	return rc;
}

int bcs_start(MPI_Comm comm, const struct bcs_options *options)
{
	int rc;

	if (bcs_state.size)
		return -EALREADY;
	MPI_Comm_dup(comm, &bcs_state.comm);
	MPI_Comm_size(bcs_state.comm, &bcs_state.size);
	MPI_Comm_rank(bcs_state.comm, &bcs_state.rank);
	rc = start(options);
	if (rc != 0) {
		MPI_Comm_free(&bcs_state.comm);
		bcs_state.size = 0;
	}
	return rc;
}

int bcs_stop(void)
{
	struct engines *engines = &bcs_state.engines;

	if (!bcs_state.size)
		return -EINVAL;
	if (engines->strobe)
		strobe_engine_leave(engines->strobe);
	MPI_Barrier(bcs_state.comm);
	if (engines->strobe)
		stop_strobe();
	else
		stop_demand();
	bcs_nodes_part(&bcs_state.nodes);
	MPI_Comm_free(&bcs_state.comm);
	bcs_state.size = 0;
	return 0;
}
