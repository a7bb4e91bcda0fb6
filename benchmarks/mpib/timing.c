/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * A repetition is three numbers at each process, whose maxima over all make its
 * time: whether it was late, minus its begin, its end.  They are reduced when a
 * batch is over, so that between two repetitions is what isolates them, and
 * nothing else.
 */
#include "timing.h"

#include <errno.h>
#include <math.h>
#include <sched.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "repeat.h"

#define LATE        1000  /* ns after a deadline */
#define LEAD        20000 /* ns: the first one's */
#define LEAD_MOST   10000000
#define CONFIRMS    20
#define CONFIRM_TAG 2
#define NS          1e-9

void timing_barrier(MPI_Comm comm, bool crowded)
{
	MPI_Request request;
	int done = 0;

	if (!crowded) {
		MPI_Barrier(comm);
		return;
	}
	MPI_Ibarrier(comm, &request);
	for (;;) {
		MPI_Test(&request, &done, MPI_STATUS_IGNORE);
		if (done)
			return;
		sched_yield();
	}
}

int timing_agree(MPI_Comm comm, int rc)
{
	MPI_Allreduce(MPI_IN_PLACE, &rc, 1, MPI_INT, MPI_MIN, comm);
	return rc;
}

/*
 * The cores of all processes of the host, each of which may be bound to its
 * own.  If that cannot be told, all cores.
 */
static int cores_of(MPI_Comm node)
{
	cpu_set_t cores;

	if (sched_getaffinity(0, sizeof(cores), &cores) != 0)
		memset(&cores, 0xff, sizeof(cores));
	MPI_Allreduce(MPI_IN_PLACE, &cores, sizeof(cores), MPI_BYTE, MPI_BOR,
		      node);
	return CPU_COUNT(&cores);
}

/* Alike for all processes of a host; hosts may have the same one by chance. */
static int host_color(void)
{
	char name[MPI_MAX_PROCESSOR_NAME];
	unsigned color = 2166136261; /* FNV-1a */
	int length = 0;

	MPI_Get_processor_name(name, &length);
	for (int i = 0; i < length; i++)
		color = (color ^ (unsigned char)name[i]) * 16777619;
	return (int)(color >> 1);
}

/*
 * The processes of this one's host.  MPICH 5.0 with UCX, as Debian builds it,
 * says that each is on a host of its own: there the name decides.
 */
static void host_split(MPI_Comm comm, MPI_Comm *host)
{
	int size;

	MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, host);
	MPI_Comm_size(*host, &size);
	MPI_Allreduce(MPI_IN_PLACE, &size, 1, MPI_INT, MPI_MAX, comm);
	if (size > 1)
		return;
	MPI_Comm_free(host);
	MPI_Comm_split(comm, host_color(), 0, host);
}

int mpib_crowded(MPI_Comm comm, bool *crowded)
{
	MPI_Comm node;
	int beyond;
	int size;

	host_split(comm, &node);
	MPI_Comm_size(node, &size);
	beyond = size > cores_of(node);
	MPI_Comm_free(&node);
	MPI_Allreduce(MPI_IN_PLACE, &beyond, 1, MPI_INT, MPI_MAX, comm);
	*crowded = beyond;
	return 0;
}

static bool confirms(const struct timing *timing, int rank)
{
	return rank != timing->root &&
	       (timing->task < 0 || timing->task == rank);
}

/* The others, or one of them, tell the root that they are done. */
static void confirm(const struct timing *timing)
{
	int size;

	MPI_Comm_size(timing->comm, &size);
	if (confirms(timing, timing->rank))
		MPI_Send(NULL, 0, MPI_BYTE, timing->root, CONFIRM_TAG,
			 timing->comm);
	if (timing->rank != timing->root)
		return;
	for (int i = 0; i < size; i++)
		if (confirms(timing, i))
			MPI_Recv(NULL, 0, MPI_BYTE, i, CONFIRM_TAG,
				 timing->comm, MPI_STATUS_IGNORE);
}

/* Measures a confirmation alone, once all have begun it. */
static void weigh_confirmation(struct timing *timing)
{
	int64_t least = INT64_MAX;

	for (int i = 0; i < CONFIRMS; i++) {
		int64_t begin;

		timing_barrier(timing->comm, timing->crowded);
		begin = mpib_clock_now();
		confirm(timing);
		begin = mpib_clock_now() - begin;
		if (begin < least)
			least = begin;
	}
	timing->confirmation = least;
}

static int make_room(struct timing *timing)
{
	const size_t room = 3 * (size_t)timing->rules.max_reps;

	timing->times = calloc(room, sizeof(*timing->times));
	if (timing->rules.flush > 0)
		timing->flushed = malloc((size_t)timing->rules.flush);
	return timing_agree(
		timing->comm,
		!timing->times || (timing->rules.flush > 0 && !timing->flushed)
			? -ENOMEM
			: 0);
}

int timing_begin(struct timing *timing, MPI_Comm comm, int root,
		 const struct mpib_rules *rules)
{
	return timing_begin_task(timing, comm, root, -1, rules);
}

int timing_begin_task(struct timing *timing, MPI_Comm comm, int root, int task,
		      const struct mpib_rules *rules)
{
	int rc;

	*timing = (struct timing){
		.root = root,
		.rules = *rules,
		.lead = LEAD,
		.task = task,
	};
	MPI_Comm_dup(comm, &timing->comm);
	MPI_Comm_rank(comm, &timing->rank);
	mpib_crowded(comm, &timing->crowded);
	/*
	 * A rank that has no core at the deadline misses it, again and again.
	 */
	if (timing->crowded && rules->start == MPIB_START_DEADLINE)
		timing->rules.start = MPIB_START_BARRIER;
	rc = make_room(timing);
	if (rc < 0)
		goto free_room;
	rc = mpib_clock_new(comm, false, &timing->clock);
	if (rc < 0)
		goto free_room;
	if (rules->timing == MPIB_ROOT)
		weigh_confirmation(timing);
	return 0;
free_room:
	free(timing->times);
	free(timing->flushed);
	MPI_Comm_free(&timing->comm);
	return rc;
}

void timing_end(struct timing *timing)
{
	mpib_clock_free(timing->clock);
	free(timing->times);
	free(timing->flushed);
	MPI_Comm_free(&timing->comm);
}

/* Each line is written with another byte than before. */
static void flush_caches(struct timing *timing)
{
	const size_t n = (size_t)timing->rules.flush;

	if (timing->flushed)
		memset(timing->flushed, ++timing->flushes & 0xff, n);
}

static void wait_until(int64_t when)
{
	while (mpib_clock_now() < when)
		;
}

/* The local time at which all begin. */
static int64_t agree_deadline(struct timing *timing)
{
	int64_t when = mpib_clock_now();

	when = mpib_clock_global(timing->clock, when) + timing->lead;
	MPI_Bcast(&when, 1, MPI_INT64_T, timing->root, timing->comm);
	return mpib_clock_local(timing->clock, when);
}

/* When this process began; *late if it should have earlier. */
static int64_t start(struct timing *timing, int64_t *late)
{
	int64_t deadline;
	int64_t now;

	*late = 0;
	if (timing->rules.start != MPIB_START_AT_ONCE)
		timing_barrier(timing->comm, timing->crowded);
	if (timing->rules.start != MPIB_START_DEADLINE)
		return mpib_clock_now();
	deadline = agree_deadline(timing);
	wait_until(deadline);
	now = mpib_clock_now();
	*late = now - deadline > LATE;
	return now;
}

/* A confirmation that was on its way meanwhile is not taken off twice. */
static int64_t until_confirmed(const struct timing *timing, int64_t begin,
			       int64_t end)
{
	int64_t whole;

	confirm(timing);
	whole = mpib_clock_now() - begin - timing->confirmation;
	return whole > end - begin ? whole : end - begin;
}

static void run_one(struct timing *timing, int64_t *times)
{
	int64_t begin;
	int64_t end;

	flush_caches(timing);
	begin = start(timing, &times[0]);
	timing->run(timing->argument);
	end = mpib_clock_now();
	times[1] = 0;
	times[2] = end - begin;
	if (timing->rules.timing == MPIB_ROOT) {
		times[2] = until_confirmed(timing, begin, end);
		if (timing->rank != timing->root)
			times[2] = 0;
	} else if (timing->rules.timing == MPIB_GLOBAL) {
		times[1] = begin;
		times[2] = end;
	}
}

/* Clocks were compared before and after. */
static void make_global(struct timing *timing, int n)
{
	int64_t *times = timing->times;

	mpib_clock_anchor(timing->clock);
	for (int i = 0; i < n; i++, times += 3) {
		times[1] = -mpib_clock_global(timing->clock, times[1]);
		times[2] = mpib_clock_global(timing->clock, times[2]);
	}
}

static void reduce(struct timing *timing, int n)
{
	void *times = timing->times;

	if (timing->rank == timing->root)
		MPI_Reduce(MPI_IN_PLACE, times, 3 * n, MPI_INT64_T, MPI_MAX,
			   timing->root, timing->comm);
	else
		MPI_Reduce(times, NULL, 3 * n, MPI_INT64_T, MPI_MAX,
			   timing->root, timing->comm);
}

/* A deadline that many miss is too close. */
static void adapt(struct timing *timing, int late, int n)
{
	if (late * 10 > n && timing->lead < LEAD_MOST)
		timing->lead *= 2;
}

void timing_batch(struct timing *timing, int n, double *seconds)
{
	int64_t *times = timing->times;
	int late = 0;

	for (int i = 0; i < n; i++)
		run_one(timing, times + (ptrdiff_t)i * 3);
	if (timing->rules.timing == MPIB_GLOBAL)
		make_global(timing, n);
	reduce(timing, n);
	if (timing->rank != timing->root)
		return;
	for (int i = 0; i < n; i++, times += 3) {
		seconds[i] = times[0] ? NAN
				      : (double)(times[1] + times[2]) * NS;
		late += times[0] != 0;
	}
	adapt(timing, late, n);
}

/* Runs as many batches as the root says. */
static void run_batches(struct timing *timing, struct repeat *repeat,
			double *seconds, int64_t begin)
{
	int n;

	for (;;) {
		n = repeat_next(repeat,
				(double)(mpib_clock_now() - begin) * NS);
		MPI_Bcast(&n, 1, MPI_INT, timing->root, timing->comm);
		if (n == 0)
			return;
		timing_batch(timing, n, seconds);
		if (timing->rank == timing->root)
			for (int i = 0; i < n; i++)
				repeat_add(repeat, seconds[i]);
	}
}

/* By how much clocks may be off, where that matters. */
static double bound(const struct timing *timing)
{
	int64_t most = mpib_clock_bound(timing->clock);

	if (timing->rules.timing != MPIB_GLOBAL)
		most = 0;
	MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_INT64_T, MPI_MAX,
		      timing->comm);
	return (double)most * NS;
}

static int share_result(const struct timing *timing,
			const struct repeat *repeat, int64_t begin,
			struct mpib_result *result)
{
	struct mpib_result made = { 0 };
	const double elapsed = (double)(mpib_clock_now() - begin) * NS;
	const double off = bound(timing);
	int rc = 0;

	if (timing->rank == timing->root)
		rc = repeat_result(repeat, elapsed, &made);
	made.bound = off;
	rc = timing_agree(timing->comm, rc);
	MPI_Bcast(&made, sizeof(made), MPI_BYTE, timing->root, timing->comm);
	if (rc == 0)
		*result = made;
	return rc;
}

int timing_repeat(struct timing *timing, struct mpib_result *result)
{
	const int64_t begin = mpib_clock_now();
	struct repeat repeat = { 0 };
	double *seconds;
	int rc;

	seconds = calloc((size_t)timing->rules.max_reps, sizeof(*seconds));
	rc = repeat_begin(&repeat, &timing->rules);
	rc = timing_agree(timing->comm, seconds ? rc : -ENOMEM);
	if (rc == 0) {
		for (int i = 0; i < timing->rules.warm_up; i++)
			run_one(timing, timing->times);
		run_batches(timing, &repeat, seconds, begin);
		rc = share_result(timing, &repeat, begin, result);
	}
	repeat_end(&repeat);
	free(seconds);
	return rc;
}
