/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHIM_ROUTE_COLL_H
#define SHIM_ROUTE_COLL_H

/*
 * Collectives of scheduled communicators:
 *
 *	route_coll_calls.c    MPI's functions
 *	route_call.c          a call's arguments as MPI has them (route_side.c),
 *	                      the call cache, and types that are kept
 *	route_fold.c          its operation
 *	route_coll_data.c     its bytes
 *	route_coll.c          the call on its way through the engine
 *	route_coll_request.c  its request
 */
#include "libbcs/demand/coll/coll.h"
#include "pmpi-shim/record/calls/comms.h"
#include "pmpi-shim/record/calls/transfer.h"
#include "pmpi-shim/route/p2p/route_request.h"
#include "pmpi-shim/shim.h"

/*
 * Displacements, in either width: counted in elements, or in bytes where each
 * block has its own type.
 */
struct route_displs {
	const int *ints;
	const MPI_Aint *longs;
};

#define ROUTE_DISPLS(displs) \
	_Generic((displs),                                        \
		const int *: (struct route_displs){               \
			(const int *)(displs), NULL },            \
		const MPI_Aint *: (struct route_displs){          \
			NULL, (const MPI_Aint *)(displs) })

/* One side of a call: the buffers that it sends, or those that it receives. */
struct route_side {
	void *address;
	MPI_Count count;
	MPI_Datatype type;
	bool many; /* a block for each process; else one for all */
	struct shim_counts counts; /* where blocks differ, as what follows */
	struct route_displs displs;
	const MPI_Datatype *types;
};

static inline bool route_is_in_place(const struct route_side *side)
{
	return side->address == MPI_IN_PLACE;
}

enum route_kind {
	ROUTE_BARRIER,
	ROUTE_BCAST,
	ROUTE_GATHER,
	ROUTE_SCATTER,
	ROUTE_ALLGATHER,
	ROUTE_ALLTOALL,
	ROUTE_NEIGHBORS, /* nothing but messages to and from neighbours */
	ROUTE_REDUCE,
	ROUTE_ALLREDUCE,
	ROUTE_REDUCE_SCATTER,
	ROUTE_SCAN,
	ROUTE_EXSCAN,
	ROUTE_KINDS
};

struct route_call {
	enum shim_call name;
	enum route_kind kind;
	MPI_Comm comm;
	int root;
	MPI_Op op;
	struct route_side out; /* a broadcast has `in` only */
	struct route_side in;
	struct route_comm *members;
	const struct route_cache *cached; /* that it is like; or NULL */
	bool meets; /* before a call that MPI carries (route_meet.h) */
	const struct shim_neighbors *neighbors; /* read as it is posted */
};

/*
 * Call cache: the last call of a kind, and how it was carried. A call with the
 * same arguments skips the checks and is carried the same way.
 */
struct route_cache {
	struct coll_method method; /* COLL_AUTO: there was none */
	bool own_order;            /* as coll has it */
	uint64_t bytes;            /* as route_coll has them */
	MPI_Op op;
	int root;
	MPI_Datatype types[2];
	MPI_Count counts[2];
};

/* How elements that are reduced lie in memory. */
struct route_layout {
	MPI_Aint extent;
	MPI_Aint true_lb;
	MPI_Aint true_extent;
};

/* Work that has to end before a collective's request is done: MPI_Comm_idup. */
struct route_companion {
	bool (*is_done)(struct route_companion *self);
	/* Ends finished work and frees it; returns its error class. */
	int (*end)(struct route_companion *self);
};

/* One under way. */
struct route_coll {
	const struct route_call *call;
	int32_t number; /* of the communicator's calls */
	uint32_t signature;
	uint64_t site;  /* of the call, in the program */
	uint64_t bytes; /* as all its processes have it, or 0 */
	uint32_t looks; /* in vain, */
	uint64_t since; /* and when they began */
	uint32_t waits; /* so often for long */
	struct coll *coll;
	struct coll_fold fold;
	void *out_memory; /* what travels in the place of the buffers */
	void *in_memory;
	bool keeps_types; /* copies of the program's, which may free them */
	bool keeps_op;
	MPI_Datatype *types; /* copies of arrays of them */
	bool apart;          /* elements, that is: they are reduced elsewhere */
	struct route_layout layout;
	struct route_companion *also; /* or NULL */
};

/* Checks the arguments. False: MPI has to say what is wrong with them. */
bool route_call_fits(struct route_call *call);
/* Puts a call that began into the call cache. */
void route_call_remember(const struct route_coll *c);
struct route_buffer route_side_block(const struct route_side *side, int rank);
/*
 * The bytes that each rank gives to an allgather, if all give the same; else 0.
 */
uint64_t route_part_bytes(const struct route_call *call);
/* The number of elements that a reduce-scatter gives to a rank. */
MPI_Count route_part_count(const struct route_call *call, int rank);
/* Elements of all that is reduced. */
static inline MPI_Count route_vector_count(const struct route_call *call)
{
	return call->kind == ROUTE_REDUCE_SCATTER ? call->out.count
						  : call->in.count;
}
/* Keeps copies of datatypes that the program may free. */
int route_call_keep(struct route_coll *c, struct route_call *call);
void route_call_release(struct route_coll *c);

/* route_loops.c: for what is common; or NULL. */
typedef void route_loop(const void *in, const void *inout, void *to,
			uint64_t bytes);
route_loop *route_loop_find(MPI_Op op, MPI_Datatype type);

/* route_fold.c */
bool route_op_fits(MPI_Op op, MPI_Datatype type);
void route_fold_make(struct route_coll *c);
int route_Op_free(MPI_Op *op);
int route_Type_free(MPI_Datatype *type);
/* Between them no operation or type of the program's is freed. */
void route_op_keep(void);
void route_op_release(void);

/* route_coll_data.c */
/* Fills in the blocks of c->coll, whose other fields are set.  MPI_SUCCESS or
 * an error class. */
int route_coll_data_make(struct route_coll *c);
/* Copies the result into the program's buffers.  MPI_SUCCESS or an error class.
 */
int route_coll_data_end(struct route_coll *c);

/*
 * Posts a collective. Returns MPI_SUCCESS, or an error class if it was not
 * posted.
 */
int route_coll_start(struct route_coll *c, bool in_background);
/* Whether the collective is done.  If it has waited for long, looks for peers
 * that made another call. */
bool route_coll_looks_done(struct route_coll *c);
/* Ends a collective that is done: puts the result in its place.  Returns its
 * error class. */
int route_coll_outcome(struct route_coll *c);
/* Describes what the collective waits for; false if that is not known. */
struct blocked;
bool route_coll_describe(struct blocked *b, const struct route_coll *c);

/*
 * route_mismatch_calls.c: calls of a communicator have to come in the same
 * order at all its processes.  Each gets its number, and a signature that says
 * what was called, and what before it.
 */
void route_call_number(struct route_coll *c, bool blocks);
/*
 * route_mismatch.c: a collective has waited long: gives it up if another rank
 * made a different call.
 */
void route_coll_suspect(struct route_coll *c);
/* route_mismatch_tell.c: says what was called where. */
void route_mismatch_tell(const struct route_coll *c);
/*
 * After a call: checks that each sender had as many bytes as this rank
 * expected. A longer message was an error before.
 */
void route_mismatch_sizes(const struct route_coll *c);
/*
 * After a call that went well, with BCS_STRICT=buffers: compares the datatypes
 * of this rank with those of ranks of its node.
 */
void route_mismatch_types(const struct route_coll *c);
/*
 * Answers processes of other nodes that may wait for this one, which is about
 * to end.
 */
void route_mismatch_answer(void);
/* This process makes no more calls on MPI_COMM_WORLD. */
void route_mismatch_end(void);
/* At the end, where all meet: whether they called the same there. */
void route_mismatch_check(void);

/*
 * A process of this node made another call under that number: one of those that
 * did not make the same is about to be told.
 */
bool route_mismatch_differs(uint32_t context, int32_t number,
			    uint32_t signature);

/* Lets it be told what blocking calls wait for (route_blocked.h). */
void route_coll_blocked(void);

/* The three forms of a call. */
int route_coll_run(const struct route_call *call);
int route_coll_post(const struct route_call *call, struct route_companion *also,
		    MPI_Request *request);
int route_coll_init(const struct route_call *call, MPI_Request *request);

#endif
