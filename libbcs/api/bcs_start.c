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
#include "libbcs/base/machine.h"
#include "mds/clock.h"

#define BUDGET_DEFAULT   (1u << 20)
#define PATIENCE_DEFAULT UINT64_C(60000000000)

static bool on_one_machine(MPI_Comm comm)
{
	uint64_t names[] = { machine_name(), 0 };

	names[1] = ~names[0];
	MPI_Allreduce(MPI_IN_PLACE, names, 2, MPI_UINT64_T, MPI_MAX, comm);
	return names[1] == ~names[0];
}

/*
 * Debian's MPICH 5.0 takes each process for a node: where no two share one, we
 * look ourselves.
 */
static bool on_one_node(MPI_Comm comm, int size)
{
	MPI_Comm node;
	int most;

	MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL,
			    &node);
	MPI_Comm_size(node, &most);
	MPI_Comm_free(&node);
	MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_INT, MPI_MAX, comm);
	return most == size || (most == 1 && on_one_machine(comm));
}

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
	struct board_ticket ticket;
	bool all;

	if (bcs_state.rank == 0)
		bcs_state.board = board_memory_make(&ticket, bytes);
	MPI_Bcast(&ticket, sizeof(ticket), MPI_BYTE, 0, bcs_state.comm);
	if (bcs_state.rank != 0)
		bcs_state.board = board_memory_join(&ticket);
	bcs_state.board_bytes = ticket.bytes;
	all = all_have(bcs_state.board != NULL);
	if (bcs_state.rank == 0)
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
		free(bcs_state.slots[0]);
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
					&bcs_state.peers, bcs_state.rank,
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
	struct strobe_options made = { .slice_ns = options->slice_ns,
				       .zero_ns = clock_monotonic_ns(),
				       .budget = options->budget_bytes,
				       .cores = (uint32_t)cores(),
				       .world = (uint32_t)bcs_state.rank,
				       .known = bcs_known,
				       .patience_ns = PATIENCE_DEFAULT };

	if (options->patience_ns)
		made.patience_ns = options->patience_ns;
	MPI_Bcast(&made.zero_ns, 1, MPI_UINT64_T, 0, bcs_state.comm);
	return strobe_engine_new(&bcs_state.engines.strobe, bcs_state.board,
				 (uint32_t)bcs_state.size,
				 (uint32_t)bcs_state.rank, &made);
}

static void stop_strobe(void)
{
	strobe_engine_stop(bcs_state.engines.strobe);
	bcs_state.engines.strobe = NULL;
	board_memory_free(bcs_state.board, bcs_state.board_bytes);
}

static int start_strobe(const struct bcs_options *options)
{
	bool all;

	if (!board_share(strobe_memory_bytes((uint32_t)bcs_state.size)))
		return -ENOMEM;
	all = all_have(strobe_make(options) == 0);
	/* Nobody posts before all have started. */
	if (all_have(all &&
		     strobe_engine_start(bcs_state.engines.strobe, NULL) == 0))
		return 0;
	stop_strobe();
	return -ENOMEM;
}

static int start(const struct bcs_options *options)
{
	static struct numbers_run self = { .step = 1 };

	bcs_state.n_colls = 0;
	bcs_state.slate = NULL;
	bcs_state.peers = (struct numbers){ .n = (uint32_t)bcs_state.size,
					    .n_runs = 1,
					    .runs = &self };
	return options && options->slice_ns ? start_strobe(options)
					    : start_demand(options);
}

int bcs_start(MPI_Comm comm, const struct bcs_options *options)
{
	int rc;

	if (bcs_state.size)
		return -EALREADY;
	MPI_Comm_dup(comm, &bcs_state.comm);
	MPI_Comm_size(bcs_state.comm, &bcs_state.size);
	MPI_Comm_rank(bcs_state.comm, &bcs_state.rank);
	rc = on_one_node(bcs_state.comm, bcs_state.size) &&
			     bcs_state.size <= UINT16_MAX
		     ? start(options)
		     : -EXDEV;
	if (rc != 0) {
		MPI_Comm_free(&bcs_state.comm);
		bcs_state.size = 0;
	}
	return rc;
}

int bcs_stop(void)
{
	if (!bcs_state.size)
		return -EINVAL;
	if (bcs_state.engines.strobe)
		strobe_engine_leave(bcs_state.engines.strobe);
	MPI_Barrier(bcs_state.comm);
	if (bcs_state.engines.strobe)
		stop_strobe();
	else
		stop_demand();
	MPI_Comm_free(&bcs_state.comm);
	bcs_state.size = 0;
	return 0;
}
