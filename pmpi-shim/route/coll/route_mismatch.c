/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Finds collectives that do not match. All processes of a communicator have to
 * make the same calls in the same order, with the same root and operation.
 *
 * Each call has a signature over itself and all calls before it. Every message
 * carries it, so the first message after a mistake shows it.
 *
 * If no message is on its way, each process waits for the other. A process that
 * has waited long then reads what the others of its node called. It also sends
 * its own call to the two neighbouring nodes. If not all nodes agree, two
 * neighbours differ.
 */
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "mds/clock.h"
#include "mds/mmds.h"
#include "pmpi-shim/job/process.h"
#include "pmpi-shim/record/findings.h"
#include "pmpi-shim/record/site.h"
#include "pmpi-shim/route/base/route_net.h"
#include "pmpi-shim/route/base/route_peers.h"
#include "pmpi-shim/route/base/route_state.h"
#include "pmpi-shim/route/coll/route_coll.h"

#define PATIENCE_NS 500000000

static uint32_t mix(uint64_t a, uint64_t b)
{
	uint64_t x = (a + 0x9e3779b97f4a7c15u) * 0xbf58476d1ce4e5b9u;

	x = (x ^ x >> 29 ^ b) * 0x94d049bb133111ebu;
	return (uint32_t)(x >> 32);
}

/* The bytes that have to match; only counts that MPI requires to be equal. */
static uint64_t bytes_of(const struct route_call *call)
{
	const struct route_buffer b = { NULL, call->in.count, call->in.type,
					0 };
	const struct route_buffer all = { NULL, call->out.count, call->in.type,
					  0 };

	switch (call->kind) {
	case ROUTE_BCAST:
	case ROUTE_REDUCE:
	case ROUTE_ALLREDUCE:
	case ROUTE_SCAN:
	case ROUTE_EXSCAN:
		return route_buffer_bytes(&b);
	case ROUTE_ALLGATHER:
		return route_part_bytes(call);
	case ROUTE_REDUCE_SCATTER:
		return route_buffer_bytes(&all);
	default:
		return 0;
	}
}

/* Operations of the program's own have different handles. */
static uint32_t op_of(const struct route_call *call)
{
	return abi_op_is_builtin(call->op) ? (uint32_t)call->op : 0;
}

static struct board_call *place(struct board_slot *slot, uint32_t context,
				int32_t number)
{
	return &slot->calls[(context + (uint32_t)number) % BOARD_CALLS];
}

static uint32_t seal(const struct board_call *call)
{
	return call->context * 0x9e3779b1u +
	       (uint32_t)call->number * 0x85ebca6bu + call->signature;
}

static bool has_root(enum route_kind kind)
{
	return kind == ROUTE_BCAST || kind == ROUTE_GATHER ||
	       kind == ROUTE_SCATTER || kind == ROUTE_REDUCE;
}

static uint8_t class_of(const struct route_side *side)
{
	const bool counted = side->counts.ints || side->counts.longs;

	return side->types || route_is_in_place(side) ||
			       (!counted && side->count == 0)
		       ? 0
		       : route_type_class(side->type);
}

/* Notes the classes of types that those of other ranks have to fit.  Leaves out
 * types that mean nothing at this rank, or not towards every peer. */
static void note_types(struct board_call *made, const struct route_call *call)
{
	const bool is_root = call->root == call->members->rank;

	made->out = 0;
	made->in = 0;
	if (!(route_strict & SETTINGS_STRICT_BUFFERS) ||
	    call->kind == ROUTE_BARRIER || call->kind == ROUTE_KINDS ||
	    (call->kind == ROUTE_ALLTOALL &&
	     (call->in.counts.ints || call->in.counts.longs)))
		return;
	if (call->kind != ROUTE_GATHER || is_root)
		made->in = class_of(&call->in);
	if (call->kind == ROUTE_BCAST || call->kind >= ROUTE_REDUCE)
		made->out = made->in;
	else if (call->kind != ROUTE_SCATTER || is_root)
		made->out = class_of(&call->out);
}

/* Another thread may write there for another communicator: see seal(). */
__attribute__((no_sanitize("thread"))) static void
note(const struct route_coll *c, uint64_t bytes)
{
	const struct route_call *call = c->call;
	const uint32_t context = call->members->context;
	struct board_call *made = place(route_slot, context, c->number);

	made->context = context;
	made->number = c->number;
	made->signature = c->signature;
	made->root = has_root(call->kind) ? call->root : -1;
	made->bytes = bytes;
	made->site = site_of_call();
	made->op = op_of(call);
	made->seal = seal(made);
	made->name = call->name;
	note_types(made, call);
}

/* A call that blocks does not fit to one that does not. */
void route_call_number(struct route_coll *c, bool blocks)
{
	struct route_comm *comm = c->call->members;
	const uint64_t bytes = c->bytes = bytes_of(c->call);
	const uint64_t kind = (uint64_t)c->call->kind << 1 | blocks;
	const uint64_t what = kind << 32 | op_of(c->call);

	c->number = (int32_t)(comm->n_colls++ & INT32_MAX);
	comm->called = mix((uint64_t)comm->called << 32 |
				   (uint32_t)c->call->root,
			   what ^ bytes * 0xc2b2ae3d27d4eb4fu) |
		       1;
	c->signature = comm->called;
	note(c, bytes);
}

/*
 * A note to another node: the call of a process, and its place in the program.
 */
struct note {
	struct board_call call;
	int32_t world; /* its rank */
	char site[128];
};

_Static_assert(sizeof(struct note) <= ROUTE_NOTE_BYTES, "it fits");

/*
 * A received note that differs from this process. Only the thread that found it
 * reads it.
 */
static struct note heard = { .world = -1 };

static bool recorded(struct board_slot *slot, uint32_t context, int32_t number,
		     struct board_call *call)
{
	*call = *place(slot, context, number);
	return call->signature && call->seal == seal(call) &&
	       call->context == context && call->number == number;
}

static bool is_heard(uint32_t peer, uint32_t context, int32_t number)
{
	return heard.world >= 0 && route_peer_world(peer) == heard.world &&
	       heard.call.context == context && heard.call.number == number;
}

/* Finds the call that a rank made under that number; false if it is unknown. */
static bool called(const struct route_comm *comm, int rank, int32_t number,
		   struct board_call *call)
{
	const uint32_t peer = rank_map_at(&comm->peers, (uint32_t)rank);

	if (route_peer_is_local(peer))
		return recorded(route_slots[peer], comm->context, number, call);
	*call = heard.call;
	return is_heard(peer, comm->context, number);
}

static bool differ(const struct route_comm *comm, int rank, int32_t number)
{
	struct board_call mine;
	struct board_call theirs;

	return called(comm, comm->rank, number, &mine) &&
	       called(comm, rank, number, &theirs) &&
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

	if (!called(comm, comm->rank, c->number, &mine))
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

	if (!recorded(route_slot, note->call.context, note->call.number,
		      &mine) ||
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

static bool is_local(const struct route_comm *comm, int rank)
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
		if (rank == comm->rank || !is_local(comm, rank) ||
		    !differ(comm, rank, c->number))
			continue;
		engines_coll_give_up(&route_engines, c->coll, rank);
		return;
	}
	if (comm->nodes.n)
		look_at_others(c);
}

bool route_mismatch_differs(uint32_t context, int32_t number,
			    uint32_t signature)
{
	struct board_call call;

	for (uint32_t i = 0; i < (uint32_t)route_n_slots; i++)
		if (recorded(route_slots[i], context, number, &call) &&
		    call.signature != signature)
			return true;
	return false;
}

static const char *op_name(uint32_t op)
{
	static const char *const names[] = {
		"?",        "MPI_MAX",    "MPI_MIN",   "MPI_SUM", "MPI_PROD",
		"MPI_LAND", "MPI_BAND",   "MPI_LOR",   "MPI_BOR", "MPI_LXOR",
		"MPI_BXOR", "MPI_MINLOC", "MPI_MAXLOC"
	};
	const uint32_t i = op & 0xff;

	return names[i < sizeof(names) / sizeof(names[0]) ? i : 0];
}

static const char *name_of(const struct board_call *call)
{
	return call->name < SHIM_N_CALLS ? shim_names[call->name] : "something";
}

static size_t rank_text(const struct route_comm *comm, int rank, char *text,
			size_t size)
{
	const int world = (int)shim_comm_world_rank(comm->handle, rank);

	if (world == rank)
		return (size_t)snprintf(text, size, "rank %d", rank);
	return (size_t)snprintf(text, size, "rank %d (%d of MPI_COMM_WORLD)",
				rank, world);
}

static void call_text(const struct route_comm *comm, int rank, int32_t number,
		      char *text, size_t size)
{
	const uint32_t peer = rank_map_at(&comm->peers, (uint32_t)rank);
	size_t at = rank_text(comm, rank, text, size);
	struct board_call call;
	char site[sizeof(heard.site)];

	if (!called(comm, rank, number, &call)) {
		snprintf(text + at, size - at, " in something else");
		return;
	}
	if (route_peer_is_local(peer))
		site_text(route_slots[peer]->pid, call.site, site,
			  sizeof(site));
	else
		memcpy(site, heard.site, sizeof(site));
	at += (size_t)snprintf(text + at, size - at, " in %s", name_of(&call));
	if (call.op)
		at += (size_t)snprintf(text + at, size - at, ", %s",
				       op_name(call.op));
	if (call.root >= 0)
		at += (size_t)snprintf(text + at, size - at, ", root %d",
				       call.root);
	if (call.bytes)
		at += (size_t)snprintf(text + at, size - at,
				       ", %" PRIu64 " bytes", call.bytes);
	snprintf(text + at, size - at, ", at %s%s", site,
		 call.signature & 1 ? "" : ", given up");
}

/* The first of the calls still known that was not the same; or the last. */
static int32_t first_difference(const struct route_comm *comm, int rank,
				int32_t last)
{
	int32_t number = last > BOARD_CALLS ? last - BOARD_CALLS + 1 : 0;

	while (number < last && !differ(comm, rank, number))
		number++;
	return number;
}

/* Once: what follows from it is no news. */
static bool is_first(void)
{
	static _Atomic bool told;

	return !atomic_exchange(&told, true);
}

/* Prints the mismatch, and where this process is in it. */
static void warn(const struct route_comm *comm, int32_t number)
{
	struct board_call mine;

	process.mismatch_key = findings_key_now();
	process_warn(process.mismatch);
	if (called(comm, comm->rank, number, &mine))
		site_help(mine.site);
}

static void tell(const struct route_comm *comm, int rank, int32_t last)
{
	const int32_t number = first_difference(comm, rank, last);
	char mine[256];
	char theirs[256];

	if (!is_first())
		return;
	call_text(comm, comm->rank, number, mine, sizeof(mine));
	call_text(comm, rank, number, theirs, sizeof(theirs));
	snprintf(process.mismatch, sizeof(process.mismatch),
		 "mismatched collectives: call %" PRId32
		 " on a communicator of %d: %s; %s",
		 number + 1, comm->size, mine, theirs);
	warn(comm, number);
}

/*
 * Makes the signature even: a process that waits sees the difference, since
 * valid signatures are odd.
 */
static void mark_vain(const struct route_coll *c)
{
	const uint32_t context = c->call->members->context;
	struct board_call call;

	if (!recorded(route_slot, context, c->number, &call))
		return;
	call.signature &= ~UINT32_C(1);
	call.seal = seal(&call);
	*place(route_slot, context, c->number) = call;
}

void route_mismatch_tell(const struct route_coll *c)
{
	tell(c->call->members, c->coll->culprit, c->number);
	mark_vain(c);
}

/* The program has what came: it is told of, and no error, as in MPICH. */
static void tell_size(const struct route_coll *c, int rank, uint64_t room,
		      uint64_t got)
{
	const struct route_comm *comm = c->call->members;
	char mine[256];

	if (got >= room || !is_first())
		return;
	call_text(comm, comm->rank, c->number, mine, sizeof(mine));
	snprintf(process.mismatch, sizeof(process.mismatch),
		 "mismatched collectives: call %" PRId32
		 " on a communicator of %d: %s, expects %" PRIu64
		 " bytes from rank %d, which sent %" PRIu64,
		 c->number + 1, comm->size, mine, room, rank, got);
	warn(comm, c->number);
}

void route_mismatch_sizes(const struct route_coll *c)
{
	const struct coll *coll = c->coll;
	const struct coll_block *out = &coll->outs[coll->rank];
	const struct coll_block *in = &coll->ins[coll->rank];

	if (coll->error)
		return;
	for (unsigned i = 0; i < coll->n_ops; i++)
		if (coll->ops[i].kind == OP_RECV &&
		    coll->ops[i].got < coll->ops[i].bytes)
			tell_size(c, coll->ops[i].source, coll->ops[i].bytes,
				  coll->ops[i].got);
	if (out->moves && in->moves && out->bytes < in->bytes)
		tell_size(c, coll->rank, in->bytes, out->bytes);
}

/* Whether this rank has as another type what the other one gives. */
static bool types_differ(const struct route_comm *comm, int rank,
			 int32_t number)
{
	struct board_call mine;
	struct board_call theirs;

	return is_local(comm, rank) &&
	       called(comm, comm->rank, number, &mine) &&
	       called(comm, rank, number, &theirs) &&
	       mine.signature == theirs.signature && mine.in && theirs.out &&
	       mine.in != theirs.out;
}

/* Ranks whose data this one has got: they have made the call. */
static bool gives(const struct route_call *call, int rank)
{
	const int me = call->members->rank;

	switch (call->kind) {
	case ROUTE_BCAST:
	case ROUTE_SCATTER:
		return rank == call->root;
	case ROUTE_GATHER:
	case ROUTE_REDUCE:
		return me == call->root;
	case ROUTE_SCAN:
	case ROUTE_EXSCAN:
		return rank == me - 1;
	default:
		return rank == (me + 1) % call->members->size;
	}
}

void route_mismatch_types(const struct route_coll *c)
{
	const struct route_comm *comm = c->call->members;

	for (int rank = 0; rank < comm->size; rank++)
		if (rank != comm->rank && gives(c->call, rank) &&
		    types_differ(comm, rank, c->number)) {
			findings_count(&(struct finding_about){
				.key = findings_key_now(),
				.comm = MMDS_NONE,
				.what = FINDING_UNLIKE,
			});
			return;
		}
}

/*
 * Counts the end as one more call, so that a process that makes another call is
 * told.
 */
void route_mismatch_end(void)
{
	const struct route_call call = {
		.name = SHIM_MPI_Finalize,
		.kind = ROUTE_KINDS,
		.members = route_comm_find(MPI_COMM_WORLD),
	};
	struct route_coll c = { .call = &call };

	if (call.members)
		route_call_number(&c, true);
}

void route_mismatch_check(void)
{
	const struct route_comm *comm = route_comm_find(MPI_COMM_WORLD);
	uint32_t mine[2] = { comm ? comm->called : 0, 0 };
	uint32_t all[2];

	mine[1] = ~mine[0];
	REAL(Allreduce)(mine, all, 2, MPI_UINT32_T, MPI_MIN, MPI_COMM_WORLD);
	if (!comm || all[0] == ~all[1])
		return;
	for (int rank = 0; rank < comm->size; rank++) {
		const int32_t last = (int32_t)((comm->n_colls - 1) & INT32_MAX);

		if (rank == comm->rank ||
		    !differ(comm, rank, first_difference(comm, rank, last)))
			continue;
		tell(comm, rank, last);
		return;
	}
}
