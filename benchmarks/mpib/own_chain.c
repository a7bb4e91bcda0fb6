/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * In pieces from neighbour to neighbour, from the root on once around: while
 * one passes a piece on, the next comes.
 */
#include <stdlib.h>
#include <string.h>

#include "own.h"

#define PIECE 8192 /* bytes, which are sent before they are received */

struct chain {
	MPI_Comm comm;
	int left;  /* a rank; MPI_PROC_NULL for the root */
	int right; /* and for the last */
};

static struct chain chain_of(int root, MPI_Comm comm)
{
	int place;
	int rank;
	int size;

	MPI_Comm_rank(comm, &rank);
	MPI_Comm_size(comm, &size);
	place = (rank - root + size) % size;
	return (struct chain){
		.comm = comm,
		.left = place > 0 ? (rank - 1 + size) % size : MPI_PROC_NULL,
		.right = place < size - 1 ? (rank + 1) % size : MPI_PROC_NULL,
	};
}

static int least(int64_t a, int64_t b)
{
	return (int)(a < b ? a : b);
}

int own_bcast_ring(void *buf, int count, MPI_Datatype type, int root,
		   MPI_Comm comm)
{
	const struct chain chain = chain_of(root, comm);
	char *bytes_of = buf;
	int64_t at = 0;
	int bytes;
	int rc;

	rc = own_bytes(comm, count, type, buf, &bytes);
	if (rc != MPI_SUCCESS)
		return rc;
	do {
		const int n = least(PIECE, bytes - at);

		own_recv(bytes_of + at, n, chain.left, comm);
		own_send(bytes_of + at, n, chain.right, comm);
		at += n;
	} while (at < bytes);
	return MPI_SUCCESS;
}

/* A piece of the sum from here to the last, which begins with one's own. */
static void fold(const struct chain *chain, const char *mine, char *sum,
		 int count, int bytes, MPI_Datatype type, MPI_Op op)
{
	if (chain->right == MPI_PROC_NULL) {
		memcpy(sum, mine, (size_t)bytes);
	} else {
		own_recv(sum, bytes, chain->right, chain->comm);
		MPI_Reduce_local(mine, sum, count, type, op);
	}
	own_send(sum, bytes, chain->left, chain->comm);
}

static int fold_all(const struct chain *chain, const char *from, char *to,
		    int count, int bytes, MPI_Datatype type, MPI_Op op)
{
	const int width = count ? bytes / count : 1;
	const int most = width > 0 && width < PIECE ? PIECE / width : 1;
	const bool root = chain->left == MPI_PROC_NULL;
	char *room = malloc((size_t)most * (size_t)width + 1);
	int64_t at = 0;

	if (!room)
		return MPI_ERR_NO_MEM;
	do {
		const int n = least(most, count - at);

		fold(chain, from + at * width, root ? to + at * width : room, n,
		     n * width, type, op);
		at += n;
	} while (at < count);
	free(room);
	return MPI_SUCCESS;
}

/* It begins with the root's, which not every operation allows. */
int own_reduce_ring(const void *from, void *to, int count, MPI_Datatype type,
		    MPI_Op op, int root, MPI_Comm comm)
{
	const struct chain chain = chain_of(root, comm);
	int commutes;
	int bytes;
	int rc;

	MPI_Op_commutative(op, &commutes);
	if (!commutes && root != 0)
		return own_reduce_linear(from, to, count, type, op, root, comm);
	rc = own_bytes(comm, count, type, from, &bytes);
	if (rc != MPI_SUCCESS)
		return rc;
	return fold_all(&chain, from, to, count, bytes, type, op);
}
