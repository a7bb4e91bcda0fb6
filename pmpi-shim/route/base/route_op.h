/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHIM_ROUTE_OP_H
#define SHIM_ROUTE_OP_H

/*
 * Messages between MPI's terms and the engine's: buffers of datatypes and bytes
 * in a row, arguments and descriptors, outcomes, statuses and error classes.
 */
#include <errno.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "abi.h"
#include "mds/mmds/path.h"
#include "pmpi-shim/route/base/route_comm.h"
#include "pmpi-shim/route/base/route_state.h"
#include "pmpi-shim/route/base/route_types.h"
#include "pmpi-shim/route/route.h"

/* A buffer as MPI has it. */
struct route_buffer {
	void *address;
	MPI_Count count;
	MPI_Datatype type;
	uint32_t signature; /* if the type is or was not built in */
};

/*
 * The bytes that an MPI_Isendrecv sends: the program's buffer, or a copy to
 * free.
 */
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

/* The program's buffer, as bytes if its elements are one block of bytes. */
static inline struct route_buffer
route_buffer_of(const void *address, MPI_Count count, MPI_Datatype type)
{
	struct route_buffer b = { (void *)(uintptr_t)address, count, type, 0 };
	struct route_type is;

	if (abi_type_is_builtin(type))
		return b;
	is = route_type_look(type);
	b.signature = is.signature;
	if (is.bytes) {
		b.count *= (MPI_Count)is.bytes;
		b.type = MPI_BYTE;
	}
	return b;
}

/* The signature of the buffer's elements; 0 fits all. */
static inline uint32_t route_buffer_signature(const struct route_buffer *buffer)
{
	return buffer->signature ? buffer->signature
				 : route_type_signature(buffer->type);
}

uint64_t route_buffer_bytes_slow(const struct route_buffer *buffer);

static inline uint64_t route_buffer_bytes(const struct route_buffer *buffer)
{
	if (abi_type_is_builtin(buffer->type))
		return abi_type_size(buffer->type) * (uint64_t)buffer->count;
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
	if (!abi_type_is_builtin(buffer->type))
		return route_buffer_fits_slow(buffer);
	return buffer->count >= 0 && buffer->address != MPI_IN_PLACE &&
	       (buffer->address || buffer->count == 0);
}

/* MPI looks at neither address nor type of a message without elements. */
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
	if (abi_type_is_builtin(op->buffer.type) || op->op.bytes == 0)
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
	op->op.both_ways = false;
	op->op.signature = route_buffer_signature(buffer);
	op->op.key = (struct match_key){ comm->context,
					 source == MPI_ANY_SOURCE ? MATCH_ANY
								  : source,
					 tag == MPI_ANY_TAG ? MATCH_ANY : tag };
	return route_op_place(op);
}

/*
 * Replaces a datatype by one of our own, since the program may free its own.
 * MPI_Type_dup would call the program's attribute functions.
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
	abi_status_set(status, 0, false);
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
	abi_status_set(status, op->op.got, op->op.error == -ECANCELED);
}

/*
 * A receive got another datatype than it has.  That is a finding about the call
 * that made `request`, or, if that is null, about this one.  The error of the
 * operation is cleared.
 */
void route_op_unlike(struct route_op *op, MPI_Request request);

/* Ends an operation that failed, was packed or has a send beside it. */
int route_op_end_rest(struct route_op *op);

/*
 * Ends a finished operation: fills the program's buffer and the status. Returns
 * an error class of MPI.
 */
static inline int route_op_end(struct route_op *op, MPI_Status *status)
{
	route_status_fill(op, status);
	if (op->op.kind == OP_RECV && !op->op.error)
		path_join(op->op.path);
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

#endif
