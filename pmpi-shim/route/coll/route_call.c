/* SPDX-License-Identifier: BSD-3-Clause */

/* The arguments of a collective call. */
#include <stdlib.h>

#include "pmpi-shim/record/findings.h"
#include "pmpi-shim/route/base/route_state.h"
#include "pmpi-shim/route/coll/route_coll.h"
#include "pmpi-shim/route/route.h"

static MPI_Count count_at(struct shim_counts counts, int i)
{
	return counts.ints ? counts.ints[i] : counts.longs[i];
}

static MPI_Aint displ_at(struct route_displs displs, int i)
{
	return displs.ints ? displs.ints[i] : displs.longs[i];
}

static bool has_counts(const struct route_side *side)
{
	return side->counts.ints || side->counts.longs;
}

static bool has_displs(const struct route_side *side)
{
	return side->displs.ints || side->displs.longs;
}

static MPI_Aint extent(MPI_Datatype type)
{
	MPI_Aint lb;
	MPI_Aint bytes = 0;

	if (abi_type_is_builtin(type))
		return (MPI_Aint)abi_type_size(type);
	REAL(Type_get_extent)(type, &lb, &bytes);
	return bytes;
}

struct route_buffer route_side_block(const struct route_side *side, int rank)
{
	struct route_buffer b = { side->address, side->count, side->type, 0 };
	MPI_Aint at = 0;

	if (!side->many)
		return b;
	if (has_counts(side))
		b.count = count_at(side->counts, rank);
	if (side->types)
		b.type = side->types[rank];
	if (b.count == 0)
		return (struct route_buffer){ NULL, 0, MPI_BYTE, 0 };
	if (side->types)
		at = displ_at(side->displs, rank);
	else if (has_displs(side))
		at = displ_at(side->displs, rank) * extent(b.type);
	else
		at = (MPI_Aint)side->count * rank * extent(b.type);
	b.address = (char *)b.address + at;
	return b;
}

uint64_t route_part_bytes(const struct route_call *call)
{
	const struct route_buffer own = { NULL, call->out.count, call->out.type,
					  0 };
	const struct route_buffer first = route_side_block(&call->in, 0);
	const uint64_t bytes = route_buffer_bytes(&first);

	for (int i = 1; has_counts(&call->in) && i < call->members->size; i++)
		if (count_at(call->in.counts, i) != first.count)
			return 0;
	if (!route_is_in_place(&call->out) && route_buffer_bytes(&own) != bytes)
		return 0;
	return bytes;
}

/* A block without elements may have a type that means nothing. */
static bool block_fits(const struct route_side *side, int rank)
{
	struct route_buffer b = { side->address, side->count, side->type, 0 };

	if (has_counts(side))
		b.count = count_at(side->counts, rank);
	if (side->types && b.count == 0)
		return true;
	if (side->types)
		b.type = side->types[rank];
	return route_buffer_fits(&b);
}

static bool blocks_fit(const struct route_side *side, int n)
{
	if (!has_counts(side) || !has_displs(side))
		return false;
	for (int i = 0; i < n; i++)
		if (!block_fits(side, i))
			return false;
	return true;
}

static inline bool side_fits(const struct route_side *side, int n)
{
	const struct route_buffer b = { side->address, side->count, side->type,
					0 };

	if (side->many && (has_counts(side) || side->types))
		return blocks_fit(side, n);
	return route_buffer_fits(&b);
}

/* Checks the sides that MPI reads at this rank. */
static bool sides_fit(const struct route_call *call)
{
	const int n = call->members->size;
	const bool root = call->root == call->members->rank;

	switch (call->kind) {
	case ROUTE_BARRIER:
		return true;
	case ROUTE_BCAST:
		return side_fits(&call->in, n);
	case ROUTE_GATHER:
	case ROUTE_REDUCE:
		if (!root)
			return side_fits(&call->out, n);
		break;
	case ROUTE_SCATTER:
		if (!root)
			return side_fits(&call->in, n);
		return (route_is_in_place(&call->in) ||
			side_fits(&call->in, n)) &&
		       side_fits(&call->out, n);
	default:
		break;
	}
	return (route_is_in_place(&call->out) || side_fits(&call->out, n)) &&
	       side_fits(&call->in, n);
}

/* Whether this rank gives and takes a block of its own. */
static bool gives_itself(const struct route_call *call)
{
	switch (call->kind) {
	case ROUTE_GATHER:
	case ROUTE_SCATTER:
		return call->root == call->members->rank;
	case ROUTE_ALLGATHER:
	case ROUTE_ALLTOALL:
		return true;
	default:
		return false;
	}
}

static void found(enum finding what)
{
	findings_count(&(struct finding_about){
		.key = findings_key_now(),
		.comm = MMDS_NONE,
		.what = what,
	});
}

/* Its own block shows both types; MPI asks that they be the same. */
static void types_look(const struct route_call *call)
{
	struct route_buffer out;
	struct route_buffer in;

	if (!gives_itself(call) || route_is_in_place(&call->out) ||
	    route_is_in_place(&call->in))
		return;
	out = route_side_block(&call->out, call->members->rank);
	in = route_side_block(&call->in, call->members->rank);
	if (out.count && in.count && route_type_class(out.type) &&
	    route_type_class(in.type) &&
	    route_type_class(out.type) != route_type_class(in.type))
		found(FINDING_UNLIKE);
}

/*
 * MPICH takes logical operations on real numbers; the standard has them for
 * integers and truth values only.
 */
static void op_look(const struct route_call *call)
{
	if (call->op != MPI_LAND && call->op != MPI_LOR && call->op != MPI_LXOR)
		return;
	if (route_class_is_real(route_type_class(call->in.type)))
		found(FINDING_OP_TYPE);
}

static bool counts_fit(struct shim_counts counts, int n)
{
	if (!counts.ints && !counts.longs)
		return false;
	for (int i = 0; i < n; i++)
		if (count_at(counts, i) < 0)
			return false;
	return true;
}

static MPI_Count count_sum(struct shim_counts counts, int n)
{
	MPI_Count sum = 0;

	for (int i = 0; i < n; i++)
		sum += count_at(counts, i);
	return sum;
}

/*
 * A reduce-scatter's contribution is one vector, of which each process gets a
 * part; the counts are those of the parts.
 */
static bool reduce_scatter_fits(struct route_call *call)
{
	const int n = call->members->size;
	struct route_side whole = { .address = call->out.address,
				    .type = call->in.type };
	struct route_side part = { .address = call->in.address,
				   .type = call->in.type };

	if (has_counts(&call->in) && !counts_fit(call->in.counts, n))
		return false;
	whole.count = has_counts(&call->in) ? count_sum(call->in.counts, n)
					    : call->in.count * n;
	part.count = route_part_count(call, call->members->rank);
	call->out.count = whole.count;
	if (route_is_in_place(&call->out))
		return whole.count >= 0 && side_fits(&part, n);
	return side_fits(&whole, n) && side_fits(&part, n);
}

/* A process alone has nothing to schedule: MPI does it in no time. */
static bool comm_fits(const struct route_comm *members, int root)
{
	return members && members->size > 1 && root >= 0 &&
	       root < members->size;
}

/* Elements that overlap, or lie backwards, are MPI's: at all, for all have the
 * same type. */
static bool reduction_fits(const struct route_call *call)
{
	return extent(call->in.type) > 0 &&
	       route_op_fits(call->op, call->in.type);
}

/* Where a rank's block begins, as MPI's check of aliases has it. */
static const char *place_of(const struct route_side *side, int rank)
{
	const struct route_buffer one = { NULL, 1, side->type, 0 };
	MPI_Aint at;

	if (!side->many)
		return side->address;
	at = has_displs(side) ? displ_at(side->displs, rank)
			      : (MPI_Aint)side->count * rank;
	return (char *)side->address + at * (MPI_Aint)route_buffer_bytes(&one);
}

static MPI_Count count_of(const struct route_side *side, int rank)
{
	return has_counts(side) ? count_at(side->counts, rank) : side->count;
}

static bool are_same(const struct route_side *a, const struct route_side *b)
{
	return a->type == b->type && a->types == b->types &&
	       a->count == b->count && a->counts.ints == b->counts.ints &&
	       a->counts.longs == b->counts.longs;
}

/* MPI has an error for a buffer that is sent from and received into. */
static bool is_aliased(const struct route_call *call)
{
	const struct route_side *out = &call->out;
	const struct route_side *in = &call->in;
	const int me = call->members->rank;

	switch (call->kind) {
	case ROUTE_BARRIER:
	case ROUTE_BCAST:
		return false;
	case ROUTE_ALLTOALL:
		return out->address == in->address && are_same(out, in) &&
		       (has_counts(in) || in->count != 0);
	case ROUTE_GATHER:
	case ROUTE_SCATTER:
	case ROUTE_ALLGATHER:
		return (call->kind == ROUTE_ALLGATHER || call->root == me) &&
		       out->type == in->type &&
		       count_of(out, me) == count_of(in, me) &&
		       count_of(in, me) != 0 &&
		       place_of(out, me) == place_of(in, me);
	case ROUTE_REDUCE:
		if (call->root != me)
			return false;
		/* fallthrough */
	default:
		return out->address == in->address && out->count != 0;
	}
}

/* Unless it was told not to look. */
static bool aliases_fit(const struct route_call *call)
{
	const char *looks;

	if (!is_aliased(call))
		return true;
	looks = getenv("MPIR_CVAR_COLL_ALIAS_CHECK");
	return looks && strtol(looks, NULL, 0) == 0;
}

static bool is_plain(const struct route_side *side)
{
	return !has_counts(side) && !side->types &&
	       (side->type == MPI_DATATYPE_NULL ||
		abi_type_is_builtin(side->type));
}

static bool can_be_cached(const struct route_call *call)
{
	switch (call->kind) {
	case ROUTE_ALLREDUCE:
		return abi_op_is_builtin(call->op) && is_plain(&call->in);
	case ROUTE_BARRIER:
	case ROUTE_BCAST:
	case ROUTE_ALLGATHER:
		return is_plain(&call->out) && is_plain(&call->in);
	default:
		return false;
	}
}

void route_call_remember(const struct route_coll *c)
{
	const struct route_call *call = c->call;
	struct route_comm *members = call->members;

	if (!can_be_cached(call))
		return;
	if (!members->cache)
		members->cache = calloc(ROUTE_KINDS, sizeof(*members->cache));
	if (members->cache)
		members->cache[call->kind] = (struct route_cache){
			.method = c->coll->method,
			.own_order = c->coll->own_order,
			.bytes = c->bytes,
			.op = call->op,
			.root = call->root,
			.types = { call->out.type, call->in.type },
			.counts = { call->out.count, call->in.count },
		};
}

/* Where there is data it lies somewhere, and not at one place. */
static bool lies_well(const struct route_call *call)
{
	const struct route_side *out = &call->out;
	const struct route_side *in = &call->in;

	if (in->type == MPI_DATATYPE_NULL)
		return true;
	if (!in->address || route_is_in_place(in))
		return false;
	return out->type == MPI_DATATYPE_NULL ||
	       (out->address &&
		out->address != place_of(in, call->members->rank));
}

/*
 * Compares the arguments with the last call of this kind, without the
 * addresses.
 */
static bool is_cached(const struct route_call *call,
		      const struct route_cache *last)
{
	return last->method.algorithm != COLL_AUTO && last->op == call->op &&
	       last->root == call->root && last->types[0] == call->out.type &&
	       last->types[1] == call->in.type &&
	       last->counts[0] == call->out.count &&
	       last->counts[1] == call->in.count && !has_counts(&call->in) &&
	       !call->in.types;
}

static const struct route_cache *cache_find(const struct route_call *call)
{
	const struct route_cache *cache = call->members->cache;

	return cache && is_cached(call, &cache[call->kind]) && lies_well(call)
		       ? &cache[call->kind]
		       : NULL;
}

static void flatten(struct route_side *side)
{
	struct route_buffer b;

	if (has_counts(side) || side->types || route_is_in_place(side))
		return;
	b = route_buffer_of(side->address, side->count, side->type);
	side->count = b.count;
	side->type = b.type;
}

/* Nothing is packed where the elements are bytes in a row. */
static void flatten_sides(struct route_call *call)
{
	if (call->kind >= ROUTE_REDUCE)
		return;
	flatten(&call->out);
	flatten(&call->in);
}

static bool arguments_fit(struct route_call *call)
{
	if (route_native)
		return false;
	call->members = route_comm_find(call->comm);
	call->cached = call->members ? cache_find(call) : NULL;
	if (call->cached)
		return true;
	if (!comm_fits(call->members, call->root))
		return false;
	if (call->kind == ROUTE_REDUCE_SCATTER) {
		if (!reduce_scatter_fits(call))
			return false;
	} else if (!sides_fit(call)) {
		return false;
	}
	return aliases_fit(call) &&
	       (call->kind < ROUTE_REDUCE || reduction_fits(call));
}

bool route_call_fits(struct route_call *call)
{
	const bool fits = arguments_fit(call);

	if (fits && !call->cached) {
		types_look(call);
		op_look(call);
		flatten_sides(call);
	}
	return fits;
}

MPI_Count route_part_count(const struct route_call *call, int rank)
{
	return has_counts(&call->in) ? count_at(call->in.counts, rank)
				     : call->in.count;
}

static int type_keep(MPI_Datatype *type)
{
	if (abi_type_is_builtin(*type) || *type == MPI_DATATYPE_NULL)
		return MPI_SUCCESS;
	return route_type_keep(type);
}

static void type_release(MPI_Datatype type)
{
	if (!abi_type_is_builtin(type) && type != MPI_DATATYPE_NULL)
		REAL(Type_free)(&type);
}

static int types_keep(struct route_side *side, MPI_Datatype *copies, int n)
{
	int rc = MPI_SUCCESS;

	for (int i = 0; i < n; i++) {
		copies[i] = count_at(side->counts, i) ? side->types[i]
						      : MPI_DATATYPE_NULL;
		if (rc == MPI_SUCCESS)
			rc = type_keep(&copies[i]);
	}
	side->types = copies;
	return rc;
}

static void side_release(const struct route_side *side, int n)
{
	if (!side->types)
		type_release(side->type);
	for (int i = 0; side->types && i < n; i++)
		type_release(side->types[i]);
}

static int side_keep(struct route_side *side, MPI_Datatype *copies, int n)
{
	if (route_is_in_place(side)) {
		side->type = MPI_DATATYPE_NULL;
		side->types = NULL;
		return MPI_SUCCESS;
	}
	if (side->types)
		return types_keep(side, copies, n);
	return type_keep(&side->type);
}

/* Clears arguments that MPI ignores at ranks other than the root. */
static void drop_what_is_not_looked_at(struct route_call *call)
{
	const bool root = call->root == call->members->rank;
	const struct route_side nothing = { .type = MPI_DATATYPE_NULL };

	if (call->kind == ROUTE_BARRIER ||
	    (call->kind == ROUTE_GATHER && !root))
		call->in = nothing;
	if (call->kind == ROUTE_BARRIER || call->kind == ROUTE_BCAST ||
	    (call->kind == ROUTE_SCATTER && !root))
		call->out = nothing;
}

int route_call_keep(struct route_coll *c, struct route_call *call)
{
	const int n = call->members->size;
	int rc;

	if (call->kind >= ROUTE_REDUCE) /* route_op_keep */
		return MPI_SUCCESS;
	drop_what_is_not_looked_at(call);
	if (call->out.types || call->in.types) {
		c->types = calloc(2 * (size_t)n, sizeof(*c->types));
		if (!c->types)
			return MPI_ERR_NO_MEM;
	}
	rc = side_keep(&call->out, c->types, n);
	if (rc == MPI_SUCCESS)
		rc = side_keep(&call->in, c->types + n, n);
	c->keeps_types = true;
	return rc;
}

void route_call_release(struct route_coll *c)
{
	const int n = c->call->members->size;

	if (!c->keeps_types)
		return;
	c->keeps_types = false;
	side_release(&c->call->out, n);
	side_release(&c->call->in, n);
	free(c->types);
	c->types = NULL;
}
