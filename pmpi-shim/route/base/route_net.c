/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Other nodes: their leaders, the exchange of blocks for
 * libbcs/demand/net/net.c (net_mpi.c), and notes from process to process.
 */
#include <stdlib.h>
#include <string.h>

#include "libbcs/core/fabric_clock.h"
#include "libbcs/demand/net_mpi.h"
#include "pmpi-shim/dump/fatal.h"
#include "pmpi-shim/job/job.h"
#include "pmpi-shim/job/process.h"
#include "pmpi-shim/mpich/polite.h"
#include "pmpi-shim/route/base/route_net.h"
#include "pmpi-shim/route/base/route_state.h"

static MPI_Comm leaders = MPI_COMM_NULL; /* in a leader only */
static int n_nodes;
static bool all_have_threads;
static int me;                  /* my node */
static struct rank_map node_of; /* by rank in the world */
static struct net *net;

/* To look is not to wait, which the recorder counts. */
static bool test(MPI_Request *request, MPI_Status *status)
{
	const uint64_t waiting = polite_thread.waiting;
	int flag;

	REAL(Test)(request, &flag, status);
	polite_thread.waiting = waiting;
	return flag;
}

static bool is_sent(unsigned buffer)
{
	const uint64_t waiting = polite_thread.waiting;
	const bool is = net_mpi_ops.is_sent(buffer);

	polite_thread.waiting = waiting;
	return is;
}

static const void *come(uint64_t *bytes)
{
	const uint64_t waiting = polite_thread.waiting;
	const void *block = net_mpi_ops.come(bytes);

	polite_thread.waiting = waiting;
	return block;
}

/* For large messages; it returns errors. */
static MPI_Comm remote = MPI_COMM_NULL;

/* Notes go with a tag that no large message has. */
#define TAG_NOTE 0
#define NOTES    4 /* under way */

static struct {
	MPI_Request request;
	unsigned char note[ROUTE_NOTE_BYTES];
} notes[NOTES];

void route_net_note(int world, const void *note, size_t bytes)
{
	unsigned i = 0;

	while (i < NOTES && notes[i].request != MPI_REQUEST_NULL &&
	       !test(&notes[i].request, MPI_STATUS_IGNORE))
		i++;
	if (i == NOTES)
		return;
	memcpy(notes[i].note, note, bytes);
	REAL(Isend)
	(notes[i].note, (int)bytes, MPI_BYTE, world, TAG_NOTE, remote,
	 &notes[i].request);
}

bool route_net_noted(void *note, size_t bytes)
{
	MPI_Status status;
	int flag;

	REAL(Iprobe)(MPI_ANY_SOURCE, TAG_NOTE, remote, &flag, &status);
	if (!flag)
		return false;
	REAL(Recv)
	(note, (int)bytes, MPI_BYTE, status.MPI_SOURCE, TAG_NOTE, remote,
	 MPI_STATUS_IGNORE);
	return true;
}

/* Frees the notes that no process will read. */
static void notes_stop(void)
{
	unsigned char note[ROUTE_NOTE_BYTES];

	while (route_net_noted(note, sizeof(note)))
		;
	for (unsigned i = 0; i < NOTES; i++)
		if (notes[i].request != MPI_REQUEST_NULL &&
		    !test(&notes[i].request, MPI_STATUS_IGNORE))
			REAL(Request_free)(&notes[i].request);
}

const struct remote_ops *route_net_remote(void)
{
	if (!route_net_is_there())
		return NULL;
	for (unsigned i = 0; i < NOTES; i++)
		notes[i].request = MPI_REQUEST_NULL;
	REAL(Comm_dup)(MPI_COMM_WORLD, &remote);
	REAL(Comm_set_errhandler)(remote, MPI_ERRORS_RETURN);
	fatal_not_for(remote);
	net_mpi_remote(remote);
	return &net_mpi_remote_ops;
}

int route_net_nodes(int *node)
{
	*node = me;
	return n_nodes;
}

MPI_Comm route_net_leaders(void)
{
	return leaders;
}

const struct rank_map *route_net_node_of(void)
{
	return route_net_is_there() ? &node_of : NULL;
}

uint32_t route_net_node(int world_rank)
{
	return rank_map_at(&node_of, (uint32_t)world_rank);
}

static bool node_of_all(void)
{
	const uint32_t mine = (uint32_t)me;
	const uint32_t n = (uint32_t)process.size;
	uint32_t *each = malloc(n * sizeof(*each));
	int rc;

	if (!job_all_can(MPI_COMM_WORLD, each != NULL)) {
		free(each);
		return false;
	}
	REAL(Allgather)
	(&mine, 1, MPI_UINT32_T, each, 1, MPI_UINT32_T, MPI_COMM_WORLD);
	rc = rank_map_keep(&node_of, each, n);
	free(each);
	return rc == 0;
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
	all_have_threads = job_all_can(
		MPI_COMM_WORLD, process.thread_level == MPI_THREAD_MULTIPLE);
	return n_nodes == 1 || node_of_all();
}

bool route_net_is_there(void)
{
	return n_nodes > 1 && all_have_threads;
}

int route_net_start(struct net **net_p, struct board_slot **slots,
		    uint32_t n_slots, struct board_slot *gateway,
		    const struct rank_map *peer_of)
{
	static struct net_ops ops;
	const struct net_options options = {
		.ops = &ops,
		.n_nodes = (uint32_t)n_nodes,
		.node_of = &node_of,
		.peer_of = peer_of,
		.slots = slots,
		.n_slots = n_slots,
		.gateway = gateway,
	};
	int rc;

	if (!route_net_is_there() || leaders == MPI_COMM_NULL)
		return 0;
	ops = net_mpi_ops;
	ops.is_sent = is_sent;
	ops.come = come;
	rc = net_start(&net, &options);
	if (rc == 0)
		rc = net_mpi_start(leaders);
	*net_p = net;
	return rc;
}

uint32_t route_net_delivered(int world)
{
	return net ? net_delivered(net, (uint32_t)world) : 0;
}

bool route_net_is_quiet(void)
{
	return !net || net_is_quiet(net);
}

void route_net_stop(void)
{
	net_mpi_stop();
	net_stop(net);
	net = NULL;
	if (leaders != MPI_COMM_NULL)
		REAL(Comm_free)(&leaders);
	if (remote != MPI_COMM_NULL) {
		notes_stop();
		REAL(Comm_free)(&remote);
	}
	rank_map_free(&node_of);
}

uint64_t route_net_agree(MPI_Comm node, uint64_t *first_ns)
{
	uint64_t moment[2] = { *first_ns, *first_ns };

	if (leaders != MPI_COMM_NULL) {
		moment[0] = fabric_clock_agree(leaders, *first_ns);
		REAL(Bcast)(&moment[1], 1, MPI_UINT64_T, 0, leaders);
	}
	REAL(Bcast)(moment, 2, MPI_UINT64_T, 0, node);
	*first_ns = moment[1];
	return moment[0];
}
