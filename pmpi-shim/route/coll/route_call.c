/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Checks the arguments of a collective call.  A call that does not fit is left
 * to MPI, which says what is wrong with it.
 */
#include <stdlib.h>

#include "pmpi-shim/record/findings/findings.h"
#include "pmpi-shim/route/base/route_overlap.h"
#include "pmpi-shim/route/base/route_state.h"
#include "pmpi-shim/route/coll/route_call_cache.h"
#include "pmpi-shim/route/route.h"

/* A block without elements may have a type that means nothing. */
static bool block_fits(const struct route_side *side, int rank)
{
	struct route_buffer b = { side->address, side->count, side->type, 0 };

	if (route_has_counts(side))
		b.count = route_count_at(side->counts, rank);
	if (side->types && b.count == 0)
		return true;
	if (side->types)
		b.type = side->types[rank];
	return route_buffer_fits(&b);
}

static bool blocks_fit(const struct route_side *side, int n)
{
	if (!route_has_counts(side) || !route_has_displs(side))
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

	if (side->many && (route_has_counts(side) || side->types))
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

/* Blocks that are received, each of a length and at a place of its own. */
static bool takes_blocks(const struct route_call *call)
{
	const bool takes = call->kind == ROUTE_GATHER
				   ? call->root == call->members->rank
				   : call->kind == ROUTE_ALLGATHER ||
					     call->kind == ROUTE_ALLTOALL;

	return takes && call->in.many && route_has_displs(&call->in);
}

/* MPI does not look; in which order they are written is not determined. */
static void blocks_look(const struct route_call *call)
{
	const int n = call->members->size;
	struct route_buffer *blocks;

	if (!(route_strict & SETTINGS_STRICT_BUFFERS) || !takes_blocks(call))
		return;
	blocks = malloc((size_t)n * sizeof(*blocks));
	for (int i = 0; blocks && i < n; i++)
		blocks[i] = route_side_block(&call->in, i);
	if (blocks && route_blocks_overlap(blocks, (size_t)n))
		found(FINDING_COPIED);
	free(blocks);
}

static bool counts_fit(struct shim_counts counts, int n)
{
	if (!counts.ints && !counts.longs)
		return false;
	for (int i = 0; i < n; i++)
		if (route_count_at(counts, i) < 0)
			return false;
	return true;
}

static MPI_Count count_sum(struct shim_counts counts, int n)
{
	MPI_Count sum = 0;

	for (int i = 0; i < n; i++)
		sum += route_count_at(counts, i);
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

	if (route_has_counts(&call->in) && !counts_fit(call->in.counts, n))
		return false;
	whole.count = route_has_counts(&call->in)
			      ? count_sum(call->in.counts, n)
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
	return route_type_extent(call->in.type) > 0 &&
	       route_op_fits(call->op, call->in.type);
}

static MPI_Count count_of(const struct route_side *side, int rank)
{
	return route_has_counts(side) ? route_count_at(side->counts, rank)
				      : side->count;
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
		       (route_has_counts(in) || in->count != 0);
	case ROUTE_GATHER:
	case ROUTE_SCATTER:
	case ROUTE_ALLGATHER:
		return (call->kind == ROUTE_ALLGATHER || call->root == me) &&
		       out->type == in->type &&
		       count_of(out, me) == count_of(in, me) &&
		       count_of(in, me) != 0 &&
		       route_side_place(out, me) == route_side_place(in, me);
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

static void flatten(struct route_side *side)
{
	struct route_buffer b;

	if (route_has_counts(side) || side->types || route_is_in_place(side))
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
	call->cached = call->members ? route_call_cached(call) : NULL;
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
		blocks_look(call);
		flatten_sides(call);
	}
	return fits;
}
