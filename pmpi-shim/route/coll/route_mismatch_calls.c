/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Gives each collective its number and signature, and writes it into the slot
 * of this process, where others of the node can read it.
 */
#include "pmpi-shim/record/findings/findings.h"
#include "pmpi-shim/record/site.h"
#include "pmpi-shim/route/base/route_peers.h"
#include "pmpi-shim/route/base/route_state.h"
#include "pmpi-shim/route/coll/route_mismatch.h"

/* The cells of the calls of this process's slot. */
static uint64_t keys[BOARD_CALLS];

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
	    call->kind == ROUTE_BARRIER || call->kind == ROUTE_NEIGHBORS ||
	    call->kind == ROUTE_KINDS ||
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
__attribute__((no_sanitize("thread"))) static void note(struct route_coll *c,
							uint64_t bytes)
{
	const struct route_call *call = c->call;
	const uint32_t context = call->members->context;
	struct board_call *made = place(route_slot, context, c->number);

	made->context = context;
	made->number = c->number;
	made->signature = c->signature;
	made->root = has_root(call->kind) ? call->root : -1;
	made->bytes = bytes;
	made->site = c->site = site_of_call();
	made->op = op_of(call);
	made->seal = seal(made);
	made->name = call->name;
	note_types(made, call);
	keys[made - route_slot->calls] = findings_key_now();
}

uint64_t route_mismatch_key(const struct route_comm *comm, int32_t number)
{
	struct board_call call;

	if (!route_mismatch_recorded(route_slot, comm->context, number, &call))
		return FINDING_NO_CALL;
	return keys[place(route_slot, comm->context, number) -
		    route_slot->calls];
}

/*
 * The call that members of a communicator meet for; 0: it is ours.  MPI lets
 * some calls meet others.
 */
static uint64_t meets_for(const struct route_call *call)
{
	if (!call->meets)
		return 0;
	switch (call->name) {
	case SHIM_MPI_Comm_dup_with_info:
		return SHIM_MPI_Comm_dup;
	case SHIM_MPI_Comm_idup_with_info:
		return SHIM_MPI_Comm_idup;
	case SHIM_MPI_Neighbor_allgatherv:
		return SHIM_MPI_Neighbor_allgather;
	case SHIM_MPI_Neighbor_alltoallv:
	case SHIM_MPI_Neighbor_alltoallw:
		return SHIM_MPI_Neighbor_alltoall;
	case SHIM_MPI_Ineighbor_allgatherv:
		return SHIM_MPI_Ineighbor_allgather;
	case SHIM_MPI_Ineighbor_alltoallv:
	case SHIM_MPI_Ineighbor_alltoallw:
		return SHIM_MPI_Ineighbor_alltoall;
	case SHIM_MPI_File_read_at_all:
	case SHIM_MPI_File_read_all_begin:
	case SHIM_MPI_File_read_at_all_begin:
		return SHIM_MPI_File_read_all;
	case SHIM_MPI_File_write_at_all:
	case SHIM_MPI_File_write_all_begin:
	case SHIM_MPI_File_write_at_all_begin:
		return SHIM_MPI_File_write_all;
	default:
		return call->name;
	}
}

/* A call that blocks does not fit to one that does not. */
void route_call_number(struct route_coll *c, bool blocks)
{
	struct route_comm *comm = c->call->members;
	const uint64_t bytes = c->bytes = bytes_of(c->call);
	const uint64_t kind = meets_for(c->call) << 8 |
			      (uint64_t)c->call->kind << 1 | blocks;
	const uint64_t what = kind << 32 | op_of(c->call);

	c->number = (int32_t)(comm->n_colls++ & INT32_MAX);
	comm->called = mix((uint64_t)comm->called << 32 |
				   (uint32_t)c->call->root,
			   what ^ bytes * 0xc2b2ae3d27d4eb4fu) |
		       1;
	c->signature = comm->called;
	note(c, bytes);
}

bool route_mismatch_recorded(struct board_slot *slot, uint32_t context,
			     int32_t number, struct board_call *call)
{
	*call = *place(slot, context, number);
	return call->signature && call->seal == seal(call) &&
	       call->context == context && call->number == number;
}

bool route_mismatch_differs(uint32_t context, int32_t number,
			    uint32_t signature)
{
	struct board_call call;

	for (uint32_t i = 0; i < (uint32_t)route_n_slots; i++)
		if (route_mismatch_recorded(route_slots[i], context, number,
					    &call) &&
		    call.signature != signature)
			return true;
	return false;
}

void route_mismatch_mark(const struct route_coll *c)
{
	const uint32_t context = c->call->members->context;
	struct board_call call;

	if (!route_mismatch_recorded(route_slot, context, c->number, &call))
		return;
	call.signature &= ~UINT32_C(1);
	call.seal = seal(&call);
	*place(route_slot, context, c->number) = call;
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
