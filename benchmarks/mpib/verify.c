/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Checks what a collective brings.  A process has a byte for each other one and
 * place, and what is to arrive is computed from the definition of the
 * collective.
 */
#include "verify.h"

#include <errno.h>
#include <string.h>

#include "timing.h"

/* What one process has to get. */
struct due {
	int parts;
	/* Each part is of one process in turn, or all are the exclusive or of
	 * what these have. */
	bool by_turns;
	int first;
	int last;
	int to; /* for which process */
};

unsigned char verify_byte(int from, int to, int at)
{
	return (unsigned char)(from * 31 + to * 17 + at * 7 + (at >> 8) + 1);
}

void verify_fill(char *buf, int from, int to, int bytes)
{
	for (int i = 0; i < bytes; i++)
		buf[i] = (char)verify_byte(from, to, i);
}

bool verify_holds(const char *buf, int from, int to, int bytes)
{
	for (int i = 0; i < bytes; i++)
		if ((unsigned char)buf[i] != verify_byte(from, to, i))
			return false;
	return true;
}

static struct due due_of(const struct own_call *call, int rank, int size)
{
	const int at_root = rank == call->root;

	switch (call->coll->kind) {
	case MPIB_BCAST:
		return (struct due){ 1, false, call->root, call->root, 0 };
	case MPIB_SCATTER:
	case MPIB_SCATTERV:
		return (struct due){ 1, false, call->root, call->root, rank };
	case MPIB_GATHER:
	case MPIB_GATHERV:
		return (struct due){ at_root ? size : 0, true, 0, 0, 0 };
	case MPIB_ALLGATHER:
	case MPIB_ALLGATHERV:
		return (struct due){ size, true, 0, 0, 0 };
	case MPIB_ALLTOALL:
	case MPIB_ALLTOALLV:
		return (struct due){ size, true, 0, 0, rank };
	case MPIB_REDUCE:
		return (struct due){ at_root, false, 0, size - 1, 0 };
	case MPIB_REDUCE_SCATTER:
	case MPIB_REDUCE_SCATTER_BLOCK:
		return (struct due){ 1, false, 0, size - 1, rank };
	case MPIB_SCAN:
		return (struct due){ 1, false, 0, rank, 0 };
	case MPIB_EXSCAN:
		return (struct due){ rank > 0, false, 0, rank - 1, 0 };
	default:
		return (struct due){ 1, false, 0, size - 1, 0 };
	}
}

static void fill(const struct own_call *call, int rank, int size)
{
	char *at = call->from;

	for (int to = 0; to < size; to++, at += call->bytes)
		verify_fill(at, rank, to, call->bytes);
	memset(call->to, 0, (size_t)size * (size_t)call->bytes);
	/* What a broadcast brings must not be there before. */
	if (call->coll->kind == MPIB_BCAST && rank != call->root)
		memset(call->from, 0, (size_t)call->bytes);
}

static bool part_is(const struct due *due, int part, const char *got, int bytes)
{
	const int first = due->by_turns ? part : due->first;
	const int last = due->by_turns ? part : due->last;

	for (int i = 0; i < bytes; i++) {
		unsigned char sum = 0;

		for (int from = first; from <= last; from++)
			sum ^= verify_byte(from, due->to, i);
		if ((unsigned char)got[i] != sum)
			return false;
	}
	return true;
}

static bool is_right(const struct own_call *call, int rank, int size)
{
	const struct due due = due_of(call, rank, size);
	const char *got = call->coll->kind == MPIB_BCAST ? call->from
							 : call->to;

	for (int part = 0; part < due.parts; part++, got += call->bytes)
		if (!part_is(&due, part, got, call->bytes))
			return false;
	return true;
}

int verify_call(struct own_call *call)
{
	int rank;
	int size;

	MPI_Comm_rank(call->comm, &rank);
	MPI_Comm_size(call->comm, &size);
	fill(call, rank, size);
	own_call_run(call);
	return timing_agree(call->comm,
			    is_right(call, rank, size) ? 0 : -EBADMSG);
}

int mpib_check_coll(MPI_Comm comm, const struct mpib_coll *coll, int bytes,
		    int root)
{
	struct own_call call;
	int rc = own_call_begin(&call, comm, coll, bytes, root);

	if (rc < 0)
		return rc;
	rc = verify_call(&call);
	own_call_end(&call);
	return rc;
}
