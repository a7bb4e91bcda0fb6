/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * MPI's collective calls, each in three forms, blocking, non-blocking and
 * persistent, and each of these with counts of two widths.
 */
#include "pmpi-shim/route/route_coll.h"

/*
 * These write where it stays, for to copy what was just written in smaller
 * parts takes longer than the rest of a short call.  What a call sends or
 * receives is nothing, one block, or one for each process,
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

/* with a count of its own, and perhaps a type. */
static inline void differ(struct route_side *side, const void *buf,
			  struct shim_counts counts, struct route_displs displs,
			  MPI_Datatype type, const MPI_Datatype *types)
{
	each(side, buf, 0, type);
	side->counts = counts;
	side->displs = displs;
	side->types = types;
}

#define VARY(side, buf, counts, displs, type) \
	differ(side, buf, shim_counts(counts), ROUTE_DISPLS(displs), type, NULL)
#define MIXED(side, buf, counts, displs, types)                      \
	differ(side, buf, shim_counts(counts), ROUTE_DISPLS(displs), \
	       MPI_DATATYPE_NULL, types)

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

/*
 * NAME and its other forms, INAME and NAME_init.  What is not for the engine
 * MPI gets as it is.
 */
#define LIST(...) __VA_ARGS__
#define FORMS(NAME, INAME, C, PARAMS, ARGS, CALL)                              \
	static int NAME##C(LIST PARAMS)                                        \
	{                                                                      \
		struct route_call call = { .name = SHIM_MPI_##NAME##C };       \
                                                                               \
		CALL;                                                          \
		if (!route_call_fits(&call))                                   \
			return REAL(NAME##C)(LIST ARGS);                       \
		return route_coll_run(&call);                                  \
	}                                                                      \
	static int INAME##C(LIST PARAMS, MPI_Request *request)                 \
	{                                                                      \
		struct route_call call = { .name = SHIM_MPI_##INAME##C };      \
                                                                               \
		CALL;                                                          \
		if (!request || !route_call_fits(&call))                       \
			return REAL(INAME##C)(LIST ARGS, request);             \
		return route_coll_post(&call, NULL, request);                  \
	}                                                                      \
	static int NAME##_init##C(LIST PARAMS, MPI_Info info,                  \
				  MPI_Request *request)                        \
	{                                                                      \
		struct route_call call = {                                     \
			.name = SHIM_MPI_##NAME##_init##C                      \
		};                                                             \
                                                                               \
		CALL;                                                          \
		if (!request || !mpich_info_is_one(info) ||                    \
		    !route_call_fits(&call))                                   \
			return REAL(NAME##_init##C)(LIST ARGS, info, request); \
		return route_coll_init(&call, request);                        \
	}

FORMS(Barrier, Ibarrier, , (MPI_Comm comm), (comm),
      make(&call, ROUTE_BARRIER, comm, 0, MPI_OP_NULL);
      none(&call.out); none(&call.in))

/* N: the type of counts, D: of displacements; C: how the names end. */
#define ALL_OF(N, D, C)                                                        \
	FORMS(Bcast, Ibcast, C,                                                \
	      (void *buf, N count, MPI_Datatype type, int root,                \
	       MPI_Comm comm),                                                 \
	      (buf, count, type, root, comm),                                  \
	      make(&call, ROUTE_BCAST, comm, root, MPI_OP_NULL);               \
	      none(&call.out); one(&call.in, buf, count, type))                \
	FORMS(Gather, Igather, C,                                              \
	      (const void *sbuf, N scount, MPI_Datatype stype, void *rbuf,     \
	       N rcount, MPI_Datatype rtype, int root, MPI_Comm comm),         \
	      (sbuf, scount, stype, rbuf, rcount, rtype, root, comm),          \
	      make(&call, ROUTE_GATHER, comm, root, MPI_OP_NULL);              \
	      one(&call.out, sbuf, scount, stype);                             \
	      each(&call.in, rbuf, rcount, rtype))                             \
	FORMS(Gatherv, Igatherv, C,                                            \
	      (const void *sbuf, N scount, MPI_Datatype stype, void *rbuf,     \
	       const N rcounts[], const D rdispls[], MPI_Datatype rtype,       \
	       int root, MPI_Comm comm),                                       \
	      (sbuf, scount, stype, rbuf, rcounts, rdispls, rtype, root,       \
	       comm),                                                          \
	      make(&call, ROUTE_GATHER, comm, root, MPI_OP_NULL);              \
	      one(&call.out, sbuf, scount, stype);                             \
	      VARY(&call.in, rbuf, rcounts, rdispls, rtype))                   \
	FORMS(Scatter, Iscatter, C,                                            \
	      (const void *sbuf, N scount, MPI_Datatype stype, void *rbuf,     \
	       N rcount, MPI_Datatype rtype, int root, MPI_Comm comm),         \
	      (sbuf, scount, stype, rbuf, rcount, rtype, root, comm),          \
	      make(&call, ROUTE_SCATTER, comm, root, MPI_OP_NULL);             \
	      each(&call.out, sbuf, scount, stype);                            \
	      one(&call.in, rbuf, rcount, rtype))                              \
	FORMS(Scatterv, Iscatterv, C,                                          \
	      (const void *sbuf, const N scounts[], const D sdispls[],         \
	       MPI_Datatype stype, void *rbuf, N rcount, MPI_Datatype rtype,   \
	       int root, MPI_Comm comm),                                       \
	      (sbuf, scounts, sdispls, stype, rbuf, rcount, rtype, root,       \
	       comm),                                                          \
	      make(&call, ROUTE_SCATTER, comm, root, MPI_OP_NULL);             \
	      VARY(&call.out, sbuf, scounts, sdispls, stype);                  \
	      one(&call.in, rbuf, rcount, rtype))                              \
	FORMS(Allgather, Iallgather, C,                                        \
	      (const void *sbuf, N scount, MPI_Datatype stype, void *rbuf,     \
	       N rcount, MPI_Datatype rtype, MPI_Comm comm),                   \
	      (sbuf, scount, stype, rbuf, rcount, rtype, comm),                \
	      make(&call, ROUTE_ALLGATHER, comm, 0, MPI_OP_NULL);              \
	      one(&call.out, sbuf, scount, stype);                             \
	      each(&call.in, rbuf, rcount, rtype))                             \
	FORMS(Allgatherv, Iallgatherv, C,                                      \
	      (const void *sbuf, N scount, MPI_Datatype stype, void *rbuf,     \
	       const N rcounts[], const D rdispls[], MPI_Datatype rtype,       \
	       MPI_Comm comm),                                                 \
	      (sbuf, scount, stype, rbuf, rcounts, rdispls, rtype, comm),      \
	      make(&call, ROUTE_ALLGATHER, comm, 0, MPI_OP_NULL);              \
	      one(&call.out, sbuf, scount, stype);                             \
	      VARY(&call.in, rbuf, rcounts, rdispls, rtype))                   \
	FORMS(Alltoall, Ialltoall, C,                                          \
	      (const void *sbuf, N scount, MPI_Datatype stype, void *rbuf,     \
	       N rcount, MPI_Datatype rtype, MPI_Comm comm),                   \
	      (sbuf, scount, stype, rbuf, rcount, rtype, comm),                \
	      make(&call, ROUTE_ALLTOALL, comm, 0, MPI_OP_NULL);               \
	      each(&call.out, sbuf, scount, stype);                            \
	      each(&call.in, rbuf, rcount, rtype))                             \
	FORMS(Alltoallv, Ialltoallv, C,                                        \
	      (const void *sbuf, const N scounts[], const D sdispls[],         \
	       MPI_Datatype stype, void *rbuf, const N rcounts[],              \
	       const D rdispls[], MPI_Datatype rtype, MPI_Comm comm),          \
	      (sbuf, scounts, sdispls, stype, rbuf, rcounts, rdispls, rtype,   \
	       comm),                                                          \
	      make(&call, ROUTE_ALLTOALL, comm, 0, MPI_OP_NULL);               \
	      VARY(&call.out, sbuf, scounts, sdispls, stype);                  \
	      VARY(&call.in, rbuf, rcounts, rdispls, rtype))                   \
	FORMS(Alltoallw, Ialltoallw, C,                                        \
	      (const void *sbuf, const N scounts[], const D sdispls[],         \
	       const MPI_Datatype stypes[], void *rbuf, const N rcounts[],     \
	       const D rdispls[], const MPI_Datatype rtypes[], MPI_Comm comm), \
	      (sbuf, scounts, sdispls, stypes, rbuf, rcounts, rdispls, rtypes, \
	       comm),                                                          \
	      make(&call, ROUTE_ALLTOALL, comm, 0, MPI_OP_NULL);               \
	      MIXED(&call.out, sbuf, scounts, sdispls, stypes);                \
	      MIXED(&call.in, rbuf, rcounts, rdispls, rtypes))                 \
	FORMS(Reduce, Ireduce, C,                                              \
	      (const void *sbuf, void *rbuf, N count, MPI_Datatype type,       \
	       MPI_Op op, int root, MPI_Comm comm),                            \
	      (sbuf, rbuf, count, type, op, root, comm),                       \
	      make(&call, ROUTE_REDUCE, comm, root, op);                       \
	      one(&call.out, sbuf, count, type);                               \
	      one(&call.in, rbuf, count, type))                                \
	FORMS(Allreduce, Iallreduce, C,                                        \
	      (const void *sbuf, void *rbuf, N count, MPI_Datatype type,       \
	       MPI_Op op, MPI_Comm comm),                                      \
	      (sbuf, rbuf, count, type, op, comm),                             \
	      make(&call, ROUTE_ALLREDUCE, comm, 0, op);                       \
	      one(&call.out, sbuf, count, type);                               \
	      one(&call.in, rbuf, count, type))                                \
	FORMS(Scan, Iscan, C,                                                  \
	      (const void *sbuf, void *rbuf, N count, MPI_Datatype type,       \
	       MPI_Op op, MPI_Comm comm),                                      \
	      (sbuf, rbuf, count, type, op, comm),                             \
	      make(&call, ROUTE_SCAN, comm, 0, op);                            \
	      one(&call.out, sbuf, count, type);                               \
	      one(&call.in, rbuf, count, type))                                \
	FORMS(Exscan, Iexscan, C,                                              \
	      (const void *sbuf, void *rbuf, N count, MPI_Datatype type,       \
	       MPI_Op op, MPI_Comm comm),                                      \
	      (sbuf, rbuf, count, type, op, comm),                             \
	      make(&call, ROUTE_EXSCAN, comm, 0, op);                          \
	      one(&call.out, sbuf, count, type);                               \
	      one(&call.in, rbuf, count, type))                                \
	FORMS(Reduce_scatter_block, Ireduce_scatter_block, C,                  \
	      (const void *sbuf, void *rbuf, N count, MPI_Datatype type,       \
	       MPI_Op op, MPI_Comm comm),                                      \
	      (sbuf, rbuf, count, type, op, comm),                             \
	      make(&call, ROUTE_REDUCE_SCATTER, comm, 0, op);                  \
	      one(&call.out, sbuf, 0, type); one(&call.in, rbuf, count, type)) \
	FORMS(Reduce_scatter, Ireduce_scatter, C,                              \
	      (const void *sbuf, void *rbuf, const N counts[],                 \
	       MPI_Datatype type, MPI_Op op, MPI_Comm comm),                   \
	      (sbuf, rbuf, counts, type, op, comm),                            \
	      make(&call, ROUTE_REDUCE_SCATTER, comm, 0, op);                  \
	      one(&call.out, sbuf, 0, type);                                   \
	      parts(&call.in, rbuf, shim_counts(counts), type))

ALL_OF(int, int, )
ALL_OF(MPI_Count, MPI_Aint, _c)

void route_coll_install(struct shim_pmpi *table)
{
#define INSTALL(NAME, INAME, C)           \
	table->MPI_##NAME##C = NAME##C;   \
	table->MPI_##INAME##C = INAME##C; \
	table->MPI_##NAME##_init##C = NAME##_init##C
#define BOTH(NAME, INAME)       \
	INSTALL(NAME, INAME, ); \
	INSTALL(NAME, INAME, _c)

	INSTALL(Barrier, Ibarrier, );
	BOTH(Bcast, Ibcast);
	BOTH(Gather, Igather);
	BOTH(Gatherv, Igatherv);
	BOTH(Scatter, Iscatter);
	BOTH(Scatterv, Iscatterv);
	BOTH(Allgather, Iallgather);
	BOTH(Allgatherv, Iallgatherv);
	BOTH(Alltoall, Ialltoall);
	BOTH(Alltoallv, Ialltoallv);
	BOTH(Alltoallw, Ialltoallw);
	BOTH(Reduce, Ireduce);
	BOTH(Allreduce, Iallreduce);
	BOTH(Scan, Iscan);
	BOTH(Exscan, Iexscan);
	BOTH(Reduce_scatter_block, Ireduce_scatter_block);
	BOTH(Reduce_scatter, Ireduce_scatter);
#undef BOTH
#undef INSTALL
	table->MPI_Op_free = route_Op_free;
}
