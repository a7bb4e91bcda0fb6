/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Starts the scheduler in this process, and leads the entries of the table of
 * calls to it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libbcs/base/board_memory.h"
#include "libbcs/base/wake.h"
#include "libbcs/demand/coll/coll_tune.h"
#include "mds/base/clock.h"
#include "mds/mmds/path.h"
#include "pmpi-shim/dump/dump_now.h"
#include "pmpi-shim/dump/fatal.h"
#include "pmpi-shim/dump/watch.h"
#include "pmpi-shim/job/job.h"
#include "pmpi-shim/job/process.h"
#include "pmpi-shim/mpich/polite.h"
#include "pmpi-shim/mpich/polite_state.h"
#include "pmpi-shim/record/slices.h"
#include "pmpi-shim/route/base/route_blocked.h"
#include "pmpi-shim/route/base/route_comm.h"
#include "pmpi-shim/route/base/route_install.h"
#include "pmpi-shim/route/base/route_net.h"
#include "pmpi-shim/route/base/route_peers.h"
#include "pmpi-shim/route/base/route_progress.h"
#include "pmpi-shim/route/base/route_state.h"
#include "pmpi-shim/route/coll/route_coll.h"
#include "pmpi-shim/route/hang/hang.h"
#include "pmpi-shim/route/p2p/route_request.h"
#include "pmpi-shim/route/p2p/route_strict.h"
#include "pmpi-shim/route/route.h"
#include "pmpi-shim/route/route_parts.h"
#include "pmpi-shim/route/route_strobe.h"
#include "pmpi-shim/route/route_sums.h"

#define BUDGET (1u << 20)
bool shim_posts_only;

static MPI_Comm node = MPI_COMM_NULL;
static void *board; /* the memory of all slots, */
static uint64_t board_bytes;
static MPI_Win win = MPI_WIN_NULL; /* or, where there is none, their window */
static struct board_slot *gateway; /* to other nodes, if there are any */
static bool engine_is_there;
static bool running;

/* Groups of processes stand for nodes, if the user wants so. */
static void node_split(int size)
{
	MPI_Comm machine = node;
	int rank;

	REAL(Comm_rank)(machine, &rank);
	REAL(Comm_split)(machine, rank / size, process.rank, &node);
	REAL(Comm_free)(&machine);
}

static bool node_meet(void)
{
	node = job_node_take();
	if (process.settings.node_size)
		node_split((int)process.settings.node_size);
	if (!route_peers_count(node))
		return false;
	route_slots = calloc((size_t)route_n_slots,
			     sizeof(struct board_slot *));
	return route_slots != NULL;
}

/* MPI has no shared windows on a communicator of one process. */
static bool board_make_alone(void)
{
	route_slots[0] = board_alone();
	gateway = route_net_is_there() ? board_alone() : NULL;
	return route_slots[0] && (gateway || !route_net_is_there());
}

/* The gateway lies behind all slots. */
static bool board_make_own(int me)
{
	const uint64_t n = (uint64_t)route_n_slots +
			   (route_net_is_there() ? 1 : 0);
	struct board_ticket ticket;
	struct board_slot *all;
	bool joined;

	if (me == 0)
		board = board_memory_make(&ticket, n * sizeof(*all));
	REAL(Bcast)(&ticket, sizeof(ticket), MPI_BYTE, 0, node);
	if (me != 0)
		board = board_memory_join(&ticket);
	board_bytes = ticket.bytes;
	joined = job_all_can(node, board != NULL);
	if (me == 0)
		board_memory_close(&ticket);
	if (!joined) {
		board_memory_free(board, board_bytes);
		board = NULL;
		return false;
	}
	all = board;
	for (int i = 0; i < route_n_slots; i++)
		route_slots[i] = all + i;
	gateway = route_net_is_there() ? all + route_n_slots : NULL;
	return true;
}

/* The gateway lies behind the leader's slot. */
static bool board_make_window(int me)
{
	struct board_slot *own;
	MPI_Aint bytes;
	int unit;
	int rc;

	bytes = (MPI_Aint)sizeof(*own) *
		(me == 0 && route_net_is_there() ? 2 : 1);
	/* Without a window messages are MPI's, and the program goes on. */
	REAL(Comm_set_errhandler)(node, MPI_ERRORS_RETURN);
	fatal_not_for(node);
	if (REAL(Win_allocate_shared)(bytes, 1, MPI_INFO_NULL, node, &own,
				      &win) != MPI_SUCCESS)
		return false;
	rc = board_memory_take(own, (uint64_t)bytes);
	for (int i = 0; i < route_n_slots; i++)
		REAL(Win_shared_query)(win, i, &bytes, &unit, &route_slots[i]);
	gateway = route_net_is_there() ? route_slots[0] + 1 : NULL;
	return rc == 0;
}

static bool board_make(void)
{
	int me;

	if (route_n_slots == 1)
		return board_make_alone();
	REAL(Comm_rank)(node, &me);
	return board_make_own(me) || board_make_window(me);
}

static void board_free(void)
{
	if (board)
		board_memory_free(board, board_bytes);
	else if (win != MPI_WIN_NULL)
		REAL(Win_free)(&win);
	else if (route_n_slots == 1) {
		board_memory_free(route_slots[0], sizeof(*gateway));
		board_memory_free(gateway, sizeof(*gateway));
	}
	board = NULL;
}

static void is_idle(bool begins)
{
	if (!begins)
		route_blocked_over();
	route_idle(begins);
}

static struct slice_tally tally;

static bool start_strobe(uint64_t zero_ns)
{
	const struct strobe_options options = {
		.slice_ns = process.settings.slice_ns,
		.zero_ns = zero_ns,
		.budget = process.settings.budget,
		.always = process.settings.emds == SETTINGS_EMDS_EVERY,
		.cores = process.millicores / 1000,
		.tally = &tally,
		.known = route_quiesce_known,
		.patience_ns = process.settings.quiesce_wait_s *
			       UINT64_C(1000000000),
		.poke = route_poke,
		.must_poke = route_windows_are_there,
		.meanwhile = route_meanwhile,
		.idle = is_idle,
		.blocked = hang_look,
	};
	const char *why = route_strobe_meet(node, &options);

	if (!why) {
		process.slice_zero_ns = zero_ns;
		watch_slices(&tally);
		return true;
	}
	/* Alike in all processes. */
	process.settings.mode = SETTINGS_DEMAND;
	snprintf(process.slices, sizeof(process.slices),
		 "BCS_MODE=fixed %s: messages were scheduled on demand", why);
	if (process_is_first())
		process_warn(process.slices);
	return false;
}

static bool start_demand(struct emds *emds, int me,
			 const struct remote_ops *remote)
{
	struct engine_options options = {
		.emds = emds,
		.budget = BUDGET,
		.crowded = process.local_ranks * 1000 > process.millicores,
		.poke = route_poke,
		.must_poke = route_windows_are_there,
		.meanwhile = route_meanwhile,
		.idle = is_idle,
		.blocked = hang_look,
		.world = (uint32_t)process.rank,
		.gateway = gateway,
		.leader = route_slots[0],
		.remote = remote,
	};

	if (route_net_start(&options.net, route_slots, (uint32_t)route_n_slots,
			    gateway, &route_peers) != 0)
		return false;
	engine_is_there = engine_start(&route_engines.demand, route_slots,
				       (uint32_t)route_n_slots, (uint32_t)me,
				       &options) == 0;
	return engine_is_there;
}

static bool start(void)
{
	/* When slice 0 begins, for all processes. */
	uint64_t first_ns = strobe_zero(clock_monotonic_ns(),
					process.settings.slice_ns);
	const uint64_t zero_ns = route_net_agree(node, &first_ns);
	const bool by_time = process.settings.mode == SETTINGS_FIXED &&
			     start_strobe(zero_ns);
	const struct remote_ops *remote = route_net_remote();
	struct emds *emds;
	int me;

	REAL(Comm_rank)(node, &me);
	emds = slices_start(zero_ns, first_ns, me == 0,
			    by_time && me == 0
				    ? strobe_engine_budget(route_engines.strobe)
				    : 0);
	route_me = (uint32_t)me;
	route_slot = route_slots[me];
	route_slot->pid = process.pid;
	route_slot->waits.rank = process.rank;
	if (!by_time)
		return start_demand(emds, me, remote);
	if (strobe_engine_start(route_engines.strobe, emds) != 0)
		return false;
	route_quiesce_start();
	return true;
}

/* The calls of this layer take the place of MPI's in the table. */
static void install(void)
{
	route_send_install(&shim_pmpi);
	route_recv_install(&shim_pmpi);
	route_probe_install(&shim_pmpi);
	route_persistent_install(&shim_pmpi);
	route_complete_install(&shim_pmpi);
	route_many_all_install(&shim_pmpi);
	route_many_any_install(&shim_pmpi);
	route_buffers_install(&shim_pmpi);
	route_looks_install(&shim_pmpi);
	route_comms_install(&shim_pmpi);
	route_coll_install(&shim_pmpi);
	route_neighbors_install(&shim_pmpi);
	route_windows_install(&shim_pmpi);
	route_files_install(&shim_pmpi);
	route_native_install(&shim_pmpi);
	route_attrs_install(&shim_pmpi);
	route_types_install(&shim_pmpi);
}

static bool all_can(bool can)
{
	return job_all_can(MPI_COMM_WORLD, can);
}

/* Each step is of all processes. */
static bool all_start(void)
{
	return all_can(node_meet()) && all_can(route_net_meet(node)) &&
	       all_can(board_make()) && all_can(start());
}

/* Undoes the steps of all_start that were done. */
static void all_stop(void)
{
	route_strobe_stop();
	if (engine_is_there)
		engine_stop(&route_engines.demand);
	engine_is_there = false;
	slices_stop();
	route_net_stop();
	if (route_slots)
		board_free();
	REAL(Comm_free)(&node);
	route_progress_stop();
	route_peers_free();
	free(route_slots);
}

static bool is_ready(MPI_Request handle)
{
	return route_request_is_live(handle) && route_request_is_ready(handle);
}

static void scheduler_start(void)
{
	if (process.settings.mode == SETTINGS_OBSERVE) {
		slices_none();
		return;
	}
	route_real = shim_pmpi;
	route_progress_start();
	running = all_start();
	if (!running) {
		all_stop();
		if (process_is_first())
			process_warn("messages cannot be scheduled here; "
				     "leaving them to MPI");
		return;
	}
	route_trees_start(node);
	hang_start();
	route_comm_start();
	install();
	route_sums_tell();
	dump_now_is_ready = is_ready;
	wake_before_slow = route_post_is_slow;
	/* A trace has the times of all calls. */
	shim_posts_only = process.settings.mode == SETTINGS_DEMAND &&
			  !process.settings.trace;
	path_carried = true;
}

void route_start(void)
{
	scheduler_start();
	route_strict_start();
}

void route_gone(void)
{
	if (running)
		route_blocked_end(BLOCKED_GONE);
}

void route_stop(void)
{
	if (!running)
		return;
	route_end();
	hang_stop();
	shim_posts_only = false;
	shim_pmpi = route_real;
	running = false;
	coll_tune_clear();
	all_stop();
}
