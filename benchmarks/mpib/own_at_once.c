/* SPDX-License-Identifier: BSD-3-Clause */

/* One does all, and waits for none before it has begun with the next. */
#include <stdlib.h>
#include <string.h>

#include "own.h"

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

int own_scatter_at_once(const void *from, int count, MPI_Datatype type,
			void *to, int to_count, MPI_Datatype to_type, int root,
			MPI_Comm comm)
{
	char *parts = (char *)(uintptr_t)from;
	int bytes;
	int rank;
	int rc;

	MPI_Comm_rank(comm, &rank);
	rc = rank == root ? own_bytes(comm, count, type, to, &bytes)
			  : own_bytes(comm, to_count, to_type, to, &bytes);
	if (rc != MPI_SUCCESS)
		return rc;
	if (rank != root) {
		own_recv(to, bytes, root, comm);
		return MPI_SUCCESS;
	}
	memcpy(to, parts + (ptrdiff_t)root * bytes, (size_t)bytes);
	return at_once(begin_send, parts, bytes, root, comm);
}

int own_gather_at_once(const void *from, int count, MPI_Datatype type, void *to,
		       int to_count, MPI_Datatype to_type, int root,
		       MPI_Comm comm)
{
	char *parts = to;
	int bytes;
	int rank;
	int rc;

	MPI_Comm_rank(comm, &rank);
	rc = rank == root ? own_bytes(comm, to_count, to_type, from, &bytes)
			  : own_bytes(comm, count, type, from, &bytes);
	if (rc != MPI_SUCCESS)
		return rc;
	if (rank != root) {
		own_send(from, bytes, root, comm);
		return MPI_SUCCESS;
	}
	memcpy(parts + (ptrdiff_t)root * bytes, from, (size_t)bytes);
	return at_once(begin_recv, parts, bytes, root, comm);
}
