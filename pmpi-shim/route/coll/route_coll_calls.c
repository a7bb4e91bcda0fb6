/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * MPI's collective calls.  Each has three forms, blocking, non-blocking and
 * persistent, and each form has counts of two widths.  A function make_NAME
 * puts the arguments into a struct route_call; the entries are generated.
 */
#include "pmpi-shim/route/base/route_forms.h"
#include "pmpi-shim/route/base/route_install.h"
#include "pmpi-shim/route/coll/route_coll.h"

/*
 * These functions fill the struct in place. Copying it in smaller parts, right
 * after it was written, takes longer than the rest of a short call. A side has
 * no block, one block, or one block for each process.
 */
static inline void none(struct route_side *side)
{
	side->type = MPI_DATATYPE_NULL;
}

static inline void one(struct route_side *side, const void *buf,
		       MPI_Count count, MPI_Datatype type)
{
	side->address = (void *)(uintptr_t)buf;
	side->count = count;
	side->type = type;
}

static inline void each(struct route_side *side, const void *buf,
			MPI_Count count, MPI_Datatype type)
{
	one(side, buf, count, type);
	side->many = true;
}

/* One block for each process, with its own count and perhaps its own type. */
static inline void differ(struct route_side *side, const void *buf,
			  struct shim_counts counts, struct route_displs displs,
			  MPI_Datatype type, const MPI_Datatype *types)
{
	each(side, buf, 0, type);
	side->counts = counts;
	side->displs = displs;
	side->types = types;
}

/* The parts that a reduce-scatter gives to each. */
static inline void parts(struct route_side *side, void *buf,
			 struct shim_counts counts, MPI_Datatype type)
{
	one(side, buf, 0, type);
	side->counts = counts;
}

static inline void make(struct route_call *call, enum route_kind kind,
			MPI_Comm comm, int root, MPI_Op op)
{
	call->kind = kind;
	call->comm = comm;
	call->root = root;
	call->op = op;
}

SHIM_INLINE void make_barrier(struct route_call *call, MPI_Comm comm)
{
	make(call, ROUTE_BARRIER, comm, 0, MPI_OP_NULL);
	none(&call->out);
	none(&call->in);
}

SHIM_INLINE void make_bcast(struct route_call *call, void *buf, MPI_Count count,
			    MPI_Datatype type, int root, MPI_Comm comm)
{
	make(call, ROUTE_BCAST, comm, root, MPI_OP_NULL);
	none(&call->out);
	one(&call->in, buf, count, type);
}

SHIM_INLINE void make_gather(struct route_call *call, const void *sbuf,
			     MPI_Count scount, MPI_Datatype stype, void *rbuf,
			     MPI_Count rcount, MPI_Datatype rtype, int root,
			     MPI_Comm comm)
{
	make(call, ROUTE_GATHER, comm, root, MPI_OP_NULL);
	one(&call->out, sbuf, scount, stype);
	each(&call->in, rbuf, rcount, rtype);
}

SHIM_INLINE void make_gatherv(struct route_call *call, const void *sbuf,
			      MPI_Count scount, MPI_Datatype stype, void *rbuf,
			      struct shim_counts rcounts,
			      struct route_displs rdispls, MPI_Datatype rtype,
			      int root, MPI_Comm comm)
{
	make(call, ROUTE_GATHER, comm, root, MPI_OP_NULL);
	one(&call->out, sbuf, scount, stype);
	differ(&call->in, rbuf, rcounts, rdispls, rtype, NULL);
}

SHIM_INLINE void make_scatter(struct route_call *call, const void *sbuf,
			      MPI_Count scount, MPI_Datatype stype, void *rbuf,
			      MPI_Count rcount, MPI_Datatype rtype, int root,
			      MPI_Comm comm)
{
	make(call, ROUTE_SCATTER, comm, root, MPI_OP_NULL);
	each(&call->out, sbuf, scount, stype);
	one(&call->in, rbuf, rcount, rtype);
}

SHIM_INLINE void make_scatterv(struct route_call *call, const void *sbuf,
			       struct shim_counts scounts,
			       struct route_displs sdispls, MPI_Datatype stype,
			       void *rbuf, MPI_Count rcount, MPI_Datatype rtype,
			       int root, MPI_Comm comm)
{
	make(call, ROUTE_SCATTER, comm, root, MPI_OP_NULL);
	differ(&call->out, sbuf, scounts, sdispls, stype, NULL);
	one(&call->in, rbuf, rcount, rtype);
}

SHIM_INLINE void make_allgather(struct route_call *call, const void *sbuf,
				MPI_Count scount, MPI_Datatype stype,
				void *rbuf, MPI_Count rcount,
				MPI_Datatype rtype, MPI_Comm comm)
{
	make(call, ROUTE_ALLGATHER, comm, 0, MPI_OP_NULL);
	one(&call->out, sbuf, scount, stype);
	each(&call->in, rbuf, rcount, rtype);
}

SHIM_INLINE void make_allgatherv(struct route_call *call, const void *sbuf,
				 MPI_Count scount, MPI_Datatype stype,
				 void *rbuf, struct shim_counts rcounts,
				 struct route_displs rdispls,
				 MPI_Datatype rtype, MPI_Comm comm)
{
	make(call, ROUTE_ALLGATHER, comm, 0, MPI_OP_NULL);
	one(&call->out, sbuf, scount, stype);
	differ(&call->in, rbuf, rcounts, rdispls, rtype, NULL);
}

SHIM_INLINE void make_alltoall(struct route_call *call, const void *sbuf,
			       MPI_Count scount, MPI_Datatype stype, void *rbuf,
			       MPI_Count rcount, MPI_Datatype rtype,
			       MPI_Comm comm)
{
	make(call, ROUTE_ALLTOALL, comm, 0, MPI_OP_NULL);
	each(&call->out, sbuf, scount, stype);
	each(&call->in, rbuf, rcount, rtype);
}

SHIM_INLINE void make_alltoallv(struct route_call *call, const void *sbuf,
				struct shim_counts scounts,
				struct route_displs sdispls, MPI_Datatype stype,
				void *rbuf, struct shim_counts rcounts,
				struct route_displs rdispls, MPI_Datatype rtype,
				MPI_Comm comm)
{
	make(call, ROUTE_ALLTOALL, comm, 0, MPI_OP_NULL);
	differ(&call->out, sbuf, scounts, sdispls, stype, NULL);
	differ(&call->in, rbuf, rcounts, rdispls, rtype, NULL);
}

SHIM_INLINE void make_alltoallw(struct route_call *call, const void *sbuf,
				struct shim_counts scounts,
				struct route_displs sdispls,
				const MPI_Datatype stypes[], void *rbuf,
				struct shim_counts rcounts,
				struct route_displs rdispls,
				const MPI_Datatype rtypes[], MPI_Comm comm)
{
	make(call, ROUTE_ALLTOALL, comm, 0, MPI_OP_NULL);
	differ(&call->out, sbuf, scounts, sdispls, MPI_DATATYPE_NULL, stypes);
	differ(&call->in, rbuf, rcounts, rdispls, MPI_DATATYPE_NULL, rtypes);
}

SHIM_INLINE void make_reduce(struct route_call *call, const void *sbuf,
			     void *rbuf, MPI_Count count, MPI_Datatype type,
			     MPI_Op op, int root, MPI_Comm comm)
{
	make(call, ROUTE_REDUCE, comm, root, op);
	one(&call->out, sbuf, count, type);
	one(&call->in, rbuf, count, type);
}

SHIM_INLINE void make_allreduce(struct route_call *call, const void *sbuf,
				void *rbuf, MPI_Count count, MPI_Datatype type,
				MPI_Op op, MPI_Comm comm)
{
	make(call, ROUTE_ALLREDUCE, comm, 0, op);
	one(&call->out, sbuf, count, type);
	one(&call->in, rbuf, count, type);
}

SHIM_INLINE void make_scan(struct route_call *call, const void *sbuf,
			   void *rbuf, MPI_Count count, MPI_Datatype type,
			   MPI_Op op, MPI_Comm comm)
{
	make(call, ROUTE_SCAN, comm, 0, op);
	one(&call->out, sbuf, count, type);
	one(&call->in, rbuf, count, type);
}

SHIM_INLINE void make_exscan(struct route_call *call, const void *sbuf,
			     void *rbuf, MPI_Count count, MPI_Datatype type,
			     MPI_Op op, MPI_Comm comm)
{
	make(call, ROUTE_EXSCAN, comm, 0, op);
	one(&call->out, sbuf, count, type);
	one(&call->in, rbuf, count, type);
}

SHIM_INLINE void make_reduce_scatter_block(struct route_call *call,
					   const void *sbuf, void *rbuf,
					   MPI_Count count, MPI_Datatype type,
					   MPI_Op op, MPI_Comm comm)
{
	make(call, ROUTE_REDUCE_SCATTER, comm, 0, op);
	one(&call->out, sbuf, 0, type);
	one(&call->in, rbuf, count, type);
}

SHIM_INLINE void make_reduce_scatter(struct route_call *call, const void *sbuf,
				     void *rbuf, struct shim_counts counts,
				     MPI_Datatype type, MPI_Op op,
				     MPI_Comm comm)
{
	make(call, ROUTE_REDUCE_SCATTER, comm, 0, op);
	one(&call->out, sbuf, 0, type);
	parts(&call->in, rbuf, counts, type);
}

/*
 * The three forms of a call, for the entries that gen_wrappers.py writes.  They
 * return false if the call is MPI's to do, or to refuse.
 */
SHIM_INLINE bool form_run(struct route_call *call, int *rc)
{
	if (!route_call_fits(call))
		return false;
	*rc = route_coll_run(call);
	return true;
}

SHIM_INLINE bool form_post(struct route_call *call, int *rc,
			   MPI_Request *request)
{
	if (!request || !route_call_fits(call))
		return false;
	*rc = route_coll_post(call, NULL, request);
	return true;
}

SHIM_INLINE bool form_init(struct route_call *call, int *rc, MPI_Info info,
			   MPI_Request *request)
{
	if (!request || !abi_info_is_one(info) || !route_call_fits(call))
		return false;
	*rc = route_coll_init(call, request);
	return true;
}

ROUTE_COLL(Barrier, make_barrier)
ROUTE_COLL(Bcast, make_bcast)
ROUTE_COLL(Gather, make_gather)
ROUTE_COLL(Gatherv, make_gatherv)
ROUTE_COLL(Scatter, make_scatter)
ROUTE_COLL(Scatterv, make_scatterv)
ROUTE_COLL(Allgather, make_allgather)
ROUTE_COLL(Allgatherv, make_allgatherv)
ROUTE_COLL(Alltoall, make_alltoall)
ROUTE_COLL(Alltoallv, make_alltoallv)
ROUTE_COLL(Alltoallw, make_alltoallw)
ROUTE_COLL(Reduce, make_reduce)
ROUTE_COLL(Allreduce, make_allreduce)
ROUTE_COLL(Scan, make_scan)
ROUTE_COLL(Exscan, make_exscan)
ROUTE_COLL(Reduce_scatter_block, make_reduce_scatter_block)
ROUTE_COLL(Reduce_scatter, make_reduce_scatter)

void route_coll_install(struct shim_pmpi *table)
{
	route_coll_blocked();
	ROUTE_INSTALL(Barrier, table);
	ROUTE_INSTALL(Bcast, table);
	ROUTE_INSTALL(Gather, table);
	ROUTE_INSTALL(Gatherv, table);
	ROUTE_INSTALL(Scatter, table);
	ROUTE_INSTALL(Scatterv, table);
	ROUTE_INSTALL(Allgather, table);
	ROUTE_INSTALL(Allgatherv, table);
	ROUTE_INSTALL(Alltoall, table);
	ROUTE_INSTALL(Alltoallv, table);
	ROUTE_INSTALL(Alltoallw, table);
	ROUTE_INSTALL(Reduce, table);
	ROUTE_INSTALL(Allreduce, table);
	ROUTE_INSTALL(Scan, table);
	ROUTE_INSTALL(Exscan, table);
	ROUTE_INSTALL(Reduce_scatter_block, table);
	ROUTE_INSTALL(Reduce_scatter, table);
	table->MPI_Op_free = route_Op_free;
	table->MPI_Type_free = route_Type_free;
}
