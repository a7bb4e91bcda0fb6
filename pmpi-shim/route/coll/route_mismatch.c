/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Finds collectives that do not match. All processes of a communicator have to
 * make the same calls in the same order, with the same root and operation.
 *
 * Each call has a signature over itself and all calls before it
 * (route_mismatch_calls.c). Every message carries it, so the first message
 * after a mistake shows it.
 *
 * If no message is on its way, each process waits for the other. A process that
 * has waited long then reads what the others of its node called. It also sends
 * its own call to the two neighbouring nodes. If not all nodes agree, two
 * neighbours differ.
 */
#include <pthread.h>

#include "mds/base/clock.h"
#include "pmpi-shim/job/process.h"
#include "pmpi-shim/record/site.h"
#include "pmpi-shim/route/base/route_net.h"
#include "pmpi-shim/route/base/route_peers.h"
#include "pmpi-shim/route/base/route_state.h"
#include "pmpi-shim/route/coll/route_mismatch.h"

#define PATIENCE_NS 500000000

/*
 * A note to another node: the call of a process, and its place in the program.
 */
struct note {
	struct board_call call;
	int32_t world; /* its rank */
	char site[ROUTE_MISMATCH_SITE];
};

_Static_assert(sizeof(struct note) <= ROUTE_NOTE_BYTES, "it fits");

/*
 * A received note that differs from this process. Only the thread that found it
 * reads it.
 */
static struct note heard = { .world = -1 };

static bool is_heard(uint32_t peer, uint32_t context, int32_t number)
{
	return heard.world >= 0 && route_peer_world(peer) == heard.world &&
	       heard.call.context == context && heard.call.number == number;
}

bool route_mismatch_called(const struct route_comm *comm, int rank,
			   int32_t number, struct board_call *call)
{
	const uint32_t peer = rank_map_at(&comm->peers, (uint32_t)rank);

	if (route_peer_is_local(peer))
		return route_mismatch_recorded(route_slots[peer], comm->context,
					       number, call);
	*call = heard.call;
	return is_heard(peer, comm->context, number);
}

const char *route_mismatch_site(void)
{
	return heard.site;
}

bool route_mismatch_differ(const struct route_comm *comm, int rank,
			   int32_t number)
{
	struct board_call mine;
	struct board_call theirs;

	return route_mismatch_called(comm, comm->rank, number, &mine) &&
	       route_mismatch_called(comm, rank, number, &theirs) &&
	       mine.signature != theirs.signature;
}

static struct note note_of(const struct board_call *call)
{
	struct note note = { .call = *call, .world = process.rank };

	site_text(route_slot->pid, call->site, note.site, sizeof(note.site));
	return note;
}

static void note_send(const struct route_comm *comm, uint32_t nodes_on,
		      const struct note *note)
{
	const struct coll_nodes *nodes = &comm->nodes;
	const uint32_t me = rank_map_at(&nodes->node_of, (uint32_t)comm->rank);
	const uint32_t rank = rank_map_at(&nodes->first,
					  (me + nodes_on) % nodes->n);

	route_net_note(route_peer_world(rank_map_at(&comm->peers, rank)), note,
		       sizeof(*note));
}

/* To the first processes of the nodes beside this one. */
static void note_spread(const struct route_comm *comm, const struct note *note)
{
	note_send(comm, 1, note);
	if (comm->nodes.n > 2)
		note_send(comm, comm->nodes.n - 1, note);
}

static void ask(struct route_coll *c)
{
	const struct route_comm *comm = c->call->members;
	struct board_call mine;
	struct note note;

	if (!route_mismatch_called(comm, comm->rank, c->number, &mine))
		return;
	note = note_of(&mine);
	note_spread(comm, &note);
}

static int rank_of(const struct route_comm *comm, int world)
{
	int rank = 0;

	while (rank < comm->size - 1 &&
	       route_peer_world(rank_map_at(&comm->peers, (uint32_t)rank)) !=
		       world)
		rank++;
	return rank;
}

/* The sender may wait in another communicator than this process. */
static void compare(struct route_coll *c, const struct note *note)
{
	const struct route_comm *comm = c ? c->call->members : NULL;
	struct board_call mine;
	struct note answer;

	if (!route_mismatch_recorded(route_slot, note->call.context,
				     note->call.number, &mine) ||
	    mine.signature == note->call.signature)
		return;
	if (!comm || note->call.context != comm->context) {
		answer = note_of(&mine);
		route_net_note(note->world, &answer, sizeof(answer));
		return;
	}
	/* Nodes further on may wait for this one. */
	note_spread(comm, note);
	heard = *note;
	engines_coll_give_up(&route_engines, c->coll,
			     rank_of(comm, note->world));
}

static void look_at_others(struct route_coll *c)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	struct note note;

	if (pthread_mutex_trylock(&lock) != 0)
		return;
	/* Less and less often: others may be late, and nothing else. */
	if (c && (c->waits & (c->waits - 1)) == 0)
		ask(c);
	while (route_net_noted(&note, sizeof(note)))
		compare(c, &note);
	pthread_mutex_unlock(&lock);
}

void route_mismatch_answer(void)
{
	look_at_others(NULL);
}

bool route_mismatch_is_local(const struct route_comm *comm, int rank)
{
	return route_peer_is_local(rank_map_at(&comm->peers, (uint32_t)rank));
}

void route_coll_suspect(struct route_coll *c)
{
	const struct route_comm *comm = c->call->members;
	const uint64_t now = clock_monotonic_ns();

	if (!c->since)
		c->since = now;
	if (now - c->since < PATIENCE_NS)
		return;
	c->since = now;
	c->waits++;
	for (int rank = 0; rank < comm->size; rank++) {
		if (rank == comm->rank ||
		    !route_mismatch_is_local(comm, rank) ||
		    !route_mismatch_differ(comm, rank, c->number))
			continue;
		engines_coll_give_up(&route_engines, c->coll, rank);
		return;
	}
	if (comm->nodes.n)
		look_at_others(c);
}
