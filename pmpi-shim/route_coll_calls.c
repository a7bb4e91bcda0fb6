/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * MPI's collective calls, each in three forms, blocking, non-blocking and
 * persistent, and each of these with counts of two widths.
 */
#include "pmpi-shim/route_coll.h"

/* What a call sends or receives: one block, or one for each process, */
static inline struct route_side one(const void *buf, MPI_Count count,
				    MPI_Datatype type)
{
	return (struct route_side){ .address = (void *)(uintptr_t)buf,
				    .count = count,
				    .type = type };
}

static inline struct route_side each(const void *buf, MPI_Count count,
				     MPI_Datatype type)
{
	return (struct route_side){ .address = (void *)(uintptr_t)buf,
				    .count = count,
				    .type = type,
				    .many = true };
}

/* with a count of its own, and perhaps a type. */
static inline struct route_side
differ(const void *buf, struct shim_counts counts, struct route_displs displs,
       MPI_Datatype type, const MPI_Datatype *types)
{
	return (struct route_side){ .address = (void *)(uintptr_t)buf,
				    .type = type,
				    .many = true,
				    .counts = counts,
				    .displs = displs,
				    .types = types };
}

#define VARY(buf, counts, displs, type) \
	differ(buf, shim_counts(counts), ROUTE_DISPLS(displs), type, NULL)
#define MIXED(buf, counts, displs, types)                      \
	differ(buf, shim_counts(counts), ROUTE_DISPLS(displs), \
	       MPI_DATATYPE_NULL, types)
#define NONE one(NULL, 0, MPI_DATATYPE_NULL)

/* The parts that a reduce-scatter gives to each. */
static inline struct route_side parts(void *buf, struct shim_counts counts,
				      MPI_Datatype type)
{
	return (struct route_side){ .address = buf,
				    .type = type,
				    .counts = counts };
}

static inline struct route_call make(enum route_kind kind, MPI_Comm comm,
				     int root, MPI_Op op, struct route_side out,
				     struct route_side in)
{
	return (struct route_call){ .kind = kind,
				    .comm = comm,
				    .root = root,
				    .op = op,
				    .out = out,
				    .in = in };
}

/*
 * NAME and its other forms, INAME and NAME_init.  What is not for the engine
 * MPI gets as it is.
 */
#define LIST(...) __VA_ARGS__
#define FORMS(NAME, INAME, C, PARAMS, ARGS, CALL)                              \
	static int NAME##C(LIST PARAMS)                                        \
	{                                                                      \
		struct route_call call = CALL;                                 \
                                                                               \
		call.name = "MPI_" #NAME #C;                                   \
		if (!route_call_fits(&call))                                   \
			return REAL(NAME##C)(LIST ARGS);                       \
		return route_coll_run(&call);                                  \
	}                                                                      \
	static int INAME##C(LIST PARAMS, MPI_Request *request)                 \
	{                                                                      \
		struct route_call call = CALL;                                 \
                                                                               \
		call.name = "MPI_" #INAME #C;                                  \
		if (!request || !route_call_fits(&call))                       \
			return REAL(INAME##C)(LIST ARGS, request);             \
		return route_coll_post(&call, NULL, request);                  \
	}                                                                      \
	static int NAME##_init##C(LIST PARAMS, MPI_Info info,                  \
				  MPI_Request *request)                        \
	{                                                                      \
		struct route_call call = CALL;                                 \
                                                                               \
		call.name = "MPI_" #NAME "_init" #C;                           \
		if (!request || !route_call_fits(&call))                       \
			return REAL(NAME##_init##C)(LIST ARGS, info, request); \
		return route_coll_init(&call, request);                        \
	}

FORMS(Barrier, Ibarrier, , (MPI_Comm comm), (comm),
      make(ROUTE_BARRIER, comm, 0, MPI_OP_NULL, NONE, NONE))

/* N: the type of counts, D: of displacements; C: how the names end. */
#define ALL_OF(N, D, C)                                                        \
	FORMS(Bcast, Ibcast, C,                                                \
	      (void *buf, N count, MPI_Datatype type, int root,                \
	       MPI_Comm comm),                                                 \
	      (buf, count, type, root, comm),                                  \
	      make(ROUTE_BCAST, comm, root, MPI_OP_NULL, NONE,                 \
		   one(buf, count, type)))                                     \
	FORMS(Gather, Igather, C,                                              \
	      (const void *sbuf, N scount, MPI_Datatype stype, void *rbuf,     \
	       N rcount, MPI_Datatype rtype, int root, MPI_Comm comm),         \
	      (sbuf, scount, stype, rbuf, rcount, rtype, root, comm),          \
	      make(ROUTE_GATHER, comm, root, MPI_OP_NULL,                      \
		   one(sbuf, scount, stype), each(rbuf, rcount, rtype)))       \
	FORMS(Gatherv, Igatherv, C,                                            \
	      (const void *sbuf, N scount, MPI_Datatype stype, void *rbuf,     \
	       const N rcounts[], const D rdispls[], MPI_Datatype rtype,       \
	       int root, MPI_Comm comm),                                       \
	      (sbuf, scount, stype, rbuf, rcounts, rdispls, rtype, root,       \
	       comm),                                                          \
	      make(ROUTE_GATHER, comm, root, MPI_OP_NULL,                      \
		   one(sbuf, scount, stype),                                   \
		   VARY(rbuf, rcounts, rdispls, rtype)))                       \
	FORMS(Scatter, Iscatter, C,                                            \
	      (const void *sbuf, N scount, MPI_Datatype stype, void *rbuf,     \
	       N rcount, MPI_Datatype rtype, int root, MPI_Comm comm),         \
	      (sbuf, scount, stype, rbuf, rcount, rtype, root, comm),          \
	      make(ROUTE_SCATTER, comm, root, MPI_OP_NULL,                     \
		   each(sbuf, scount, stype), one(rbuf, rcount, rtype)))       \
	FORMS(Scatterv, Iscatterv, C,                                          \
	      (const void *sbuf, const N scounts[], const D sdispls[],         \
	       MPI_Datatype stype, void *rbuf, N rcount, MPI_Datatype rtype,   \
	       int root, MPI_Comm comm),                                       \
	      (sbuf, scounts, sdispls, stype, rbuf, rcount, rtype, root,       \
	       comm),                                                          \
	      make(ROUTE_SCATTER, comm, root, MPI_OP_NULL,                     \
		   VARY(sbuf, scounts, sdispls, stype),                        \
		   one(rbuf, rcount, rtype)))                                  \
	FORMS(Allgather, Iallgather, C,                                        \
	      (const void *sbuf, N scount, MPI_Datatype stype, void *rbuf,     \
	       N rcount, MPI_Datatype rtype, MPI_Comm comm),                   \
	      (sbuf, scount, stype, rbuf, rcount, rtype, comm),                \
	      make(ROUTE_ALLGATHER, comm, 0, MPI_OP_NULL,                      \
		   one(sbuf, scount, stype), each(rbuf, rcount, rtype)))       \
	FORMS(Allgatherv, Iallgatherv, C,                                      \
	      (const void *sbuf, N scount, MPI_Datatype stype, void *rbuf,     \
	       const N rcounts[], const D rdispls[], MPI_Datatype rtype,       \
	       MPI_Comm comm),                                                 \
	      (sbuf, scount, stype, rbuf, rcounts, rdispls, rtype, comm),      \
	      make(ROUTE_ALLGATHER, comm, 0, MPI_OP_NULL,                      \
		   one(sbuf, scount, stype),                                   \
		   VARY(rbuf, rcounts, rdispls, rtype)))                       \
	FORMS(Alltoall, Ialltoall, C,                                          \
	      (const void *sbuf, N scount, MPI_Datatype stype, void *rbuf,     \
	       N rcount, MPI_Datatype rtype, MPI_Comm comm),                   \
	      (sbuf, scount, stype, rbuf, rcount, rtype, comm),                \
	      make(ROUTE_ALLTOALL, comm, 0, MPI_OP_NULL,                       \
		   each(sbuf, scount, stype), each(rbuf, rcount, rtype)))      \
	FORMS(Alltoallv, Ialltoallv, C,                                        \
	      (const void *sbuf, const N scounts[], const D sdispls[],         \
	       MPI_Datatype stype, void *rbuf, const N rcounts[],              \
	       const D rdispls[], MPI_Datatype rtype, MPI_Comm comm),          \
	      (sbuf, scounts, sdispls, stype, rbuf, rcounts, rdispls, rtype,   \
	       comm),                                                          \
	      make(ROUTE_ALLTOALL, comm, 0, MPI_OP_NULL,                       \
		   VARY(sbuf, scounts, sdispls, stype),                        \
		   VARY(rbuf, rcounts, rdispls, rtype)))                       \
	FORMS(Alltoallw, Ialltoallw, C,                                        \
	      (const void *sbuf, const N scounts[], const D sdispls[],         \
	       const MPI_Datatype stypes[], void *rbuf, const N rcounts[],     \
	       const D rdispls[], const MPI_Datatype rtypes[], MPI_Comm comm), \
	      (sbuf, scounts, sdispls, stypes, rbuf, rcounts, rdispls, rtypes, \
	       comm),                                                          \
	      make(ROUTE_ALLTOALL, comm, 0, MPI_OP_NULL,                       \
		   MIXED(sbuf, scounts, sdispls, stypes),                      \
		   MIXED(rbuf, rcounts, rdispls, rtypes)))                     \
	FORMS(Reduce, Ireduce, C,                                              \
	      (const void *sbuf, void *rbuf, N count, MPI_Datatype type,       \
	       MPI_Op op, int root, MPI_Comm comm),                            \
	      (sbuf, rbuf, count, type, op, root, comm),                       \
	      make(ROUTE_REDUCE, comm, root, op, one(sbuf, count, type),       \
		   one(rbuf, count, type)))                                    \
	FORMS(Allreduce, Iallreduce, C,                                        \
	      (const void *sbuf, void *rbuf, N count, MPI_Datatype type,       \
	       MPI_Op op, MPI_Comm comm),                                      \
	      (sbuf, rbuf, count, type, op, comm),                             \
	      make(ROUTE_ALLREDUCE, comm, 0, op, one(sbuf, count, type),       \
		   one(rbuf, count, type)))                                    \
	FORMS(Scan, Iscan, C,                                                  \
	      (const void *sbuf, void *rbuf, N count, MPI_Datatype type,       \
	       MPI_Op op, MPI_Comm comm),                                      \
	      (sbuf, rbuf, count, type, op, comm),                             \
	      make(ROUTE_SCAN, comm, 0, op, one(sbuf, count, type),            \
		   one(rbuf, count, type)))                                    \
	FORMS(Exscan, Iexscan, C,                                              \
	      (const void *sbuf, void *rbuf, N count, MPI_Datatype type,       \
	       MPI_Op op, MPI_Comm comm),                                      \
	      (sbuf, rbuf, count, type, op, comm),                             \
	      make(ROUTE_EXSCAN, comm, 0, op, one(sbuf, count, type),          \
		   one(rbuf, count, type)))                                    \
	FORMS(Reduce_scatter_block, Ireduce_scatter_block, C,                  \
	      (const void *sbuf, void *rbuf, N count, MPI_Datatype type,       \
	       MPI_Op op, MPI_Comm comm),                                      \
	      (sbuf, rbuf, count, type, op, comm),                             \
	      make(ROUTE_REDUCE_SCATTER, comm, 0, op, one(sbuf, 0, type),      \
		   one(rbuf, count, type)))                                    \
	FORMS(Reduce_scatter, Ireduce_scatter, C,                              \
	      (const void *sbuf, void *rbuf, const N counts[],                 \
	       MPI_Datatype type, MPI_Op op, MPI_Comm comm),                   \
	      (sbuf, rbuf, counts, type, op, comm),                            \
	      make(ROUTE_REDUCE_SCATTER, comm, 0, op, one(sbuf, 0, type),      \
		   parts(rbuf, shim_counts(counts), type)))

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
	table->MPI_Type_free = route_Type_free;
}
