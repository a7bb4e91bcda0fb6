/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The root does all.  It sends or receives in the order of ranks; at once, it
 * begins all transfers before it waits for one.
 */
#include <stdlib.h>
#include <string.h>

#include "own.h"

int own_bcast_linear(void *buf, int count, MPI_Datatype type, int root,
		     MPI_Comm comm)
{
	int bytes;
	int rank;
	int size;
	int rc;

	rc = own_bytes(comm, count, type, buf, &bytes);
	if (rc != MPI_SUCCESS)
		return rc;
	MPI_Comm_rank(comm, &rank);
	MPI_Comm_size(comm, &size);
	if (rank != root)
		own_recv(buf, bytes, root, comm);
	for (int i = 0; rank == root && i < size; i++)
		if (i != root)
			own_send(buf, bytes, i, comm);
	return MPI_SUCCESS;
}

/* The root's work on all parts; its own goes from or to `own`. */
typedef int root_part(char *parts, int bytes, void *own, int root,
		      MPI_Comm comm);

static int scatter_all(char *parts, int bytes, void *own, int root,
		       MPI_Comm comm)
{
	int size;

	MPI_Comm_size(comm, &size);
	for (int i = 0; i < size; i++, parts += bytes)
		if (i == root)
			memcpy(own, parts, (size_t)bytes);
		else
			own_send(parts, bytes, i, comm);
	return MPI_SUCCESS;
}

static int gather_all(char *parts, int bytes, void *own, int root,
		      MPI_Comm comm)
{
	int size;

	MPI_Comm_size(comm, &size);
	for (int i = 0; i < size; i++, parts += bytes)
		if (i == root)
			memcpy(parts, own, (size_t)bytes);
		else
			own_recv(parts, bytes, i, comm);
	return MPI_SUCCESS;
}

/* Begins what goes from or to a rank's part. */
typedef void begin_part(char *part, int bytes, int rank, MPI_Comm comm,
			MPI_Request *request);

static void begin_send(char *part, int bytes, int rank, MPI_Comm comm,
		       MPI_Request *request)
{
	MPI_Isend(part, bytes, MPI_BYTE, rank, MPIB_TAG, comm, request);
}

static void begin_recv(char *part, int bytes, int rank, MPI_Comm comm,
		       MPI_Request *request)
{
	MPI_Irecv(part, bytes, MPI_BYTE, rank, MPIB_TAG, comm, request);
}

/* All parts but the root's own. */
static int at_once(begin_part *begin, char *parts, int bytes, int root,
		   MPI_Comm comm)
{
	MPI_Request *requests;
	int size;

	MPI_Comm_size(comm, &size);
	requests = malloc((size_t)size * sizeof(*requests));
	if (!requests)
		return MPI_ERR_NO_MEM;
	for (int i = 0; i < size; i++) {
		requests[i] = MPI_REQUEST_NULL;
		if (i != root)
			begin(parts + (ptrdiff_t)i * bytes, bytes, i, comm,
			      &requests[i]);
	}
	for (int i = 0; i < size; i++)
		MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
	free(requests);
	return MPI_SUCCESS;
}

static int scatter_at_once(char *parts, int bytes, void *own, int root,
			   MPI_Comm comm)
{
	memcpy(own, parts + (ptrdiff_t)root * bytes, (size_t)bytes);
	return at_once(begin_send, parts, bytes, root, comm);
}

static int gather_at_once(char *parts, int bytes, void *own, int root,
			  MPI_Comm comm)
{
	memcpy(parts + (ptrdiff_t)root * bytes, own, (size_t)bytes);
	return at_once(begin_recv, parts, bytes, root, comm);
}

static int scatter(root_part *part, const void *from, int count,
		   MPI_Datatype type, void *to, int to_count,
		   MPI_Datatype to_type, int root, MPI_Comm comm)
{
	int bytes;
	int rank;
	int rc;

	MPI_Comm_rank(comm, &rank);
	rc = rank == root ? own_bytes(comm, count, type, to, &bytes)
			  : own_bytes(comm, to_count, to_type, to, &bytes);
	if (rc != MPI_SUCCESS)
		return rc;
	if (rank == root)
		return part((char *)(uintptr_t)from, bytes, to, root, comm);
	own_recv(to, bytes, root, comm);
	return MPI_SUCCESS;
}

int own_scatter_linear(const void *from, int count, MPI_Datatype type, void *to,
		       int to_count, MPI_Datatype to_type, int root,
		       MPI_Comm comm)
{
	return scatter(scatter_all, from, count, type, to, to_count, to_type,
		       root, comm);
}

int own_scatter_at_once(const void *from, int count, MPI_Datatype type,
			void *to, int to_count, MPI_Datatype to_type, int root,
			MPI_Comm comm)
{
	return scatter(scatter_at_once, from, count, type, to, to_count,
		       to_type, root, comm);
}

static int gather(root_part *part, const void *from, int count,
		  MPI_Datatype type, void *to, int to_count,
		  MPI_Datatype to_type, int root, MPI_Comm comm)
{
	int bytes;
	int rank;
	int rc;

	MPI_Comm_rank(comm, &rank);
	rc = rank == root ? own_bytes(comm, to_count, to_type, from, &bytes)
			  : own_bytes(comm, count, type, from, &bytes);
	if (rc != MPI_SUCCESS)
		return rc;
	if (rank == root)
		return part(to, bytes, (void *)(uintptr_t)from, root, comm);
	own_send(from, bytes, root, comm);
	return MPI_SUCCESS;
}

int own_gather_linear(const void *from, int count, MPI_Datatype type, void *to,
		      int to_count, MPI_Datatype to_type, int root,
		      MPI_Comm comm)
{
	return gather(gather_all, from, count, type, to, to_count, to_type,
		      root, comm);
}

int own_gather_at_once(const void *from, int count, MPI_Datatype type, void *to,
		       int to_count, MPI_Datatype to_type, int root,
		       MPI_Comm comm)
{
	return gather(gather_at_once, from, count, type, to, to_count, to_type,
		      root, comm);
}

/* From the last to the first, since MPI_Reduce_local folds to the left. */
static int reduce_all(const void *from, void *to, int count, int bytes,
		      MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
	char *part = malloc((size_t)bytes + 1);
	int rank;
	int size;

	if (!part)
		return MPI_ERR_NO_MEM;
	MPI_Comm_rank(comm, &rank);
	MPI_Comm_size(comm, &size);
	for (int i = size - 1; i >= 0; i--) {
		char *here = i == size - 1 ? to : part;

		if (i == rank)
			memcpy(here, from, (size_t)bytes);
		else
			own_recv(here, bytes, i, comm);
		if (i < size - 1)
			MPI_Reduce_local(part, to, count, type, op);
	}
	free(part);
	return MPI_SUCCESS;
}

int own_reduce_linear(const void *from, void *to, int count, MPI_Datatype type,
		      MPI_Op op, int root, MPI_Comm comm)
{
	int bytes;
	int rank;
	int rc;

	rc = own_bytes(comm, count, type, from, &bytes);
	if (rc != MPI_SUCCESS)
		return rc;
	MPI_Comm_rank(comm, &rank);
	if (rank == root)
		return reduce_all(from, to, count, bytes, type, op, comm);
	own_send(from, bytes, root, comm);
	return MPI_SUCCESS;
}

/* Rank 0 gathers, and broadcasts what it has. */
int own_allgather_linear(const void *from, int count, MPI_Datatype type,
			 void *to, int to_count, MPI_Datatype to_type,
			 MPI_Comm comm)
{
	int size;
	int rc;

	MPI_Comm_size(comm, &size);
	rc = own_gather_linear(from, count, type, to, to_count, to_type, 0,
			       comm);
	if (rc != MPI_SUCCESS)
		return rc;
	return own_bcast_linear(to, to_count * size, to_type, 0, comm);
}

static void exchange_all(const char *from, char *to, int bytes,
			 MPI_Request *requests, MPI_Comm comm)
{
	int size;

	MPI_Comm_size(comm, &size);
	for (int i = 0; i < size; i++) {
		const ptrdiff_t at = (ptrdiff_t)i * bytes;

		MPI_Irecv(to + at, bytes, MPI_BYTE, i, MPIB_TAG, comm,
			  &requests[2 * i]);
		MPI_Isend(from + at, bytes, MPI_BYTE, i, MPIB_TAG, comm,
			  &requests[2 * i + 1]);
	}
	for (int i = 0; i < 2 * size; i++)
		MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
}

int own_alltoall_linear(const void *from, int count, MPI_Datatype type,
			void *to, int to_count, MPI_Datatype to_type,
			MPI_Comm comm)
{
	MPI_Request *requests;
	int bytes;
	int size;
	int rc;

	rc = own_bytes(comm, to_count, to_type, from, &bytes);
	if (rc == MPI_SUCCESS)
		rc = own_bytes(comm, count, type, from, &bytes);
	if (rc != MPI_SUCCESS)
		return rc;
	MPI_Comm_size(comm, &size);
	requests = malloc(2 * (size_t)size * sizeof(*requests));
	if (!requests)
		return MPI_ERR_NO_MEM;
	exchange_all(from, to, bytes, requests, comm);
	free(requests);
	return MPI_SUCCESS;
}
