/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * An all-to-all in as many steps as a binomial tree has, after Bruck.  The part
 * for the process d places to the right is passed on once for each bit of d.
 */
#include <stdlib.h>
#include <string.h>

#include "own.h"

struct parts {
	MPI_Comm comm;
	int rank;
	int size;
	size_t bytes;
	char *parts; /* by how far they have to go; then by how far they came */
	char *out;   /* those of one step, at most half of them */
	char *in;
};

static int begin(struct parts *all, int bytes, MPI_Comm comm)
{
	size_t half;

	*all = (struct parts){ .comm = comm, .bytes = (size_t)bytes };
	MPI_Comm_rank(comm, &all->rank);
	MPI_Comm_size(comm, &all->size);
	half = (size_t)all->size / 2 * all->bytes;
	all->parts = malloc((size_t)all->size * all->bytes + 2 * half + 1);
	if (!all->parts)
		return MPI_ERR_NO_MEM;
	all->out = all->parts + (size_t)all->size * all->bytes;
	all->in = all->out + half;
	return MPI_SUCCESS;
}

/* Between the parts of a step and a room for them; how many bytes. */
static size_t pack(struct parts *all, int bit, char *room, bool back)
{
	size_t n = 0;

	for (int i = 0; i < all->size; i++) {
		char *part = all->parts + (size_t)i * all->bytes;

		if (!(i & bit))
			continue;
		memcpy(back ? part : room + n, back ? room + n : part,
		       all->bytes);
		n += all->bytes;
	}
	return n;
}

static void step(struct parts *all, int bit)
{
	const int right = (all->rank + bit) % all->size;
	const int left = (all->rank - bit + all->size) % all->size;
	const int n = (int)pack(all, bit, all->out, false);

	MPI_Sendrecv(all->out, n, MPI_BYTE, right, MPIB_TAG, all->in, n,
		     MPI_BYTE, left, MPIB_TAG, all->comm, MPI_STATUS_IGNORE);
	pack(all, bit, all->in, true);
}

static void exchange(struct parts *all, const char *from, char *to)
{
	for (int i = 0; i < all->size; i++) {
		const int right = (all->rank + i) % all->size;

		memcpy(all->parts + (size_t)i * all->bytes,
		       from + (size_t)right * all->bytes, all->bytes);
	}
	for (int bit = 1; bit < all->size; bit *= 2)
		step(all, bit);
	for (int i = 0; i < all->size; i++) {
		const int left = (all->rank - i + all->size) % all->size;

		memcpy(to + (size_t)left * all->bytes,
		       all->parts + (size_t)i * all->bytes, all->bytes);
	}
}

int own_alltoall_binomial(const void *from, int count, MPI_Datatype type,
			  void *to, int to_count, MPI_Datatype to_type,
			  MPI_Comm comm)
{
	struct parts all;
	int bytes;
	int rc;

	rc = own_bytes(comm, to_count, to_type, from, &bytes);
	if (rc == MPI_SUCCESS)
		rc = own_bytes(comm, count, type, from, &bytes);
	if (rc == MPI_SUCCESS)
		rc = begin(&all, bytes, comm);
	if (rc != MPI_SUCCESS)
		return rc;
	exchange(&all, from, to);
	free(all.parts);
	return MPI_SUCCESS;
}
