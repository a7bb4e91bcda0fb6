/* SPDX-License-Identifier: BSD-3-Clause */

/* In size - 1 steps, all at once: in each everybody sends and receives. */
#include <string.h>

#include "own.h"

static void swap(const void *from, int to_rank, void *to, int from_rank,
		 int bytes, MPI_Comm comm)
{
	MPI_Sendrecv(from, bytes, MPI_BYTE, to_rank, MPIB_TAG, to, bytes,
		     MPI_BYTE, from_rank, MPIB_TAG, comm, MPI_STATUS_IGNORE);
}

/* A step passes on to the right what came from the left. */
int own_allgather_ring(const void *from, int count, MPI_Datatype type, void *to,
		       int to_count, MPI_Datatype to_type, MPI_Comm comm)
{
	char *parts = to;
	int bytes;
	int rank;
	int size;
	int rc;

	rc = own_bytes(comm, count, type, from, &bytes);
	if (rc == MPI_SUCCESS)
		rc = own_bytes(comm, to_count, to_type, to, &bytes);
	if (rc != MPI_SUCCESS)
		return rc;
	MPI_Comm_rank(comm, &rank);
	MPI_Comm_size(comm, &size);
	memcpy(parts + (ptrdiff_t)rank * bytes, from, (size_t)bytes);
	for (int i = 0; i < size - 1; i++) {
		const int out = (rank - i + size) % size;
		const int in = (rank - i - 1 + size) % size;

		swap(parts + (ptrdiff_t)out * bytes, (rank + 1) % size,
		     parts + (ptrdiff_t)in * bytes, (rank + size - 1) % size,
		     bytes, comm);
	}
	return MPI_SUCCESS;
}

/* In step i everybody sends to the i-th on its right. */
int own_alltoall_ring(const void *from, int count, MPI_Datatype type, void *to,
		      int to_count, MPI_Datatype to_type, MPI_Comm comm)
{
	const char *out = from;
	char *in = to;
	int bytes;
	int rank;
	int size;
	int rc;

	rc = own_bytes(comm, count, type, from, &bytes);
	if (rc == MPI_SUCCESS)
		rc = own_bytes(comm, to_count, to_type, from, &bytes);
	if (rc != MPI_SUCCESS)
		return rc;
	MPI_Comm_rank(comm, &rank);
	MPI_Comm_size(comm, &size);
	for (int i = 0; i < size; i++) {
		const int right = (rank + i) % size;
		const int left = (rank - i + size) % size;

		swap(out + (ptrdiff_t)right * bytes, right,
		     in + (ptrdiff_t)left * bytes, left, bytes, comm);
	}
	return MPI_SUCCESS;
}
