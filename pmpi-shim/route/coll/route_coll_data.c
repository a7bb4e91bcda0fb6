/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The bytes of a collective call.  Finds its blocks in the program's buffers,
 * packs those that do not lie in a row, and puts the result in its place.
 */
#include <stdlib.h>
#include <string.h>

#include "pmpi-shim/route/coll/route_coll.h"
#include "pmpi-shim/route/coll/route_side.h"
#include "pmpi-shim/route/p2p/route_guard.h"

/* The bytes of one block, where they are or, if `memory`, in turn there. */
static struct coll_block block_make(const struct route_buffer *b, bool moved,
				    unsigned char **memory)
{
	struct coll_block block = { b->address, route_buffer_bytes(b), true };

	block.moves = block.bytes != 0;
	if (block.moves && (moved || !abi_type_is_builtin(b->type))) {
		block.at = *memory;
		*memory += block.bytes;
	} else {
		route_guard_given(block.at, block.bytes);
	}
	return block;
}

static int one_or_all(const struct route_side *side, int n)
{
	return side->many ? n : 1;
}

/* How much of a side's data has to lie elsewhere. */
static uint64_t memory_bytes(const struct route_side *side, int n, bool moved)
{
	struct route_buffer b;
	uint64_t bytes = 0;

	for (int i = 0; i < one_or_all(side, n); i++) {
		b = route_side_block(side, i);
		if (moved || !abi_type_is_builtin(b.type))
			bytes += route_buffer_bytes(&b);
	}
	return bytes;
}

static int memory_get(const struct route_side *side, int n, bool moved,
		      void **memory)
{
	const uint64_t bytes = memory_bytes(side, n, moved);

	*memory = NULL;
	if (bytes == 0)
		return MPI_SUCCESS;
	*memory = malloc(bytes);
	return *memory ? MPI_SUCCESS : MPI_ERR_NO_MEM;
}

/* Fills in the blocks of a side, and what is sent in place of it. */
static int side_make(const struct route_side *side, int n, bool sent,
		     bool moved, void **memory, struct coll_block *blocks)
{
	int rc = memory_get(side, n, moved, memory);
	unsigned char *next = *memory;
	struct route_buffer b;

	for (int i = 0; rc == MPI_SUCCESS && i < one_or_all(side, n); i++) {
		b = route_side_block(side, i);
		blocks[i] = block_make(&b, moved, &next);
		if (sent && blocks[i].moves && blocks[i].at != b.address)
			rc = route_pack(&b, blocks[i].at, blocks[i].bytes);
	}
	return rc;
}

/* Copies received bytes to the program's buffer of a side. */
static int side_end(const struct route_side *side, int n, const void *memory,
		    const struct coll_block *blocks)
{
	struct route_buffer b;
	int rc = MPI_SUCCESS;

	for (int i = 0; memory && rc == MPI_SUCCESS && i < one_or_all(side, n);
	     i++) {
		b = route_side_block(side, i);
		if (blocks[i].moves && !abi_type_is_builtin(b.type))
			rc = route_unpack(&b, blocks[i].at, blocks[i].bytes,
					  blocks[i].bytes);
	}
	return rc;
}

static int gather_make(struct route_coll *c)
{
	struct coll *coll = c->coll;
	const bool root = coll->rank == coll->root;
	struct coll_block *own = &coll->outs[coll->root];
	int rc = MPI_SUCCESS;

	if (root)
		rc = side_make(&c->call->in, coll->size, false, false,
			       &c->in_memory, coll->ins);
	if (rc != MPI_SUCCESS)
		return rc;
	if (root && route_is_in_place(&c->call->out))
		coll->ins[coll->rank].moves = false;
	else
		rc = side_make(&c->call->out, 1, true, false, &c->out_memory,
			       own);
	return rc;
}

static int scatter_make(struct route_coll *c)
{
	struct coll *coll = c->coll;
	const bool root = coll->rank == coll->root;
	int rc = MPI_SUCCESS;

	if (root)
		rc = side_make(&c->call->out, coll->size, true, false,
			       &c->out_memory, coll->outs);
	if (rc != MPI_SUCCESS)
		return rc;
	if (root && route_is_in_place(&c->call->in))
		coll->outs[coll->rank].moves = false;
	else
		rc = side_make(&c->call->in, 1, false, false, &c->in_memory,
			       &coll->ins[coll->root]);
	return rc;
}

/*
 * With MPI_IN_PLACE, the bytes that this rank sends lie in its receive buffer.
 */
static int own_from_place(struct route_coll *c)
{
	struct coll *coll = c->coll;
	const struct route_buffer b = route_side_block(&c->call->in,
						       coll->rank);
	struct coll_block *own = &coll->ins[coll->rank];
	int rc = MPI_SUCCESS;

	if (own->moves && own->at != b.address)
		rc = route_pack(&b, own->at, own->bytes);
	coll->outs[0] = *own;
	return rc;
}

static int allgather_make(struct route_coll *c)
{
	struct coll *coll = c->coll;
	int rc = side_make(&c->call->in, coll->size, false, false,
			   &c->in_memory, coll->ins);

	coll->bytes = c->bytes;
	if (rc != MPI_SUCCESS)
		return rc;
	if (route_is_in_place(&c->call->out))
		rc = own_from_place(c);
	else
		rc = side_make(&c->call->out, 1, true, false, &c->out_memory,
			       coll->outs);
	for (int i = 1; i < coll->size; i++)
		coll->outs[i] = coll->outs[0];
	return rc;
}

static int alltoall_make(struct route_coll *c)
{
	const bool in_place = route_is_in_place(&c->call->out);
	struct coll *coll = c->coll;
	int rc = side_make(&c->call->in, coll->size, false, false,
			   &c->in_memory, coll->ins);

	/* MPI_Alltoall's blocks all have as many bytes. */
	if (!route_has_counts(&c->call->in) && !c->call->in.types)
		coll->each = coll->ins[0].bytes;
	if (rc == MPI_SUCCESS)
		rc = side_make(in_place ? &c->call->in : &c->call->out,
			       coll->size, true, in_place, &c->out_memory,
			       coll->outs);
	return rc;
}

static void blocks_mark(struct coll_block *blocks, const int *ranks, int n)
{
	for (int i = 0; i < n; i++)
		if (ranks[i] >= 0)
			blocks[ranks[i]].moves = true;
}

static int neighbors_make(struct route_coll *c)
{
	const struct shim_neighbors *all = c->call->neighbors;

	blocks_mark(c->coll->outs, all->out, all->n_out);
	blocks_mark(c->coll->ins, all->in, all->n_in);
	return MPI_SUCCESS;
}

static int bcast_make(struct route_coll *c)
{
	struct coll *coll = c->coll;
	const int rc = side_make(&c->call->in, 1, coll->rank == coll->root,
				 false, &c->in_memory, coll->ins);

	coll->in = coll->ins[0].at;
	coll->bytes = coll->ins[0].bytes;
	return rc;
}

/* Whether this process has the result, or part of it. */
static bool keeps(const struct route_coll *c)
{
	return c->call->kind != ROUTE_REDUCE || c->coll->rank == c->coll->root;
}

static uint64_t layout_bytes(const struct route_coll *c, MPI_Count count)
{
	if (c->fold.unit)
		return c->fold.unit * (uint64_t)count;
	if (count == 0)
		return 0;
	return (uint64_t)((count - 1) * c->layout.extent +
			  c->layout.true_extent);
}

static void *origin(const struct route_coll *c, void *memory)
{
	return (char *)memory - c->layout.true_lb;
}

/*
 * Elements that do not lie in a row are reduced in memory of ours, where they
 * lie as in the program's.
 */
static int layout_make(struct route_coll *c)
{
	const MPI_Count count = route_vector_count(c->call);
	const uint64_t bytes = layout_bytes(c, count);
	struct coll *coll = c->coll;

	c->out_memory = malloc(bytes + 1);
	c->in_memory = keeps(c) ? malloc(bytes + 1) : NULL;
	if (!c->out_memory || (keeps(c) && !c->in_memory))
		return MPI_ERR_NO_MEM;
	coll->out = c->out_memory;
	coll->in = c->in_memory;
	if (count == 0)
		return MPI_SUCCESS;
	return route_copy_typed(
		route_is_in_place(&c->call->out) ? c->call->in.address
						 : c->call->out.address,
		origin(c, c->out_memory), count, c->call->in.type);
}

static int layout_end(struct route_coll *c)
{
	MPI_Count count = c->call->in.count;

	if (!c->apart || !keeps(c) ||
	    (c->call->kind == ROUTE_EXSCAN && c->coll->rank == 0))
		return MPI_SUCCESS;
	if (c->call->kind == ROUTE_REDUCE_SCATTER)
		count = route_part_count(c->call, c->coll->rank);
	if (count == 0)
		return MPI_SUCCESS;
	return route_copy_typed(origin(c, c->in_memory), c->call->in.address,
				count, c->call->in.type);
}

static void parts_make(struct route_coll *c)
{
	struct coll *coll = c->coll;
	unsigned char *at = coll->out;
	MPI_Count count;

	for (int i = 0; i < coll->size; i++) {
		count = route_part_count(c->call, i);
		coll->outs[i] = (struct coll_block){ at, layout_bytes(c, count),
						     true };
		at += c->fold.unit ? coll->outs[i].bytes
				   : (uint64_t)(count * c->layout.extent);
	}
}

/* Elements in a row, which others read and write where they are. */
static void vectors_given(const struct route_coll *c)
{
	MPI_Count kept = route_vector_count(c->call);

	route_guard_given(c->coll->out, c->coll->bytes);
	if (c->call->kind == ROUTE_REDUCE_SCATTER)
		kept = route_part_count(c->call, c->coll->rank);
	if (c->coll->in)
		route_guard_given(c->coll->in, layout_bytes(c, kept));
}

static int reduction_make(struct route_coll *c)
{
	const bool in_place = route_is_in_place(&c->call->out);
	struct coll *coll = c->coll;
	int rc = MPI_SUCCESS;

	route_fold_make(c);
	coll->fold = &c->fold;
	coll->in = keeps(c) ? c->call->in.address : NULL;
	coll->out = in_place ? coll->in : c->call->out.address;
	if (c->apart)
		rc = layout_make(c);
	coll->bytes = layout_bytes(c, route_vector_count(c->call));
	if (!c->apart)
		vectors_given(c);
	if (c->call->kind == ROUTE_REDUCE_SCATTER)
		parts_make(c);
	return rc;
}

int route_coll_data_make(struct route_coll *c)
{
	switch (c->call->kind) {
	case ROUTE_BARRIER:
		return MPI_SUCCESS;
	case ROUTE_BCAST:
		return bcast_make(c);
	case ROUTE_GATHER:
		return gather_make(c);
	case ROUTE_SCATTER:
		return scatter_make(c);
	case ROUTE_ALLGATHER:
		return allgather_make(c);
	case ROUTE_ALLTOALL:
		return alltoall_make(c);
	case ROUTE_NEIGHBORS:
		return neighbors_make(c);
	default:
		return reduction_make(c);
	}
}

int route_coll_data_end(struct route_coll *c)
{
	struct coll *coll = c->coll;

	switch (c->call->kind) {
	case ROUTE_BARRIER:
	case ROUTE_NEIGHBORS:
		return MPI_SUCCESS;
	case ROUTE_BCAST:
		if (coll->rank == coll->root)
			return MPI_SUCCESS;
		return side_end(&c->call->in, 1, c->in_memory, coll->ins);
	case ROUTE_SCATTER:
		return side_end(&c->call->in, 1, c->in_memory,
				&coll->ins[coll->root]);
	case ROUTE_GATHER:
	case ROUTE_ALLGATHER:
	case ROUTE_ALLTOALL:
		return side_end(&c->call->in, coll->size, c->in_memory,
				coll->ins);
	default:
		return layout_end(c);
	}
}
