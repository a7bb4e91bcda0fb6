/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Measures a collective on buffers of its own, or a function of the caller's.
 */
#include <errno.h>

#include "own_call.h"
#include "repeat.h"
#include "timing.h"

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

int mpib_measure_coll(MPI_Comm comm, const struct mpib_coll *coll, int bytes,
		      int root, const struct mpib_rules *rules,
		      struct mpib_result *result)
{
	struct own_call call;
	int rc;

	rc = own_call_begin(&call, comm, coll, bytes, root);
	if (rc < 0)
		return rc;
	rc = mpib_measure(comm, root, own_call_run, &call, rules, result);
	own_call_end(&call);
	return rc;
}

/* The task of one: it alone confirms, and the way there is what it weighs. */
static int measure_task(MPI_Comm comm, struct own_call *call, int one,
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
	timing.run = own_call_run;
	timing.argument = call;
	return measure_timing(&timing, result);
}

static int measure_tasks(MPI_Comm comm, struct own_call *call,
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
	struct own_call call;
	int rc = check_rules(comm, rules);

	if (coll->kind != MPIB_BCAST && coll->kind != MPIB_SCATTER)
		rc = -EINVAL;
	if (rc == 0)
		rc = own_call_begin(&call, comm, coll, bytes, root);
	if (rc < 0)
		return rc;
	rc = measure_tasks(comm, &call, rules, result);
	own_call_end(&call);
	return rc;
}
