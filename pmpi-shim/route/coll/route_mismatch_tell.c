/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Says which collectives do not match: once, in one line with both calls and
 * their places.  Also compares what calls that went well have moved.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "pmpi-shim/job/process.h"
#include "pmpi-shim/record/findings/findings.h"
#include "pmpi-shim/record/site.h"
#include "pmpi-shim/route/base/route_peers.h"
#include "pmpi-shim/route/base/route_state.h"
#include "pmpi-shim/route/coll/route_mismatch.h"

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

static int world_rank(uint32_t peer)
{
	return route_peer_is_local(peer) ? route_slots[peer]->waits.rank
					 : route_peer_world(peer);
}

static size_t rank_text(const struct route_comm *comm, int rank, char *text,
			size_t size)
{
	const int world = world_rank(rank_map_at(&comm->peers, (uint32_t)rank));

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
	char site[ROUTE_MISMATCH_SITE];

	if (!route_mismatch_called(comm, rank, number, &call)) {
		snprintf(text + at, size - at, " in something else");
		return;
	}
	if (route_peer_is_local(peer))
		site_text(route_slots[peer]->pid, call.site, site,
			  sizeof(site));
	else
		memcpy(site, route_mismatch_site(), sizeof(site));
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

	while (number < last && !route_mismatch_differ(comm, rank, number))
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

	process.mismatch_key = route_mismatch_key(comm, number);
	if (process.mismatch_key == FINDING_NO_CALL)
		process.mismatch_key = findings_key_now();
	findings_mismatch(shim_comm_row(comm->handle));
	process_warn(process.mismatch);
	if (route_mismatch_called(comm, comm->rank, number, &mine))
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

void route_mismatch_tell(const struct route_coll *c)
{
	tell(c->call->members, c->coll->culprit, c->number);
	route_mismatch_mark(c);
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

	return route_mismatch_is_local(comm, rank) &&
	       route_mismatch_called(comm, comm->rank, number, &mine) &&
	       route_mismatch_called(comm, rank, number, &theirs) &&
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
		    !route_mismatch_differ(comm, rank,
					   first_difference(comm, rank, last)))
			continue;
		tell(comm, rank, last);
		return;
	}
}
