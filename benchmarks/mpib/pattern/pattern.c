/* SPDX-License-Identifier: BSD-3-Clause */

/* The table of patterns, and what a process needs to run one. */
#include "benchmarks/mpib/pattern/pattern.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "benchmarks/mpib/timing.h"

#define N (int)(sizeof(rows) / sizeof(rows[0]))

#define MESSAGES(name, window, all, run, is_right)                         \
	{                                                                  \
		{ name, "mpi", 0, window }, all, run, is_right, NULL, NULL \
	}
#define ONE_SIDED(name, bytes, way, issue, is_right)                          \
	{                                                                     \
		{ name, #way, bytes, 1 }, false, pattern_one_sided, is_right, \
			&pattern_##way, issue                                 \
	}
#define WAYS(name, bytes, issue, is_right)                      \
	ONE_SIDED(name, bytes, fence, issue, is_right),         \
		ONE_SIDED(name, bytes, lock, issue, is_right),  \
		ONE_SIDED(name, bytes, flush, issue, is_right), \
		ONE_SIDED(name, bytes, pscw, issue, is_right)

static const struct pattern rows[] = {
	MESSAGES("bandwidth", 64, false, pattern_stream,
		 pattern_stream_is_right),
	MESSAGES("bidirectional", 64, false, pattern_both_ways,
		 pattern_both_are_right),
	MESSAGES("message_rate", 64, true, pattern_stream,
		 pattern_stream_is_right),
	MESSAGES("multi_pair", 1, true, pattern_round_trip,
		 pattern_both_are_right),
	WAYS("put", 0, pattern_put, pattern_put_is_right),
	WAYS("get", 0, pattern_get, pattern_get_is_right),
	WAYS("accumulate", 0, pattern_accumulate, pattern_sum_is_right),
	WAYS("fetch_and_op", 8, pattern_fetch_and_op, pattern_fetch_is_right),
};

const struct mpib_pattern *mpib_pattern_own(int i)
{
	return i >= 0 && i < N ? &rows[i].shown : NULL;
}

/* The row that this is the first part of. */
static const struct pattern *pattern_of(const struct mpib_pattern *shown)
{
	for (int i = 0; i < N; i++)
		if (&rows[i].shown == shown)
			return &rows[i];
	return NULL;
}

int64_t mpib_pattern_messages(const struct mpib_pattern *shown, int n,
			      int window)
{
	const struct pattern *row = pattern_of(shown);
	const int64_t pairs = row && row->all ? n / 2 : 1;
	const bool both = row && (row->run == pattern_both_ways ||
				  row->run == pattern_round_trip);

	return pairs * window * (both ? 2 : 1);
}

/* Who is left over has no peer. */
static int peer_of(const struct pattern_run *run)
{
	const int half = run->pattern->all ? run->size / 2 : 1;
	const int peer = run->rank < half ? run->rank + half : run->rank - half;

	return run->rank < 2 * half ? peer : -1;
}

static int check(const struct pattern *pattern, int size, int bytes, int window)
{
	if (!pattern || size < 2 || bytes < 0 || window < 1 ||
	    (pattern->shown.bytes && bytes != pattern->shown.bytes))
		return -EINVAL;
	return bytes > INT_MAX / window ? -EOVERFLOW : 0;
}

static int make_room(struct pattern_run *run)
{
	const size_t window = (size_t)run->window;
	const size_t bytes = (size_t)run->bytes;

	run->from = calloc(1, bytes + 1);
	run->to = calloc(window, bytes + 1);
	run->requests = calloc(2 * window, sizeof(*run->requests));
	run->statuses = calloc(2 * window, sizeof(*run->statuses));
	return run->from && run->to && run->requests && run->statuses ? 0
								      : -ENOMEM;
}

/*
 * With a group of the peer, for pscw.  MPICH 4.0.2 reaches other memory than
 * the target's if the bytes of an allocated window are no multiple of 8.
 */
static void make_window(struct pattern_run *run)
{
	MPI_Group all;

	MPI_Win_allocate(((MPI_Aint)run->bytes | 63) + 1, 1, MPI_INFO_NULL,
			 run->comm, &run->memory, &run->win);
	MPI_Comm_group(run->comm, &all);
	MPI_Group_incl(all, run->peer >= 0, &run->peer, &run->group);
	MPI_Group_free(&all);
}

static void hold(struct pattern_run *run)
{
	if (run->pattern->sync && run->pattern->sync->hold)
		run->pattern->sync->hold(run);
}

static void release(struct pattern_run *run)
{
	if (run->pattern->sync && run->pattern->sync->release)
		run->pattern->sync->release(run);
}

static void end(struct pattern_run *run)
{
	if (run->win != MPI_WIN_NULL) {
		MPI_Win_free(&run->win);
		MPI_Group_free(&run->group);
	}
	free(run->from);
	free(run->to);
	free(run->requests);
	free(run->statuses);
	MPI_Comm_free(&run->comm);
}

static int begin(struct pattern_run *run, MPI_Comm comm,
		 const struct mpib_pattern *shown, int bytes, int window)
{
	int rc;

	*run = (struct pattern_run){ .pattern = pattern_of(shown),
				     .bytes = bytes,
				     .window = window,
				     .win = MPI_WIN_NULL };
	MPI_Comm_rank(comm, &run->rank);
	MPI_Comm_size(comm, &run->size);
	rc = timing_agree(comm, check(run->pattern, run->size, bytes, window));
	if (rc < 0)
		return rc;
	MPI_Comm_dup(comm, &run->comm);
	run->peer = peer_of(run);
	run->first = run->peer > run->rank;
	rc = timing_agree(comm, make_room(run));
	if (rc < 0) {
		end(run);
		return rc;
	}
	if (run->pattern->sync)
		make_window(run);
	return 0;
}

int mpib_measure_pattern(MPI_Comm comm, const struct mpib_pattern *pattern,
			 int bytes, int window, const struct mpib_rules *rules,
			 struct mpib_result *result)
{
	struct pattern_run run;
	int rc = begin(&run, comm, pattern, bytes, window);

	if (rc < 0)
		return rc;
	hold(&run);
	run.pattern->run(&run);
	rc = mpib_measure(run.comm, 0, run.pattern->run, &run, rules, result);
	release(&run);
	end(&run);
	return rc;
}

/* A process sees its own memory within a lock of it. */
static void see(const struct pattern_run *run)
{
	MPI_Barrier(run->comm);
	if (run->win != MPI_WIN_NULL)
		MPI_Win_lock(MPI_LOCK_EXCLUSIVE, run->rank, 0, run->win);
}

static void seen(const struct pattern_run *run)
{
	if (run->win != MPI_WIN_NULL)
		MPI_Win_unlock(run->rank, run->win);
	MPI_Barrier(run->comm);
}

int mpib_check_pattern(MPI_Comm comm, const struct mpib_pattern *pattern,
		       int bytes, int window)
{
	struct pattern_run run;
	bool is_right;
	int rc = begin(&run, comm, pattern, bytes, window);

	if (rc < 0)
		return rc;
	see(&run);
	pattern_fill(&run);
	seen(&run);
	hold(&run);
	run.pattern->run(&run);
	release(&run);
	see(&run);
	is_right = run.peer < 0 || run.pattern->is_right(&run, window);
	seen(&run);
	rc = timing_agree(run.comm, is_right ? 0 : -EBADMSG);
	end(&run);
	return rc;
}
