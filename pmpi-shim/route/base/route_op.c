/* SPDX-License-Identifier: BSD-3-Clause */

/* Between MPI's buffers, statuses and errors and the engine's bytes. */
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abi.h"
#include "pmpi-shim/dump/fatal.h"
#include "pmpi-shim/record/calls/comms.h"
#include "pmpi-shim/record/calls/requests.h"
#include "pmpi-shim/record/findings/findings.h"
#include "pmpi-shim/route/base/route_comm.h"
#include "pmpi-shim/route/base/route_op.h"
#include "pmpi-shim/route/base/route_state.h"

static pthread_mutex_t convert_lock = PTHREAD_MUTEX_INITIALIZER;

/* MPI says so of one that was not committed, or is none. */
static bool type_fits(MPI_Datatype type)
{
	MPI_Count at = 0;
	char nothing = 0;

	return REAL(Pack_c)(&nothing, 0, type, &nothing, 0, &at, route_self) ==
	       MPI_SUCCESS;
}

/* The address may be MPI_BOTTOM for a type that begins elsewhere. */
static bool begins_at_zero(MPI_Datatype type)
{
	MPI_Aint lb = 0;
	MPI_Aint extent;

	REAL(Type_get_true_extent)(type, &lb, &extent);
	return lb == 0;
}

bool route_buffer_fits_slow(const struct route_buffer *buffer)
{
	return buffer->count >= 0 && buffer->type != MPI_DATATYPE_NULL &&
	       buffer->address != MPI_IN_PLACE && type_fits(buffer->type) &&
	       (buffer->address || buffer->count == 0 ||
		!begins_at_zero(buffer->type));
}

uint64_t route_buffer_bytes_slow(const struct route_buffer *buffer)
{
	MPI_Count size = 0;

	/* The type may be none then. */
	if (buffer->count == 0)
		return 0;
	REAL(Type_size_x)(buffer->type, &size);
	return (uint64_t)size * (uint64_t)buffer->count;
}

int route_op_pack_room(struct route_op *op)
{
	op->packed = malloc(op->op.bytes);
	op->op.buf = op->packed;
	return op->packed ? MPI_SUCCESS : MPI_ERR_NO_MEM;
}

/* MPI_Pack takes MPI_BOTTOM for a mistake; MPI sends it to itself then. */
static int pack_from_bottom(const struct route_buffer *from, void *to,
			    uint64_t bytes)
{
	int rc;

	pthread_mutex_lock(&convert_lock);
	rc = REAL(Sendrecv_c)(from->address, from->count, from->type, 0, 0, to,
			      (MPI_Count)bytes, MPI_BYTE, 0, 0, route_self,
			      MPI_STATUS_IGNORE);
	pthread_mutex_unlock(&convert_lock);
	return rc;
}

int route_pack(const struct route_buffer *from, void *to, uint64_t bytes)
{
	MPI_Count at = 0;

	if (from->address == MPI_BOTTOM)
		return pack_from_bottom(from, to, bytes);
	return REAL(Pack_c)(from->address, from->count, from->type, to,
			    (MPI_Count)bytes, &at, route_self);
}

/*
 * MPI_Unpack takes whole elements only, but a message may end within one: MPI
 * sends it to itself then.
 */
static int unpack_part(const struct route_buffer *to, const void *from,
		       uint64_t bytes)
{
	int rc;

	pthread_mutex_lock(&convert_lock);
	rc = REAL(Sendrecv_c)(from, (MPI_Count)bytes, MPI_BYTE, 0, 0,
			      to->address, to->count, to->type, 0, 0,
			      route_self, MPI_STATUS_IGNORE);
	pthread_mutex_unlock(&convert_lock);
	return rc;
}

int route_unpack(const struct route_buffer *to, const void *from, uint64_t got,
		 uint64_t bytes)
{
	MPI_Count at = 0;

	if (got == 0)
		return MPI_SUCCESS;
	if (got < bytes || to->address == MPI_BOTTOM)
		return unpack_part(to, from, got);
	return REAL(Unpack_c)(from, (MPI_Count)got, &at, to->address, to->count,
			      to->type, route_self);
}

int route_copy_typed(const void *from, void *to, MPI_Count count,
		     MPI_Datatype type)
{
	int rc;

	pthread_mutex_lock(&convert_lock);
	rc = REAL(Sendrecv_c)(from, count, type, 0, 0, to, count, type, 0, 0,
			      route_self, MPI_STATUS_IGNORE);
	pthread_mutex_unlock(&convert_lock);
	return rc;
}

int route_send_make(struct route_op *op, const struct route_buffer *buffer,
		    int dest, int tag, const struct route_comm *comm,
		    enum route_send mode)
{
	int rc;

	op->comm = comm->handle;
	op->buffer = *buffer;
	op->also = NULL;
	op->op.kind = OP_SEND;
	op->op.coll = NULL;
	op->op.both_ways = false;
	op->op.signature = route_buffer_signature(buffer);
	op->op.synchronous = mode == ROUTE_SYNCHRONOUS;
	op->op.peer = rank_map_at(&comm->peers, (uint32_t)dest);
	op->op.key = (struct match_key){ comm->context, comm->rank, tag };
	rc = route_op_place(op);
	if (rc != MPI_SUCCESS || !op->packed)
		return rc;
	return route_pack(&op->buffer, op->packed, op->op.bytes);
}

int route_type_keep(MPI_Datatype *type)
{
	MPI_Datatype kept;
	int rc = REAL(Type_contiguous)(1, *type, &kept);

	if (rc == MPI_SUCCESS)
		rc = REAL(Type_commit)(&kept);
	if (rc == MPI_SUCCESS)
		*type = kept;
	return rc;
}

void route_op_keep_type(struct route_op *op)
{
	if (op->op.bytes && !abi_type_is_builtin(op->buffer.type))
		op->keeps_type = route_type_keep(&op->buffer.type) ==
				 MPI_SUCCESS;
}

int route_error_class(int error)
{
	switch (error) {
	case 0:
	case -ECANCELED:
		return MPI_SUCCESS;
	case -EMSGSIZE:
		return MPI_ERR_TRUNCATE;
	case -ENOMEM:
		return MPI_ERR_NO_MEM;
	default:
		return MPI_ERR_OTHER;
	}
}

static int also_end(struct route_op *also)
{
	const int rc = also ? route_error_class(also->op.error) : MPI_SUCCESS;

	if (also)
		free(also->packed);
	free(also);
	return rc;
}

/* The message's sender, unless the program freed the communicator. */
static void sender_tell(const struct route_op *op, struct finding_about *about)
{
	const struct route_comm *comm = route_comm_find(op->comm);

	if (!comm || comm->context != op->op.key.context)
		return;
	about->comm = shim_comm_row(op->comm);
	about->peer = op->op.source;
	about->tag = op->op.tag;
	about->other = shim_comm_world_rank(op->comm, op->op.source) + 1;
	about->other_site = op->op.site;
}

static void unlike_count(const struct route_op *op, uint64_t key)
{
	struct finding_about about = {
		.key = key,
		.comm = MMDS_NONE,
		.what = FINDING_UNLIKE,
	};

	snprintf(about.detail, sizeof(about.detail),
		 "%s of the sender, %s here",
		 route_signature_name((uint32_t)op->op.error),
		 route_signature_name(op->op.signature));
	sender_tell(op, &about);
	findings_count(&about);
}

static void truncation_tell(const struct route_op *op)
{
	struct finding_about about = { .key = findings_key_now(),
				       .comm = MMDS_NONE };

	snprintf(about.detail, sizeof(about.detail),
		 "%" PRIu64 " bytes for a receive of %" PRIu64, op->op.whole,
		 op->op.bytes);
	sender_tell(op, &about);
	findings_truncated(&about);
}

void route_op_unlike(struct route_op *op, MPI_Request request)
{
	const struct shim_request *made = shim_request_find(request);
	/* A message that was probed has the handle of its receive. */
	const bool is_made = made && made->kind == SHIM_REQUEST_RECV;

	if (!route_unit_begins(op->op.signature, (uint32_t)op->op.error,
			       op->op.got))
		unlike_count(op, is_made ? made->key : findings_key_now());
	path_join(op->op.path);
	op->op.error = 0;
}

int route_op_end_rest(struct route_op *op)
{
	int unpacked = MPI_SUCCESS;
	int also;
	int rc;

	if (op->op.error > 0)
		route_op_unlike(op, MPI_REQUEST_NULL);
	if (op->op.error == -EMSGSIZE)
		truncation_tell(op);
	rc = route_error_class(op->op.error);
	if (op->packed && op->op.kind == OP_RECV && op->op.error != -ECANCELED)
		unpacked = route_unpack(&op->buffer, op->packed, op->op.got,
					op->op.bytes);
	free(op->packed);
	op->packed = NULL;
	if (op->keeps_type)
		REAL(Type_free)(&op->buffer.type);
	op->keeps_type = false;
	also = also_end(op->also);
	op->also = NULL;
	if (rc == MPI_SUCCESS)
		rc = also;
	return rc == MPI_SUCCESS ? unpacked : rc;
}

int route_error_tell(MPI_Comm comm, int code)
{
	return fatal_raise(route_comm_find(comm) ? comm : MPI_COMM_WORLD, code);
}
