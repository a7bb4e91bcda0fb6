/* SPDX-License-Identifier: BSD-3-Clause */

/* A collective call on its way through the engine. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "pmpi-shim/job/process.h"
#include "pmpi-shim/route/base/route_blocked.h"
#include "pmpi-shim/route/base/route_state.h"
#include "pmpi-shim/route/coll/route_coll.h"

/* Processes of a communicator whose descriptor is kept for the next. */
#define KEPT_MOST 64

/* The bytes of one block, where they are or, if `memory`, in turn there. */
static struct coll_block block_make(const struct route_buffer *b, bool moved,
				    unsigned char **memory)
{
	struct coll_block block = { b->address, route_buffer_bytes(b), true };

	block.moves = block.bytes != 0;
	if (block.moves && (moved || !mpich_type_is_builtin(b->type))) {
		block.at = *memory;
		*memory += block.bytes;
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
		if (moved || !mpich_type_is_builtin(b.type))
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
		if (blocks[i].moves && !mpich_type_is_builtin(b.type))
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

	if (rc == MPI_SUCCESS)
		rc = side_make(in_place ? &c->call->in : &c->call->out,
			       coll->size, true, in_place, &c->out_memory,
			       coll->outs);
	return rc;
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
	if (c->call->kind == ROUTE_REDUCE_SCATTER)
		parts_make(c);
	return rc;
}

static int data_make(struct route_coll *c)
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
	default:
		return reduction_make(c);
	}
}

static enum coll_kind kind_of(enum route_kind kind)
{
	static const enum coll_kind kinds[] = {
		[ROUTE_BARRIER] = COLL_BARRIER,
		[ROUTE_BCAST] = COLL_BCAST,
		[ROUTE_GATHER] = COLL_EXCHANGE,
		[ROUTE_SCATTER] = COLL_EXCHANGE,
		[ROUTE_ALLGATHER] = COLL_EXCHANGE,
		[ROUTE_ALLTOALL] = COLL_EXCHANGE,
		[ROUTE_REDUCE] = COLL_REDUCE,
		[ROUTE_ALLREDUCE] = COLL_ALLREDUCE,
		[ROUTE_REDUCE_SCATTER] = COLL_REDUCE_SCATTER,
		[ROUTE_SCAN] = COLL_SCAN,
		[ROUTE_EXSCAN] = COLL_EXSCAN,
	};

	return kinds[kind];
}

/*
 * A thread alone needs no exchange, which would wait until all that was written
 * for other processes is in the cache.
 */
static struct coll *spare_swap(struct route_comm *comm, struct coll *coll)
{
	struct coll *was;

	if (process.thread_level == MPI_THREAD_MULTIPLE)
		return atomic_exchange(&comm->spare, coll);
	was = atomic_load_explicit(&comm->spare, memory_order_relaxed);
	atomic_store_explicit(&comm->spare, coll, memory_order_relaxed);
	return was;
}

static struct coll *coll_get(struct route_comm *comm)
{
	struct coll *coll = spare_swap(comm, NULL);

	return coll ? coll : coll_new(comm->size);
}

/* A large one is not kept: it has room for a message to and from each. */
static void coll_put(struct route_comm *comm, struct coll *coll)
{
	if (comm->size <= KEPT_MOST)
		coll = spare_swap(comm, coll);
	coll_free(coll);
}

/* The settings name what the engine does. */
_Static_assert((int)SETTINGS_ALGORITHM_AUTO == (int)COLL_AUTO &&
		       (int)SETTINGS_LINEAR == (int)COLL_LINEAR &&
		       (int)SETTINGS_NODES == (int)COLL_NODES,
	       "as in coll.h");

static struct coll_method method_of(enum coll_kind kind)
{
	const struct settings *settings = &process.settings;
	struct settings_method method = { SETTINGS_ALGORITHM_AUTO, 0 };

	if (kind == COLL_BCAST)
		method = settings->bcast;
	else if (kind == COLL_REDUCE || kind == COLL_ALLREDUCE ||
		 kind == COLL_BARRIER)
		method = settings->reduce;
	return (struct coll_method){ (enum coll_algorithm)method.algorithm,
				     method.segment };
}

static void call_make(struct route_coll *c)
{
	struct route_comm *members = c->call->members;
	struct coll *coll = c->coll;

	coll->kind = kind_of(c->call->kind);
	coll->context = members->context + 1;
	coll->number = c->number;
	coll->signature = c->signature;
	coll->peers = &members->peers;
	coll->rank = members->rank;
	coll->root = c->call->root;
	coll->fold = NULL;
	coll->out = NULL;
	coll->in = NULL;
	coll->bytes = 0;
	coll->method = c->call->cached ? c->call->cached->method
				       : method_of(coll->kind);
	coll->own_order = c->call->cached ? c->call->cached->own_order
					  : coll->method.algorithm != COLL_AUTO;
	coll->slate = members->slate;
	coll->nodes = &members->nodes;
	if (coll->kind == COLL_EXCHANGE)
		coll_blocks_clear(coll);
}

static void data_free(struct route_coll *c)
{
	free(c->out_memory);
	free(c->in_memory);
	c->out_memory = NULL;
	c->in_memory = NULL;
	coll_put(c->call->members, c->coll);
	c->coll = NULL;
}

/* Others may still read or write there. */
static void data_leave(struct route_coll *c)
{
	c->out_memory = NULL;
	c->in_memory = NULL;
	c->coll = NULL;
}

int route_coll_start(struct route_coll *c, bool in_background)
{
	int rc;

	c->out_memory = NULL;
	c->in_memory = NULL;
	c->looks = 0;
	c->since = 0;
	c->waits = 0;
	c->coll = coll_get(c->call->members);
	if (!c->coll)
		return MPI_ERR_NO_MEM;
	call_make(c);
	c->coll->in_background = in_background;
	rc = data_make(c);
	if (rc == MPI_SUCCESS &&
	    engines_coll_post(&route_engines, c->coll) != 0)
		rc = MPI_ERR_NO_MEM;
	if (rc != MPI_SUCCESS)
		data_free(c);
	else if (in_background)
		route_blocked_background(1);
	return rc;
}

/* Copies the result into the program's buffers. */
static int data_end(struct route_coll *c)
{
	struct coll *coll = c->coll;

	switch (c->call->kind) {
	case ROUTE_BARRIER:
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

static int outcome(struct route_coll *c)
{
	const int rc = route_error_class(c->coll->error);
	int ended = MPI_SUCCESS;

	if (rc == MPI_SUCCESS)
		coll_path_end(c->coll);
	if (c->coll->in_background)
		route_blocked_background(-1);
	if (c->coll->kind == COLL_EXCHANGE && !c->coll->on_slate)
		route_mismatch_sizes(c);
	if (route_strict & SETTINGS_STRICT_BUFFERS && !c->coll->error)
		route_mismatch_types(c);
	if (c->coll->error == -EPROTO)
		route_mismatch_tell(c);
	else
		ended = data_end(c);
	if (coll_is_held(c->coll))
		data_leave(c);
	else
		data_free(c);
	if (c->also)
		ended = c->also->end(c->also);
	return rc == MPI_SUCCESS ? ended : rc;
}

/* Looks after its peers when it has waited for long. */
#define LOOKS 512

static bool looks_done(struct route_coll *c)
{
	if (coll_is_done(c->coll))
		return !c->also || c->also->is_done(c->also);
	if (++c->looks % LOOKS == 0)
		route_coll_suspect(c);
	return false;
}

static bool is_done(void *coll)
{
	return looks_done(coll);
}

static bool coll_describe(struct blocked *b, const struct route_coll *c)
{
	const struct blocked_comm comm = route_blocked_comm(c->call->members);

	return engines_blocked_coll(&route_engines, b, c->coll, &comm);
}

static bool run_describe(struct blocked *b, void *coll)
{
	const struct route_coll *c = coll;

	return route_blocked_group(b, false, c->call->members) &&
	       coll_describe(b, c);
}

int route_coll_run(const struct route_call *call)
{
	struct route_coll c = { .call = call };
	int rc;

	route_call_number(&c, true);
	rc = route_coll_start(&c, false);
	if (rc != MPI_SUCCESS)
		return route_error(call->comm, rc);
	if (!call->cached)
		route_call_remember(&c);
	if (c.coll->on_slate && c.bytes <= SLATE_LINE)
		engines_wait_shown(&route_engines, is_done, &c);
	else
		engines_wait_until(&route_engines, is_done, &c);
	return route_error(call->comm, outcome(&c));
}

static void let_go(struct route_coll *c)
{
	if (!c)
		return;
	if (c->keeps_op)
		route_op_release();
	route_call_release(c);
	route_comm_drop(c->call->members);
	free(c); /* the first of what was kept */
}

/* A collective with its arguments, which have to outlive the call. */
struct kept {
	struct route_coll coll;
	struct route_call call;
};

static struct route_coll *coll_keep(const struct route_call *call)
{
	struct kept *kept = calloc(1, sizeof(*kept));
	struct route_coll *c = &kept->coll;

	if (!kept)
		return NULL;
	kept->call = *call;
	kept->call.cached = NULL; /* by then another may be there */
	c->call = &kept->call;
	route_comm_hold(c->call->members);
	c->keeps_op = call->kind >= ROUTE_REDUCE &&
		      (!mpich_op_is_builtin(call->op) ||
		       !mpich_type_is_builtin(call->in.type));
	if (c->keeps_op)
		route_op_keep();
	if (route_call_keep(c, &kept->call) == MPI_SUCCESS)
		return c;
	let_go(c);
	return NULL;
}

static bool request_is_done(struct route_request *request)
{
	return looks_done(request->coll);
}

static int request_end(struct route_request *request)
{
	return outcome(request->coll);
}

static int request_start(struct route_request *request)
{
	const int rc = route_coll_start(request->coll, true);

	request->active = rc == MPI_SUCCESS;
	return route_error(route_request_comm(request), rc);
}

static void request_release(struct route_request *request)
{
	let_go(request->coll);
}

static bool request_describe(struct blocked *b, struct route_request *request)
{
	return coll_describe(b, request->coll);
}

static const struct route_request_kind kind = {
	.is_done = request_is_done,
	.end = request_end,
	.start = request_start,
	.release = request_release,
	.describe = request_describe,
};

void route_coll_blocked(void)
{
	route_blocked_know(is_done, run_describe);
}

static struct route_request *request_make(const struct route_call *call)
{
	struct route_request *request = route_request_new();

	if (!request)
		return NULL;
	request->coll = coll_keep(call);
	request->op.comm = call->comm;
	request->op.op.kind = OP_SEND;
	if (!request->coll) {
		route_request_release(request);
		return NULL;
	}
	request->kind = &kind;
	request->op.op.key.context = call->members->context;
	route_call_number(request->coll, false);
	return request;
}

int route_coll_post(const struct route_call *call, struct route_companion *also,
		    MPI_Request *handle)
{
	struct route_request *request = request_make(call);
	int rc = MPI_ERR_NO_MEM;

	if (request) {
		request->coll->also = also;
		rc = route_coll_start(request->coll, true);
	}
	if (rc == MPI_SUCCESS) {
		request->active = true;
		*handle = request->handle;
	} else if (request) {
		route_request_release(request);
	}
	return route_error(call->comm, rc);
}

int route_coll_init(const struct route_call *call, MPI_Request *handle)
{
	struct route_request *request = request_make(call);

	if (!request)
		return route_error(call->comm, MPI_ERR_NO_MEM);
	request->persistent = true;
	request->buffer.type = MPI_BYTE;
	*handle = request->handle;
	return MPI_SUCCESS;
}
