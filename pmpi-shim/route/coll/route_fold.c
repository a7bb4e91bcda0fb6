/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * MPI's operations, the program's own among them: MPI applies them to what is
 * here.
 */
#include <pthread.h>
#include <stdlib.h>

#include "pmpi-shim/route/base/route_state.h"
#include "pmpi-shim/route/coll/route_coll.h"

#define OPS   16
#define TYPES 256

/* Which of the built-in operations go with which types: 0 unknown, 1, -1. */
static _Atomic signed char known[OPS][TYPES];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Freed by the program while a reduction was under way: one of the two. */
struct freed {
	struct freed *next;
	MPI_Op op;
	MPI_Datatype type;
};
static struct freed *freed;
static unsigned n_kept;

/* Asks MPI, with no elements on a communicator of this process alone. */
static bool mpi_takes(MPI_Op op, MPI_Datatype type)
{
	int in = 0;
	int out = 0;
	int rc;

	pthread_mutex_lock(&lock);
	rc = REAL(Allreduce)(&in, &out, 0, type, op, route_self);
	pthread_mutex_unlock(&lock);
	return rc == MPI_SUCCESS;
}

bool route_op_fits(MPI_Op op, MPI_Datatype type)
{
	_Atomic signed char *k;

	if (!abi_op_is_builtin(op) || !abi_type_is_builtin(type))
		return mpi_takes(op, type);
	k = &known[(unsigned)op % OPS][(unsigned)type % TYPES];
	if (!atomic_load_explicit(k, memory_order_relaxed))
		atomic_store_explicit(k, mpi_takes(op, type) ? 1 : -1,
				      memory_order_relaxed);
	return atomic_load_explicit(k, memory_order_relaxed) > 0;
}

static void run_direct(const struct coll_fold *fold, const void *in,
		       void *inout, uint64_t bytes)
{
	const struct route_coll *c = fold->arg;

	REAL(Reduce_local_c)
	(in, inout, (MPI_Count)(bytes / fold->unit), c->call->in.type,
	 c->call->op);
}

static void run_loop(const struct coll_fold *fold, const void *in, void *inout,
		     uint64_t bytes)
{
	fold->run_to(in, inout, inout, bytes);
}

/* Elements lie as in the program's memory. */
static void run_apart(const struct coll_fold *fold, const void *in, void *inout,
		      uint64_t bytes)
{
	const struct route_coll *c = fold->arg;
	const struct route_layout *layout = &c->layout;
	const MPI_Aint more = (MPI_Aint)bytes - layout->true_extent;

	REAL(Reduce_local_c)
	((const char *)in - layout->true_lb, (char *)inout - layout->true_lb,
	 fold->unit ? (MPI_Count)(bytes / fold->unit)
		    : more / layout->extent + 1,
	 c->call->in.type, c->call->op);
}

/* Whether an element and what lies behind it can be had by themselves. */
static bool layout_make(struct route_layout *layout, MPI_Datatype type)
{
	MPI_Aint lb;

	REAL(Type_get_extent)(type, &lb, &layout->extent);
	REAL(Type_get_true_extent)
	(type, &layout->true_lb, &layout->true_extent);
	if (layout->true_lb < 0 ||
	    layout->true_lb + layout->true_extent > layout->extent)
		return false;
	layout->true_lb = 0;
	return true;
}

static bool commutes(MPI_Op op)
{
	int flag = 1;

	if (!abi_op_is_builtin(op))
		REAL(Op_commutative)(op, &flag);
	return flag;
}

static uint64_t type_size(MPI_Datatype type)
{
	MPI_Count size = 0;

	if (abi_type_is_builtin(type))
		return abi_type_size(type);
	REAL(Type_size_x)(type, &size);
	return (uint64_t)size;
}

/*
 * The bytes by which MPICH chooses an algorithm. For a reduce-scatter these are
 * the bytes of all processes. For MPI_Ireduce_scatter_block, MPICH counts
 * elements instead of bytes.
 */
static uint64_t weight(const struct route_coll *c, uint64_t count)
{
	const struct route_call *call = c->call;

	if (call->kind == ROUTE_REDUCE_SCATTER && c->coll->in_background &&
	    !call->in.counts.ints && !call->in.counts.longs)
		return count;
	return count * type_size(call->in.type);
}

void route_fold_make(struct route_coll *c)
{
	const uint64_t count = (uint64_t)route_vector_count(c->call);
	const MPI_Datatype type = c->call->in.type;
	route_loop *loop = route_loop_find(c->call->op, type);
	uint64_t unit = abi_type_size(type);

	c->apart = !abi_type_is_builtin(type);
	if (c->apart)
		unit = layout_make(&c->layout, type)
			       ? (uint64_t)c->layout.extent
			       : 0;
	c->fold = (struct coll_fold){
		.run = loop       ? run_loop
		       : c->apart ? run_apart
				  : run_direct,
		.run_to = loop,
		.arg = c,
		.unit = unit,
		.count = count,
		.weight = weight(c, count),
		.predefined = abi_op_is_builtin(c->call->op),
		.commutes = commutes(c->call->op),
		.in_caller = !abi_op_is_builtin(c->call->op),
	};
}

void route_op_keep(void)
{
	pthread_mutex_lock(&lock);
	n_kept++;
	pthread_mutex_unlock(&lock);
}

static void free_all(struct freed *list)
{
	struct freed *next;

	for (; list; list = next) {
		next = list->next;
		if (list->op != MPI_OP_NULL)
			REAL(Op_free)(&list->op);
		else
			REAL(Type_free)(&list->type);
		free(list);
	}
}

void route_op_release(void)
{
	struct freed *list = NULL;

	pthread_mutex_lock(&lock);
	if (--n_kept == 0) {
		list = freed;
		freed = NULL;
	}
	pthread_mutex_unlock(&lock);
	free_all(list);
}

/* Puts it off until nothing is under way; false if nothing is. */
static bool free_later(MPI_Op op, MPI_Datatype type)
{
	struct freed *later = NULL;

	pthread_mutex_lock(&lock);
	if (n_kept)
		later = malloc(sizeof(*later));
	if (later) {
		*later = (struct freed){ freed, op, type };
		freed = later;
	}
	pthread_mutex_unlock(&lock);
	return later != NULL;
}

int route_Op_free(MPI_Op *op)
{
	if (!op || abi_op_is_builtin(*op) || *op == MPI_OP_NULL ||
	    !free_later(*op, MPI_DATATYPE_NULL))
		return REAL(Op_free)(op);
	*op = MPI_OP_NULL;
	return MPI_SUCCESS;
}

/* An operation is to see the type that it knows, and no copy. */
int route_Type_free(MPI_Datatype *type)
{
	if (!type || abi_type_is_builtin(*type) || *type == MPI_DATATYPE_NULL ||
	    !free_later(MPI_OP_NULL, *type))
		return REAL(Type_free)(type);
	*type = MPI_DATATYPE_NULL;
	return MPI_SUCCESS;
}
