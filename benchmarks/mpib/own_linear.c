/* SPDX-License-Identifier: BSD-3-Clause */

/* One does all: the root sends or receives in the order of ranks. */
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

static void scatter_all(const char *from, int bytes, void *to, int root,
			MPI_Comm comm)
{
	int size;

	MPI_Comm_size(comm, &size);
	for (int i = 0; i < size; i++, from += bytes)
		if (i == root)
			memcpy(to, from, (size_t)bytes);
		else
			own_send(from, bytes, i, comm);
}

int own_scatter_linear(const void *from, int count, MPI_Datatype type, void *to,
		       int to_count, MPI_Datatype to_type, int root,
		       MPI_Comm comm)
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
		scatter_all(from, bytes, to, root, comm);
	else
		own_recv(to, bytes, root, comm);
	return MPI_SUCCESS;
}

static void gather_all(const void *from, int bytes, char *to, int root,
		       MPI_Comm comm)
{
	int size;

	MPI_Comm_size(comm, &size);
	for (int i = 0; i < size; i++, to += bytes)
		if (i == root)
			memcpy(to, from, (size_t)bytes);
		else
			own_recv(to, bytes, i, comm);
}

int own_gather_linear(const void *from, int count, MPI_Datatype type, void *to,
		      int to_count, MPI_Datatype to_type, int root,
		      MPI_Comm comm)
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
		gather_all(from, bytes, to, root, comm);
	else
		own_send(from, bytes, root, comm);
	return MPI_SUCCESS;
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
