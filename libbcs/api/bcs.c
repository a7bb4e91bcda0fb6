/* SPDX-License-Identifier: BSD-3-Clause */

/* The BCS API over the engine of this process. */
#include <errno.h>
#include <sched.h>
#include <stdlib.h>

#include "libbcs/api/bcs_state.h"
#include "libbcs/base/board_memory.h"
#include "libbcs/base/machine.h"
#include "libbcs/demand/wait.h"

#define BUDGET_DEFAULT (1u << 20)

struct bcs_state bcs_state;

int bcs_rank(void)
{
	return bcs_state.rank;
}

int bcs_size(void)
{
	return bcs_state.size;
}

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

static bool board_make_own(void)
{
	struct board_ticket ticket;
	bool all;

	if (bcs_state.rank == 0)
		bcs_state.board = board_memory_make(
			&ticket,
			(uint64_t)bcs_state.size * sizeof(struct board_slot));
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
	for (int i = 0; all && i < bcs_state.size; i++)
		bcs_state.slots[i] = (struct board_slot *)bcs_state.board + i;
	return all;
}

static int board_make_window(void)
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

static int board_make(void)
{
	bcs_state.board = NULL;
	bcs_state.win = MPI_WIN_NULL;
	if (bcs_state.size == 1) {
		bcs_state.slots[0] = board_alone();
		return bcs_state.slots[0] ? 0 : -ENOMEM;
	}
	return board_make_own() ? 0 : board_make_window();
}

static void board_free(void)
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

	if (options)
		made.slice_ns = options->slice_ns;
	if (options && options->budget_bytes)
		made.budget = options->budget_bytes;
	return made;
}

/* All have started their engines, then. */
static void slate_make(void)
{
	struct slate *slate = slate_new(&bcs_state.engine, &bcs_state.peers,
					bcs_state.rank, bcs_state.size);
	const uint32_t mine = slate_offer(slate);
	uint32_t all = 0;

	MPI_Allreduce(&mine, &all, 1, MPI_UINT32_T, MPI_BAND, bcs_state.comm);
	bcs_state.slate = slate_settle(slate, all, BCS_CONTEXT_COLLS);
}

static int start(const struct bcs_options *options)
{
	static struct numbers_run self = { .step = 1 };
	const struct engine_options made = options_make(options);
	int rc;

	bcs_state.n_colls = 0;
	bcs_state.slots = calloc((size_t)bcs_state.size,
				 sizeof(struct board_slot *));
	rc = bcs_state.slots ? 0 : -ENOMEM;
	if (rc != 0)
		goto no_board;
	bcs_state.peers = (struct numbers){ .n = (uint32_t)bcs_state.size,
					    .n_runs = 1,
					    .runs = &self };
	rc = board_make();
	if (rc != 0)
		goto no_board;
	rc = engine_start(&bcs_state.engine, bcs_state.slots,
			  (uint32_t)bcs_state.size, (uint32_t)bcs_state.rank,
			  &made);
	if (rc != 0)
		goto no_engine;
	slate_make();
	return 0;

no_engine:
	board_free();
no_board:
	free(bcs_state.slots);
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
	MPI_Barrier(bcs_state.comm);
	slate_leave(bcs_state.slate);
	engine_stop(&bcs_state.engine);
	board_free();
	free(bcs_state.slots);
	MPI_Comm_free(&bcs_state.comm);
	bcs_state.size = 0;
	return 0;
}

static bool is_source(int source)
{
	return bcs_is_rank(source) || source == BCS_ANY;
}

static bool is_wanted_tag(int tag)
{
	return tag >= 0 || tag == BCS_ANY;
}

static void op_send(struct op *op, const void *buf, size_t bytes, int dest,
		    int tag)
{
	op->kind = OP_SEND;
	op->coll = NULL;
	op->crossed = false;
	op->signature = 0;
	op->synchronous = false;
	op->buf = (unsigned char *)(uintptr_t)buf;
	op->bytes = bytes;
	op->peer = (uint32_t)dest;
	op->key = (struct match_key){ BCS_CONTEXT, bcs_state.rank, tag };
}

static void op_recv(struct op *op, void *buf, size_t bytes, int source, int tag)
{
	op->kind = OP_RECV;
	op->coll = NULL;
	op->crossed = false;
	op->signature = 0;
	op->buf = buf;
	op->bytes = bytes;
	op->key = (struct match_key){ BCS_CONTEXT, source, tag };
}

static void status_fill(struct bcs_status *status, const struct op *op)
{
	if (status && op->kind == OP_RECV)
		*status = (struct bcs_status){ op->source, op->tag, op->got };
}

static int post_request(const struct op *op, bcs_request *request)
{
	bcs_request made = malloc(sizeof(*made));

	if (!made)
		return -ENOMEM;
	made->op = *op;
	made->coll = NULL;
	engine_post(&bcs_state.engine, &made->op);
	*request = made;
	return 0;
}

int bcs_send(const void *buf, size_t bytes, int dest, int tag, enum bcs_how how,
	     bcs_request *request)
{
	struct op op;

	if (!bcs_is_rank(dest) || tag < 0 ||
	    (how == BCS_NON_BLOCKING && !request))
		return -EINVAL;
	op_send(&op, buf, bytes, dest, tag);
	if (how == BCS_NON_BLOCKING)
		return post_request(&op, request);
	if (engine_send_now(&bcs_state.engine, op.peer, &op.key, buf, bytes))
		return 0;
	engine_run(&bcs_state.engine, &op);
	return op.error;
}

int bcs_recv(void *buf, size_t bytes, int source, int tag, enum bcs_how how,
	     bcs_request *request, struct bcs_status *status)
{
	struct op op;

	if (!is_source(source) || !is_wanted_tag(tag) ||
	    (how == BCS_NON_BLOCKING && !request))
		return -EINVAL;
	op_recv(&op, buf, bytes, source, tag);
	if (how == BCS_NON_BLOCKING)
		return post_request(&op, request);
	engine_run(&bcs_state.engine, &op);
	status_fill(status, &op);
	return op.error;
}

struct probe {
	struct match_key key;
	struct engine_found found;
	bool there;
};

static bool probe_look(void *arg)
{
	struct probe *probe = arg;

	probe->there = engine_probe(&bcs_state.engine, &probe->key,
				    &probe->found);
	return probe->there;
}

int bcs_probe(int source, int tag, enum bcs_how how, bool *there,
	      struct bcs_status *status)
{
	struct probe probe = { .key = { BCS_CONTEXT, source, tag } };

	if (!is_source(source) || !is_wanted_tag(tag))
		return -EINVAL;
	if (how == BCS_BLOCKING)
		engine_wait_until(&bcs_state.engine, probe_look, &probe);
	else if (!probe_look(&probe))
		wait_idle(&bcs_state.engine);
	if (there)
		*there = probe.there;
	if (probe.there && status)
		*status = (struct bcs_status){ probe.found.source,
					       probe.found.tag,
					       probe.found.bytes };
	return 0;
}

static bool request_is_done(void *arg)
{
	bcs_request request = arg;

	return request->coll ? coll_is_done(request->coll)
			     : op_is_done(&request->op);
}

static bool request_test(bcs_request request)
{
	if (!request_is_done(request))
		engine_help(&bcs_state.engine);
	return request_is_done(request);
}

static void request_wait(bcs_request request)
{
	engine_wait_until(&bcs_state.engine, request_is_done, request);
}

static int request_end(bcs_request *request, struct bcs_status *status)
{
	struct coll *coll = (*request)->coll;
	const int error = coll ? coll->error : (*request)->op.error;

	if (!coll)
		status_fill(status, &(*request)->op);
	else if (!coll_is_held(coll))
		coll_free(coll);
	free(*request);
	*request = NULL;
	return error;
}

int bcs_test(bcs_request *request, enum bcs_how how, bool *done,
	     struct bcs_status *status)
{
	bool is_done = true;
	int rc = 0;

	if (*request && how == BCS_BLOCKING)
		request_wait(*request);
	else if (*request)
		is_done = request_test(*request);
	if (*request && is_done)
		rc = request_end(request, status);
	if (done)
		*done = is_done;
	return rc;
}

static bool all_done(size_t n, bcs_request requests[], enum bcs_how how)
{
	for (size_t i = 0; i < n; i++) {
		if (!requests[i])
			continue;
		if (how == BCS_BLOCKING)
			request_wait(requests[i]);
		else if (!request_test(requests[i]))
			return false;
	}
	return true;
}

int bcs_testall(size_t n, bcs_request requests[], enum bcs_how how, bool *done,
		struct bcs_status statuses[])
{
	const bool is_done = all_done(n, requests, how);
	int first = 0;
	int rc;

	for (size_t i = 0; is_done && i < n; i++) {
		if (!requests[i])
			continue;
		rc = request_end(&requests[i], statuses ? &statuses[i] : NULL);
		first = first ? first : rc;
	}
	if (done)
		*done = is_done;
	return first;
}
