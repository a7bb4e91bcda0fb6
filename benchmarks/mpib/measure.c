/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Measures a collective on buffers of its own, or a function of the caller's.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>

#include "mpib.h"
#include "repeat.h"
#include "timing.h"

/* A collective on buffers of its own. */
struct call {
	const struct mpib_coll *coll;
	char *from;
	char *to;
	int bytes;
	int root;
	MPI_Comm comm;
};

static void run_bcast(const struct call *call)
{
	call->coll->call.bcast(call->from, call->bytes, MPI_BYTE, call->root,
			       call->comm);
}

static void run_scatter(const struct call *call)
{
	call->coll->call.scatter(call->from, call->bytes, MPI_BYTE, call->to,
				 call->bytes, MPI_BYTE, call->root, call->comm);
}

static void run_gather(const struct call *call)
{
	call->coll->call.gather(call->from, call->bytes, MPI_BYTE, call->to,
				call->bytes, MPI_BYTE, call->root, call->comm);
}

static void run_reduce(const struct call *call)
{
	call->coll->call.reduce(call->from, call->to, call->bytes, MPI_BYTE,
				MPI_BXOR, call->root, call->comm);
}

static void run_allgather(const struct call *call)
{
	call->coll->call.allgather(call->from, call->bytes, MPI_BYTE, call->to,
				   call->bytes, MPI_BYTE, call->comm);
}

static void run_alltoall(const struct call *call)
{
	call->coll->call.alltoall(call->from, call->bytes, MPI_BYTE, call->to,
				  call->bytes, MPI_BYTE, call->comm);
}

static const struct {
	const char *name;
	void (*run)(const struct call *call);
} kinds[] = {
	[MPIB_BCAST] = { "bcast", run_bcast },
	[MPIB_SCATTER] = { "scatter", run_scatter },
	[MPIB_GATHER] = { "gather", run_gather },
	[MPIB_REDUCE] = { "reduce", run_reduce },
	[MPIB_ALLGATHER] = { "allgather", run_allgather },
	[MPIB_ALLTOALL] = { "alltoall", run_alltoall },
};

const char *mpib_kind_name(enum mpib_kind kind)
{
	return kind < MPIB_KINDS ? kinds[kind].name : NULL;
}

static void run_call(void *argument)
{
	const struct call *call = argument;

	kinds[call->coll->kind].run(call);
}

/* Rules are looked at before anything is made by them. */
static int check_rules(MPI_Comm comm, const struct mpib_rules *rules)
{
	struct repeat repeat = { 0 };
	const int rc = repeat_begin(&repeat, rules);

	repeat_end(&repeat);
	return timing_agree(comm, rc);
}

static int measure_timing(struct timing *timing, struct mpib_result *result)
{
	const int rc = timing_repeat(timing, result);

	timing_end(timing);
	return rc;
}

int mpib_measure(MPI_Comm comm, int root, void (*run)(void *argument),
		 void *argument, const struct mpib_rules *rules,
		 struct mpib_result *result)
{
	struct timing timing;
	int rc = check_rules(comm, rules);

	if (rc == 0)
		rc = timing_begin(&timing, comm, root, rules);
	if (rc < 0)
		return rc;
	timing.run = run;
	timing.argument = argument;
	return measure_timing(&timing, result);
}

static int check_call(const struct mpib_coll *coll, int bytes, int root,
		      int size)
{
	if (coll->kind >= MPIB_KINDS || bytes < 0 || root < 0 || root >= size)
		return -EINVAL;
	return bytes > INT_MAX / size ? -EOVERFLOW : 0;
}

static void call_end(struct call *call)
{
	free(call->from);
	free(call->to);
	MPI_Comm_free(&call->comm);
}

/* Memory is touched, so that no repetition is the first to. */
static int call_begin(struct call *call, MPI_Comm comm,
		      const struct mpib_coll *coll, int bytes, int root)
{
	int size;
	int rc;

	MPI_Comm_size(comm, &size);
	rc = timing_agree(comm, check_call(coll, bytes, root, size));
	if (rc < 0)
		return rc;
	*call = (struct call){ .coll = coll, .bytes = bytes, .root = root };
	MPI_Comm_dup(comm, &call->comm);
	call->from = calloc((size_t)size, (size_t)bytes + 1);
	call->to = calloc((size_t)size, (size_t)bytes + 1);
	rc = timing_agree(comm, call->from && call->to ? 0 : -ENOMEM);
	if (rc < 0) {
		call_end(call);
		return rc;
	}
	run_call(call);
	return 0;
}

int mpib_measure_coll(MPI_Comm comm, const struct mpib_coll *coll, int bytes,
		      int root, const struct mpib_rules *rules,
		      struct mpib_result *result)
{
	struct call call;
	int rc;

	rc = call_begin(&call, comm, coll, bytes, root);
	if (rc < 0)
		return rc;
	rc = mpib_measure(comm, root, run_call, &call, rules, result);
	call_end(&call);
	return rc;
}

/* The task of one: it alone confirms, and the way there is what it weighs. */
static int measure_task(MPI_Comm comm, struct call *call, int one,
			const struct mpib_rules *rules,
			struct mpib_result *result)
{
	struct mpib_rules by_root = *rules;
	struct timing timing;
	int rc;

	by_root.timing = MPIB_ROOT;
	rc = timing_begin_task(&timing, comm, call->root, one, &by_root);
	if (rc < 0)
		return rc;
	timing.run = run_call;
	timing.argument = call;
	return measure_timing(&timing, result);
}

static int measure_tasks(MPI_Comm comm, struct call *call,
			 const struct mpib_rules *rules,
			 struct mpib_result *result)
{
	struct mpib_result longest = { 0 };
	struct mpib_result one;
	double cost = 0;
	int size;
	int rc;

	MPI_Comm_size(comm, &size);
	for (int i = 0; i < size; i++) {
		if (i == call->root && size > 1)
			continue;
		rc = measure_task(comm, call, i, rules, &one);
		if (rc < 0)
			return rc;
		cost += one.cost;
		if (one.median >= longest.median)
			longest = one;
	}
	*result = longest;
	result->cost = cost;
	return 0;
}

int mpib_measure_tasks(MPI_Comm comm, const struct mpib_coll *coll, int bytes,
		       int root, const struct mpib_rules *rules,
		       struct mpib_result *result)
{
	struct call call;
	int rc = check_rules(comm, rules);

	if (coll->kind != MPIB_BCAST && coll->kind != MPIB_SCATTER)
		rc = -EINVAL;
	if (rc == 0)
		rc = call_begin(&call, comm, coll, bytes, root);
	if (rc < 0)
		return rc;
	rc = measure_tasks(comm, &call, rules, result);
	call_end(&call);
	return rc;
}
