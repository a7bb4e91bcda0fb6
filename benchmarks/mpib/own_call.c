/* SPDX-License-Identifier: BSD-3-Clause */

/* Calls collectives of all kinds on buffers of their own. */
#include "own_call.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>

#include "timing.h"

static void run_bcast(const struct own_call *call)
{
	call->coll->call.bcast(call->from, call->bytes, MPI_BYTE, call->root,
			       call->comm);
}

static void run_scatter(const struct own_call *call)
{
	call->coll->call.scatter(call->from, call->bytes, MPI_BYTE, call->to,
				 call->bytes, MPI_BYTE, call->root, call->comm);
}

static void run_gather(const struct own_call *call)
{
	call->coll->call.gather(call->from, call->bytes, MPI_BYTE, call->to,
				call->bytes, MPI_BYTE, call->root, call->comm);
}

static void run_reduce(const struct own_call *call)
{
	call->coll->call.reduce(call->from, call->to, call->bytes, MPI_BYTE,
				MPI_BXOR, call->root, call->comm);
}

static void run_allgather(const struct own_call *call)
{
	call->coll->call.allgather(call->from, call->bytes, MPI_BYTE, call->to,
				   call->bytes, MPI_BYTE, call->comm);
}

static void run_alltoall(const struct own_call *call)
{
	call->coll->call.alltoall(call->from, call->bytes, MPI_BYTE, call->to,
				  call->bytes, MPI_BYTE, call->comm);
}

static void run_reduction(const struct own_call *call)
{
	call->coll->call.reduction(call->from, call->to, call->bytes, MPI_BYTE,
				   MPI_BXOR, call->comm);
}

static void run_reduce_scatter(const struct own_call *call)
{
	call->coll->call.reduce_scatter(call->from, call->to, call->counts,
					MPI_BYTE, MPI_BXOR, call->comm);
}

static void run_scatterv(const struct own_call *call)
{
	call->coll->call.scatterv(call->from, call->counts, call->places,
				  MPI_BYTE, call->to, call->bytes, MPI_BYTE,
				  call->root, call->comm);
}

static void run_gatherv(const struct own_call *call)
{
	call->coll->call.gatherv(call->from, call->bytes, MPI_BYTE, call->to,
				 call->counts, call->places, MPI_BYTE,
				 call->root, call->comm);
}

static void run_allgatherv(const struct own_call *call)
{
	call->coll->call.allgatherv(call->from, call->bytes, MPI_BYTE, call->to,
				    call->counts, call->places, MPI_BYTE,
				    call->comm);
}

static void run_alltoallv(const struct own_call *call)
{
	call->coll->call.alltoallv(call->from, call->counts, call->places,
				   MPI_BYTE, call->to, call->counts,
				   call->places, MPI_BYTE, call->comm);
}

static const struct {
	const char *name;
	void (*run)(const struct own_call *call);
} kinds[] = {
	[MPIB_BCAST] = { "bcast", run_bcast },
	[MPIB_SCATTER] = { "scatter", run_scatter },
	[MPIB_GATHER] = { "gather", run_gather },
	[MPIB_REDUCE] = { "reduce", run_reduce },
	[MPIB_ALLGATHER] = { "allgather", run_allgather },
	[MPIB_ALLTOALL] = { "alltoall", run_alltoall },
	[MPIB_ALLREDUCE] = { "allreduce", run_reduction },
	[MPIB_REDUCE_SCATTER_BLOCK] = { "reduce_scatter_block", run_reduction },
	[MPIB_SCAN] = { "scan", run_reduction },
	[MPIB_REDUCE_SCATTER] = { "reduce_scatter", run_reduce_scatter },
	[MPIB_EXSCAN] = { "exscan", run_reduction },
	[MPIB_SCATTERV] = { "scatterv", run_scatterv },
	[MPIB_GATHERV] = { "gatherv", run_gatherv },
	[MPIB_ALLGATHERV] = { "allgatherv", run_allgatherv },
	[MPIB_ALLTOALLV] = { "alltoallv", run_alltoallv },
};

const char *mpib_kind_name(enum mpib_kind kind)
{
	return kind < MPIB_KINDS ? kinds[kind].name : NULL;
}

static void compute(int64_t ns)
{
	const int64_t end = mpib_clock_now() + ns;

	while (ns > 0 && mpib_clock_now() < end)
		;
}

void own_call_run(void *argument)
{
	const struct own_call *call = argument;
	MPI_Request request;

	if (!call->start) {
		kinds[call->coll->kind].run(call);
		return;
	}
	call->start(call, &request);
	compute(call->compute);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static int check(const struct mpib_coll *coll, int bytes, int root, int size)
{
	if (coll->kind >= MPIB_KINDS || bytes < 0 || root < 0 || root >= size)
		return -EINVAL;
	return bytes > INT_MAX / size ? -EOVERFLOW : 0;
}

void own_call_end(struct own_call *call)
{
	free(call->from);
	free(call->to);
	free(call->counts);
	free(call->places);
	MPI_Comm_free(&call->comm);
}

static int make_room(struct own_call *call, int size)
{
	const size_t n = (size_t)size;

	call->from = calloc(n, (size_t)call->bytes + 1);
	call->to = calloc(n, (size_t)call->bytes + 1);
	call->counts = malloc(n * sizeof(*call->counts));
	call->places = malloc(n * sizeof(*call->places));
	if (!call->from || !call->to || !call->counts || !call->places)
		return -ENOMEM;
	for (int i = 0; i < size; i++) {
		call->counts[i] = call->bytes;
		call->places[i] = i * call->bytes;
	}
	return 0;
}

/* Memory is touched, too. */
int own_call_begin(struct own_call *call, MPI_Comm comm,
		   const struct mpib_coll *coll, int bytes, int root)
{
	int size;
	int rc;

	MPI_Comm_size(comm, &size);
	rc = timing_agree(comm, check(coll, bytes, root, size));
	if (rc < 0)
		return rc;
	*call = (struct own_call){ .coll = coll, .bytes = bytes, .root = root };
	MPI_Comm_dup(comm, &call->comm);
	rc = timing_agree(comm, make_room(call, size));
	if (rc < 0) {
		own_call_end(call);
		return rc;
	}
	own_call_run(call);
	return 0;
}
