/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHIM_ROUTE_H
#define SHIM_ROUTE_H

/*
 * Scheduled communication: where BCS_MODE says so, the entries of the table of
 * real calls (pmpi.h) that have to do with messages lead here.  A call on a
 * communicator that is scheduled goes to the engine (libbcs/demand/engine.h),
 * one on any other, and every error in the arguments, to MPI, by REAL.  All
 * calls of one communicator take the same way, on all its members: matching
 * would be wrong else.
 */
#include <errno.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "libbcs/base/numbers.h"
#include "libbcs/demand/coll/coll_nodes.h"
#include "libbcs/demand/engine.h"
#include "pmpi-shim/mpich/handles.h"
#include "pmpi-shim/mpich/mpich.h"
#include "pmpi-shim/pmpi.h"
#include "pmpi-shim/route/route_types.h"

extern struct shim_pmpi route_real;
#define REAL(name) (*route_real.MPI_##name)

/* After MPI_Init and process_join: collective over the world. */
void route_start(void);
/* Before MPI_Finalize: collective likewise. */
void route_stop(void);

/*
 * MPI-IO calls MPI's own functions, some by their PMPI name: within, all of
 * them are MPI's.
 */
extern __thread unsigned route_native
	__attribute__((tls_model("initial-exec")));

extern struct engine route_engine;
/* Of this process alone, and nobody else's; it returns errors. */
extern MPI_Comm route_self;

/*
 * A call that posts something goes to MPI, or does more than that: so much is
 * copied, a process is woken, what came before is seen to.
 */
void route_lasts(void);
#define ROUTE_QUICK 1024 /* bytes that take next to nothing to copy */

/* What is known of a communicator that is scheduled. */
struct route_comm {
	MPI_Comm handle;  /* as long as MPI has it */
	uint32_t context; /* of its messages; collectives have the next */
	int rank;
	int size;
	struct numbers peers; /* its ranks, to the engine */
	struct coll_nodes nodes;
	_Atomic unsigned users; /* MPI, and collectives under way */
	uint32_t n_colls;
	uint32_t called;            /* signature of all of them so far */
	struct coll *_Atomic spare; /* a descriptor; or NULL */
	struct route_like *likes;   /* calls, by kind (route_call.c); or NULL */
	struct slate *slate;        /* or NULL */
};

extern struct handles route_comms;

/* NULL: it is not scheduled, or a handle of another kind. */
static inline struct route_comm *route_comm_find(MPI_Comm comm)
{
	struct route_comm **entry = handles_find(&route_comms, comm);

	return entry && *entry && (*entry)->handle == comm ? *entry : NULL;
}

int route_comms_start(void);
/* One was made; collective over its members. */
int route_comm_made(int rc, MPI_Comm comm);
void route_comm_hold(struct route_comm *comm);
void route_comm_drop(struct route_comm *comm);

/* What the engine calls a rank of the world as a peer; -1 if it is none. */
int route_peer(int world_rank);
/* Back; -1 for one of this node. */
int route_peer_world(uint32_t peer);

/* A buffer as MPI has it. */
struct route_buffer {
	void *address;
	MPI_Count count;
	MPI_Datatype type;
};

/* What is sent beside a receive: the program's buffer, or a copy to free. */
enum route_also { ROUTE_ALSO_BUFFER, ROUTE_ALSO_COPY };

/* A send or receive of the program's. */
struct route_op {
	struct op op;
	MPI_Comm comm;
	struct route_buffer buffer;
	bool keeps_type; /* a copy of the program's, which may free it */
	void *packed; /* what travels in its place; NULL: the buffer itself */
	struct route_op *also; /* the send of an MPI_Isendrecv */
};

/* Of arguments of the program's; as bytes, if its elements are that. */
static inline struct route_buffer
route_buffer_of(const void *address, MPI_Count count, MPI_Datatype type)
{
	struct route_buffer b = { (void *)(uintptr_t)address, count, type };
	uint64_t bytes;

	if (mpich_type_is_builtin(type))
		return b;
	bytes = route_type_flat_bytes(type);
	if (bytes) {
		b.count *= (MPI_Count)bytes;
		b.type = MPI_BYTE;
	}
	return b;
}

uint64_t route_buffer_bytes_slow(const struct route_buffer *buffer);

static inline uint64_t route_buffer_bytes(const struct route_buffer *buffer)
{
	if (mpich_type_is_builtin(buffer->type))
		return mpich_type_size(buffer->type) * (uint64_t)buffer->count;
	return route_buffer_bytes_slow(buffer);
}

/* Between the program's elements and bytes in a row, `got` of all of them. */
int route_pack(const struct route_buffer *from, void *to, uint64_t bytes);
int route_unpack(const struct route_buffer *to, const void *from, uint64_t got,
		 uint64_t bytes);
/* Between elements that lie apart, and others like them. */
int route_copy_typed(const void *from, void *to, MPI_Count count,
		     MPI_Datatype type);
/* MPI's class for a -errno of the engine's. */
int route_error_class(int error);

enum route_send { ROUTE_STANDARD, ROUTE_SYNCHRONOUS };

/* Whether MPI would take it; of a type that is not built in, too. */
bool route_buffer_fits_slow(const struct route_buffer *buffer);

static inline bool route_buffer_fits(const struct route_buffer *buffer)
{
	if (!mpich_type_is_builtin(buffer->type))
		return route_buffer_fits_slow(buffer);
	return buffer->count >= 0 && buffer->address != MPI_IN_PLACE &&
	       (buffer->address || buffer->count == 0);
}

/* Of a message without elements MPI looks at neither address nor type. */
static inline bool route_message_fits(const struct route_buffer *buffer)
{
	return buffer->count == 0 || route_buffer_fits(buffer);
}

/* MPICH's greatest tag on a node, and a message has to fit in a size_t. */
#define ROUTE_TAG_MAX ((1 << 28) - 1)

/* Whether the arguments are fit for the engine; the communicator, or NULL. */
static inline struct route_comm *
route_send_fits(const struct route_buffer *buffer, int dest, int tag,
		MPI_Comm comm)
{
	struct route_comm *found;

	if (route_native || dest < 0 || tag < 0 || tag > ROUTE_TAG_MAX ||
	    !route_message_fits(buffer))
		return NULL;
	found = route_comm_find(comm);
	return found && dest < found->size ? found : NULL;
}

static inline struct route_comm *
route_recv_fits(const struct route_buffer *buffer, int source, int tag,
		MPI_Comm comm)
{
	struct route_comm *found;

	if (route_native || (source < 0 && source != MPI_ANY_SOURCE) ||
	    (tag < 0 && tag != MPI_ANY_TAG) || tag > ROUTE_TAG_MAX ||
	    !route_message_fits(buffer))
		return NULL;
	found = route_comm_find(comm);
	return found && source < found->size ? found : NULL;
}

/* MPI_SUCCESS, or MPI_ERR_NO_MEM and then nothing is to be posted. */
int route_op_pack_room(struct route_op *op);

/* The place of the bytes: the buffer itself, or as many elsewhere. */
static inline int route_op_place(struct route_op *op)
{
	op->op.bytes = route_buffer_bytes(&op->buffer);
	op->packed = NULL;
	op->keeps_type = false;
	op->op.buf = op->buffer.address;
	if (mpich_type_is_builtin(op->buffer.type) || op->op.bytes == 0)
		return MPI_SUCCESS;
	return route_op_pack_room(op);
}

int route_send_make(struct route_op *op, const struct route_buffer *buffer,
		    int dest, int tag, const struct route_comm *comm,
		    enum route_send mode);

static inline int route_recv_make(struct route_op *op,
				  const struct route_buffer *buffer, int source,
				  int tag, const struct route_comm *comm)
{
	op->comm = comm->handle;
	op->buffer = *buffer;
	op->also = NULL;
	op->op.kind = OP_RECV;
	op->op.coll = NULL;
	op->op.crossed = false;
	op->op.signature = 0;
	op->op.key = (struct match_key){ comm->context,
					 source == MPI_ANY_SOURCE ? MATCH_ANY
								  : source,
					 tag == MPI_ANY_TAG ? MATCH_ANY : tag };
	return route_op_place(op);
}

/*
 * In place of a datatype one that is ours, since the program may free its own;
 * to duplicate it would call the program's functions of its attributes.
 */
int route_type_keep(MPI_Datatype *type);
/* The program may free the datatype of a receive before it is done. */
void route_op_keep_type(struct route_op *op);

static inline void route_status_empty(MPI_Status *status)
{
	if (status == MPI_STATUS_IGNORE)
		return;
	status->MPI_SOURCE = MPI_ANY_SOURCE;
	status->MPI_TAG = MPI_ANY_TAG;
	mpich_status_set(status, 0, false);
}

static inline void route_status_fill(const struct route_op *op,
				     MPI_Status *status)
{
	if (status == MPI_STATUS_IGNORE)
		return;
	if (op->op.kind == OP_SEND) {
		route_status_empty(status);
		return;
	}
	status->MPI_SOURCE = op->op.source;
	status->MPI_TAG = op->op.tag;
	mpich_status_set(status, op->op.got, op->op.error == -ECANCELED);
}

/* Of one that failed, or has more than the program's buffer. */
int route_op_end_rest(struct route_op *op);

/* It is done: fills the program's buffer; an error class of MPI. */
static inline int route_op_end(struct route_op *op, MPI_Status *status)
{
	route_status_fill(op, status);
	if (op->op.error || op->packed || op->keeps_type || op->also)
		return route_op_end_rest(op);
	return MPI_SUCCESS;
}

int route_error_tell(MPI_Comm comm, int code);

/* An error class, as the communicator's error handler has it. */
static inline int route_error(MPI_Comm comm, int code)
{
	return code == MPI_SUCCESS ? code : route_error_tell(comm, code);
}

/*
 * Requests of ours; those of MPI have other numbers.  A window of messages has
 * many: what every one of them takes lies together.
 */
struct route_request {
	struct route_op op;
	MPI_Request handle;
	bool persistent;
	bool active;
	bool buffered;
	bool ended;              /* MPI_Request_get_status told the outcome */
	void *copy;              /* of an MPI_Bsend; freed with it */
	struct route_coll *coll; /* that it is for, and no message; or NULL */
	/* That it may outlive: a persistent one, or a message that was taken.
	 */
	struct route_comm *members;
	_Atomic uint32_t next_unused;

	int error;
	struct route_request *next;
	enum route_send mode; /* of a persistent one, as what follows */
	bool is_send;
	struct route_buffer buffer;
	int peer;
	int tag;
};

static inline bool route_is_ours(MPI_Request request)
{
	return mpich_request_is_ours(request);
}

#define ROUTE_REQUEST_BLOCK  1024u
#define ROUTE_REQUEST_BLOCKS 16384u
extern struct route_request *_Atomic route_request_blocks[ROUTE_REQUEST_BLOCKS];

/* A send whose buffer was the program's again at once; nobody writes to it. */
extern struct route_request route_request_sent;

static inline uint32_t route_request_number(MPI_Request handle)
{
	return (uint32_t)handle - (uint32_t)MPI_REQUEST_NULL - 1;
}

static inline struct route_request *route_request_at(uint32_t n)
{
	/* Orders a block's being there before what is in it. */
	return &atomic_load_explicit(
		&route_request_blocks[n / ROUTE_REQUEST_BLOCK],
		memory_order_acquire)[n % ROUTE_REQUEST_BLOCK];
}

static inline struct route_request *route_request_get(MPI_Request handle)
{
	return handle == MPICH_REQUEST_DONE
		       ? &route_request_sent
		       : route_request_at(route_request_number(handle));
}

/* The request or message of ours of that handle; NULL: there never was one. */
static inline struct route_request *route_request_find(MPI_Request handle)
{
	const uint32_t n = route_request_number(handle);

	if (!route_is_ours(handle))
		return NULL;
	if (handle == MPICH_REQUEST_DONE)
		return &route_request_sent;
	if (n >= ROUTE_REQUEST_BLOCK * ROUTE_REQUEST_BLOCKS ||
	    !atomic_load_explicit(
		    &route_request_blocks[n / ROUTE_REQUEST_BLOCK],
		    memory_order_acquire))
		return NULL;
	return route_request_at(n);
}

/*
 * Whether it is a request of ours: a handle that was completed or freed, or is
 * a message's, MPI refuses, as any number that it did not give.
 */
static inline bool route_request_is_live(MPI_Request handle)
{
	const struct route_request *r = route_request_find(handle);

	return r && (r->active || r->persistent);
}

/* A receive of MPI's that is never done. */
extern MPI_Request route_never;

/* NULL if there is no memory. */
struct route_request *route_request_new(void);
void route_request_release(struct route_request *request);
/* A request that nobody will ask for: released when it is done. */
void route_request_leave(struct route_request *request);
bool route_request_is_done(struct route_request *request);
/* Whether it is done, or a persistent one that was not started. */
static inline bool route_request_is_ready(MPI_Request handle)
{
	struct route_request *r = route_request_get(handle);

	if (!r->active || r->ended)
		return true;
	return r->coll || r->op.also ? route_request_is_done(r)
				     : op_is_done(&r->op.op);
}

/* Of a message: as engine_is_soon. */
bool route_request_is_soon(MPI_Request handle);

void route_request_await(MPI_Request handle);
/*
 * Whose handler its errors are for: if its own communicator was freed, whose
 * handle another may have by now, that of MPI_COMM_WORLD.
 */
MPI_Comm route_request_comm(const struct route_request *request);
/*
 * It is ready: what it came to, and if that is an error whose it is, unless
 * `whose` is NULL; the handle is null then, or can be started.
 */
int route_request_finish(MPI_Request *handle, MPI_Status *status,
			 MPI_Comm *whose);
/* As MPI_Wait. */
int route_request_wait(MPI_Request *request, MPI_Status *status);

/* A thread looked in vain: ours and MPI's get on. */
void route_help(void);
/*
 * The same, and what came before this call is received.  True if there was
 * something, so that another look may find it; `ready` and `soon` are as for
 * engine_settle.
 */
bool route_catch_up(bool (*ready)(void *arg), bool (*soon)(void *arg),
		    void *arg);
/*
 * MPI takes all that came for it.  A barrier of ours overtakes MPI's messages,
 * so that MPI may be asked for something that its own barrier would have
 * brought along.
 */
void route_settle(void);
/* Settles if MPI's answer was no, which is true then: ask again. */
bool route_said_no(int rc, const int *flag);
/* MPI's alone. */
void route_poke(void);

/* Looks which of those are done. */
void route_requests_sweep(void);
bool route_requests_are_left(void);

/* An MPI_Bsend: the send is filled in, and posted with a copy of its bytes. */
int route_bsend_start(struct route_request *request);
int route_bsend(const struct route_buffer *buffer, int dest, int tag,
		const struct route_comm *comm);
void route_bsend_done(struct route_request *request);

/* Fill in their entries of the table. */
void route_send_install(struct shim_pmpi *table);
void route_recv_install(struct shim_pmpi *table);
void route_probe_install(struct shim_pmpi *table);
void route_persistent_install(struct shim_pmpi *table);
void route_complete_install(struct shim_pmpi *table);
void route_many_install(struct shim_pmpi *table);
void route_comms_install(struct shim_pmpi *table);
void route_coll_install(struct shim_pmpi *table);
void route_windows_install(struct shim_pmpi *table);
void route_native_install(struct shim_pmpi *table);
void route_attrs_install(struct shim_pmpi *table);

/* At the begin of MPI_Finalize: the attributes of MPI_COMM_SELF. */
void route_attrs_delete(void);

/* Whether the program has windows of MPI's. */
bool route_windows_are_there(void);

/* route_tree.c: BCS_TREE, for all processes of the node. */
void route_trees_start(MPI_Comm node);

#endif
