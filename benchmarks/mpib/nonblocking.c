/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Nonblocking collectives, and how much of them computing hides.  All processes
 * compute for as long as the collective alone takes, so that a library that
 * does all of it meanwhile takes no longer in all, and one that does nothing
 * takes twice as long.
 */
#include <errno.h>
#include <string.h>

#include "own_call.h"
#include "verify.h"

#define N (int)(sizeof(rows) / sizeof(rows[0]))

static void start_bcast(const struct own_call *call, MPI_Request *request)
{
	MPI_Ibcast(call->from, call->bytes, MPI_BYTE, call->root, call->comm,
		   request);
}

static void start_scatter(const struct own_call *call, MPI_Request *request)
{
	MPI_Iscatter(call->from, call->bytes, MPI_BYTE, call->to, call->bytes,
		     MPI_BYTE, call->root, call->comm, request);
}

static void start_gather(const struct own_call *call, MPI_Request *request)
{
	MPI_Igather(call->from, call->bytes, MPI_BYTE, call->to, call->bytes,
		    MPI_BYTE, call->root, call->comm, request);
}

static void start_reduce(const struct own_call *call, MPI_Request *request)
{
	MPI_Ireduce(call->from, call->to, call->bytes, MPI_BYTE, MPI_BXOR,
		    call->root, call->comm, request);
}

static void start_allgather(const struct own_call *call, MPI_Request *request)
{
	MPI_Iallgather(call->from, call->bytes, MPI_BYTE, call->to, call->bytes,
		       MPI_BYTE, call->comm, request);
}

static void start_alltoall(const struct own_call *call, MPI_Request *request)
{
	MPI_Ialltoall(call->from, call->bytes, MPI_BYTE, call->to, call->bytes,
		      MPI_BYTE, call->comm, request);
}

static void start_allreduce(const struct own_call *call, MPI_Request *request)
{
	MPI_Iallreduce(call->from, call->to, call->bytes, MPI_BYTE, MPI_BXOR,
		       call->comm, request);
}

static void start_block(const struct own_call *call, MPI_Request *request)
{
	MPI_Ireduce_scatter_block(call->from, call->to, call->bytes, MPI_BYTE,
				  MPI_BXOR, call->comm, request);
}

static void start_reduce_scatter(const struct own_call *call,
				 MPI_Request *request)
{
	MPI_Ireduce_scatter(call->from, call->to, call->counts, MPI_BYTE,
			    MPI_BXOR, call->comm, request);
}

static void start_scan(const struct own_call *call, MPI_Request *request)
{
	MPI_Iscan(call->from, call->to, call->bytes, MPI_BYTE, MPI_BXOR,
		  call->comm, request);
}

static void start_exscan(const struct own_call *call, MPI_Request *request)
{
	MPI_Iexscan(call->from, call->to, call->bytes, MPI_BYTE, MPI_BXOR,
		    call->comm, request);
}

static void start_alltoallv(const struct own_call *call, MPI_Request *request)
{
	MPI_Ialltoallv(call->from, call->counts, call->places, MPI_BYTE,
		       call->to, call->counts, call->places, MPI_BYTE,
		       call->comm, request);
}

static void start_barrier(const struct own_call *call, MPI_Request *request)
{
	MPI_Ibarrier(call->comm, request);
}

/* The kind says what arrives; a barrier brings as little as empty broadcasts.
 */
static const struct row {
	const char *name;
	enum mpib_kind kind;
	void (*start)(const struct own_call *call, MPI_Request *request);
} rows[] = {
	{ "ibcast", MPIB_BCAST, start_bcast },
	{ "iscatter", MPIB_SCATTER, start_scatter },
	{ "igather", MPIB_GATHER, start_gather },
	{ "ireduce", MPIB_REDUCE, start_reduce },
	{ "iallgather", MPIB_ALLGATHER, start_allgather },
	{ "ialltoall", MPIB_ALLTOALL, start_alltoall },
	{ "iallreduce", MPIB_ALLREDUCE, start_allreduce },
	{ "ireduce_scatter_block", MPIB_REDUCE_SCATTER_BLOCK, start_block },
	{ "ireduce_scatter", MPIB_REDUCE_SCATTER, start_reduce_scatter },
	{ "iscan", MPIB_SCAN, start_scan },
	{ "iexscan", MPIB_EXSCAN, start_exscan },
	{ "ialltoallv", MPIB_ALLTOALLV, start_alltoallv },
	{ "ibarrier", MPIB_BCAST, start_barrier },
};

const char *mpib_nonblocking_name(int i)
{
	return i >= 0 && i < N ? rows[i].name : NULL;
}

static int begin(struct own_call *call, MPI_Comm comm, const char *name,
		 int bytes, int root)
{
	const struct row *row = rows;
	int rc;

	while (row < rows + N && strcmp(row->name, name) != 0)
		row++;
	if (row == rows + N || (row->start == start_barrier && bytes > 0))
		return -EINVAL;
	rc = own_call_begin(call, comm, mpib_coll_find(row->kind, "mpi"), bytes,
			    root);
	if (rc < 0)
		return rc;
	call->start = row->start;
	own_call_run(call);
	return 0;
}

/* Noise may make it less than nothing, or more than all. */
static double share_of(const struct mpib_overlap *of)
{
	const double alone = of->alone.median;
	const double share = (alone + of->compute - of->both.median) / alone;

	if (!(alone > 0) || share < 0)
		return 0;
	return share > 1 ? 1 : share;
}

static int measure(struct own_call *call, const struct mpib_rules *rules,
		   struct mpib_overlap *made)
{
	struct mpib_rules quiet = *rules;
	int rc = mpib_measure(call->comm, call->root, own_call_run, call, rules,
			      &made->alone);

	if (rc < 0)
		return rc;
	made->compute = made->alone.median;
	call->compute = (int64_t)(made->compute * 1e9);
	quiet.samples = NULL;
	rc = mpib_measure(call->comm, call->root, own_call_run, call, &quiet,
			  &made->both);
	made->share = rc == 0 ? share_of(made) : 0;
	return rc;
}

int mpib_measure_overlap(MPI_Comm comm, const char *name, int bytes, int root,
			 const struct mpib_rules *rules,
			 struct mpib_overlap *overlap)
{
	struct mpib_overlap made = { 0 };
	struct own_call call;
	int rc = begin(&call, comm, name, bytes, root);

	if (rc < 0)
		return rc;
	rc = measure(&call, rules, &made);
	own_call_end(&call);
	if (rc == 0)
		*overlap = made;
	return rc;
}

int mpib_check_nonblocking(MPI_Comm comm, const char *name, int bytes, int root)
{
	struct own_call call;
	int rc = begin(&call, comm, name, bytes, root);

	if (rc < 0)
		return rc;
	rc = verify_call(&call);
	own_call_end(&call);
	return rc;
}
