/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * What lies below libbcs/net.c: the first process of each node is its leader,
 * and the leaders have a window, in passive mode all the time.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "mds/clock.h"
#include "pmpi-shim/process.h"
#include "pmpi-shim/route.h"
#include "pmpi-shim/route_net.h"

#define ROUNDS 20 /* to compare two clocks */

static MPI_Comm leaders = MPI_COMM_NULL; /* in a leader only */
static int n_nodes;
static int me;            /* my node */
static uint32_t *node_of; /* by rank in the world; a leader's */
static MPI_Win win = MPI_WIN_NULL;
static struct net *net;

static void put(uint32_t node, uint64_t offset, const void *from,
		uint64_t bytes)
{
	REAL(Put)
	(from, (int)bytes, MPI_BYTE, (int)node, (MPI_Aint)offset, (int)bytes,
	 MPI_BYTE, win);
}

static void flush(uint32_t node)
{
	REAL(Win_flush)((int)node, win);
}

static const struct net_ops ops = { put, flush, route_poke };

/* For large messages; it returns errors. */
static MPI_Comm far = MPI_COMM_NULL;

static int far_begin(struct far_piece *piece, enum op_kind kind, void *at,
		     uint32_t world)
{
	const int n = (int)piece->bytes;
	MPI_Request request;
	int rc;

	if (kind == OP_SEND)
		rc = REAL(Isend)(at, n, MPI_BYTE, (int)world, piece->tag, far,
				 &request);
	else
		rc = REAL(Irecv)(at, n, MPI_BYTE, (int)world, piece->tag, far,
				 &request);
	piece->handle = request;
	return rc == MPI_SUCCESS ? 0 : -EIO;
}

static int far_test(struct far_piece *piece, bool *is_done)
{
	MPI_Request request = (MPI_Request)piece->handle;
	int flag = 0;
	const int rc = REAL(Test)(&request, &flag, MPI_STATUS_IGNORE);

	*is_done = flag;
	return rc == MPI_SUCCESS ? 0 : -EIO;
}

static const struct far_ops far_ops = { far_begin, far_test };

const struct far_ops *route_net_far(void)
{
	if (!route_net_is_there())
		return NULL;
	REAL(Comm_dup)(MPI_COMM_WORLD, &far);
	REAL(Comm_set_errhandler)(far, MPI_ERRORS_RETURN);
	return &far_ops;
}

static bool node_of_all(void)
{
	uint32_t mine = (uint32_t)me;

	node_of = malloc((size_t)process.size * sizeof(*node_of));
	if (node_of)
		REAL(Allgather)
	(&mine, 1, MPI_UINT32_T, node_of, 1, MPI_UINT32_T, MPI_COMM_WORLD);
	return node_of != NULL;
}

bool route_net_meet(MPI_Comm node)
{
	int rank;
	int nodes[2] = { 0, 0 };

	REAL(Comm_rank)(node, &rank);
	REAL(Comm_split)
	(MPI_COMM_WORLD, rank == 0 ? 0 : MPI_UNDEFINED, process.rank, &leaders);
	if (leaders != MPI_COMM_NULL) {
		REAL(Comm_size)(leaders, &nodes[0]);
		REAL(Comm_rank)(leaders, &nodes[1]);
	}
	REAL(Bcast)(nodes, 2, MPI_INT, 0, node);
	n_nodes = nodes[0];
	me = nodes[1];
	return n_nodes == 1 || node_of_all();
}

bool route_net_is_there(void)
{
	return n_nodes > 1 && process.thread_level == MPI_THREAD_MULTIPLE;
}

static int window_make(unsigned char **window)
{
	const uint64_t bytes = net_ring_bytes((uint32_t)n_nodes) *
			       (uint64_t)n_nodes;

	if (REAL(Win_allocate)((MPI_Aint)bytes, 1, MPI_INFO_NULL, leaders,
			       window, &win) != MPI_SUCCESS)
		return -ENOMEM;
	memset(*window, 0, bytes);
	REAL(Win_lock_all)(0, win);
	/* Nobody puts before all are zero. */
	REAL(Barrier)(leaders);
	return 0;
}

int route_net_start(struct net **net_p, struct board_slot **slots,
		    uint32_t n_slots, struct board_slot *gateway,
		    const int *slot_of)
{
	struct net_options options = {
		.ops = &ops,
		.n_nodes = (uint32_t)n_nodes,
		.me = (uint32_t)me,
		.ring = net_ring_bytes((uint32_t)n_nodes),
		.node_of = node_of,
		.slot_of = slot_of,
		.slots = slots,
		.n_slots = n_slots,
		.gateway = gateway,
	};
	int rc;

	if (!route_net_is_there() || leaders == MPI_COMM_NULL)
		return 0;
	rc = window_make(&options.window);
	if (rc == 0)
		rc = net_start(&net, &options);
	*net_p = net;
	return rc;
}

void route_net_stop(void)
{
	net_stop(net);
	net = NULL;
	if (win != MPI_WIN_NULL) {
		REAL(Win_unlock_all)(win);
		REAL(Win_free)(&win);
	}
	if (leaders != MPI_COMM_NULL)
		REAL(Comm_free)(&leaders);
	if (far != MPI_COMM_NULL)
		REAL(Comm_free)(&far);
	free(node_of);
	node_of = NULL;
}

/* How much the clock of `peer` is ahead, of whom this asks. */
static int64_t clock_ask(int peer)
{
	uint64_t least = UINT64_MAX;
	int64_t ahead = 0;
	uint64_t before;
	uint64_t after;
	uint64_t theirs;

	for (int i = 0; i < ROUNDS; i++) {
		before = clock_monotonic_ns();
		REAL(Send)(NULL, 0, MPI_BYTE, peer, 0, leaders);
		REAL(Recv)
		(&theirs, sizeof(theirs), MPI_BYTE, peer, 0, leaders,
		 MPI_STATUS_IGNORE);
		after = clock_monotonic_ns();
		if (after - before >= least)
			continue;
		least = after - before;
		ahead = (int64_t)(theirs - before - least / 2);
	}
	return ahead;
}

static void clock_answer(int peer)
{
	uint64_t now;

	for (int i = 0; i < ROUNDS; i++) {
		REAL(Recv)
		(NULL, 0, MPI_BYTE, peer, 0, leaders, MPI_STATUS_IGNORE);
		now = clock_monotonic_ns();
		REAL(Send)(&now, sizeof(now), MPI_BYTE, peer, 0, leaders);
	}
}

/* Down a binomial tree of the leaders. */
static uint64_t leaders_agree(uint64_t ns)
{
	const int lowest = me ? me & -me : n_nodes;
	int bit = 1;

	if (me) {
		const int64_t ahead = clock_ask(me - lowest);

		REAL(Recv)
		(&ns, sizeof(ns), MPI_BYTE, me - lowest, 0, leaders,
		 MPI_STATUS_IGNORE);
		ns -= (uint64_t)ahead;
	}
	while (bit < lowest)
		bit *= 2;
	for (bit /= 2; bit; bit /= 2) {
		if (me + bit >= n_nodes)
			continue;
		clock_answer(me + bit);
		REAL(Send)(&ns, sizeof(ns), MPI_BYTE, me + bit, 0, leaders);
	}
	return ns;
}

uint64_t route_net_agree(MPI_Comm node, uint64_t ns)
{
	if (leaders != MPI_COMM_NULL)
		ns = leaders_agree(ns);
	REAL(Bcast)(&ns, sizeof(ns), MPI_BYTE, 0, node);
	return ns;
}
