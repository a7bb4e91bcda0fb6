/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * One-sided operations of an origin on the memory of a target, by each way to
 * synchronise.  The target has no part in those with locks.
 */
#include <string.h>

#include "benchmarks/mpib/pattern/pattern.h"
#include "benchmarks/mpib/verify.h"

#define START 1000 /* of the counter that fetch_and_op increases */
#define STEP  7

static bool is_origin(const struct pattern_run *run)
{
	return run->peer >= 0 && run->first;
}

static void fence_begin(struct pattern_run *run)
{
	MPI_Win_fence(MPI_MODE_NOPRECEDE, run->win);
}

static void fence_end(struct pattern_run *run)
{
	MPI_Win_fence(MPI_MODE_NOSUCCEED, run->win);
}

static void lock_begin(struct pattern_run *run)
{
	if (is_origin(run))
		MPI_Win_lock(MPI_LOCK_SHARED, run->peer, 0, run->win);
}

static void lock_end(struct pattern_run *run)
{
	if (is_origin(run))
		MPI_Win_unlock(run->peer, run->win);
}

static void flush_hold(struct pattern_run *run)
{
	MPI_Win_lock_all(0, run->win);
}

static void flush_release(struct pattern_run *run)
{
	MPI_Win_unlock_all(run->win);
}

static void flush_begin(struct pattern_run *run)
{
	(void)run;
}

static void flush_end(struct pattern_run *run)
{
	if (is_origin(run))
		MPI_Win_flush(run->peer, run->win);
}

static void pscw_begin(struct pattern_run *run)
{
	if (is_origin(run))
		MPI_Win_start(run->group, 0, run->win);
	else if (run->peer >= 0)
		MPI_Win_post(run->group, 0, run->win);
}

static void pscw_end(struct pattern_run *run)
{
	if (is_origin(run))
		MPI_Win_complete(run->win);
	else if (run->peer >= 0)
		MPI_Win_wait(run->win);
}

const struct pattern_sync pattern_fence = { NULL, NULL, fence_begin,
					    fence_end };
const struct pattern_sync pattern_lock = { NULL, NULL, lock_begin, lock_end };
const struct pattern_sync pattern_flush = { flush_hold, flush_release,
					    flush_begin, flush_end };
const struct pattern_sync pattern_pscw = { NULL, NULL, pscw_begin, pscw_end };

void pattern_one_sided(void *argument)
{
	struct pattern_run *run = argument;

	run->pattern->sync->begin(run);
	for (int i = 0; is_origin(run) && i < run->window; i++)
		run->pattern->issue(run);
	run->pattern->sync->end(run);
}

void pattern_put(struct pattern_run *run)
{
	MPI_Put(run->from, run->bytes, MPI_BYTE, run->peer, 0, run->bytes,
		MPI_BYTE, run->win);
}

void pattern_get(struct pattern_run *run)
{
	MPI_Get(run->to, run->bytes, MPI_BYTE, run->peer, 0, run->bytes,
		MPI_BYTE, run->win);
}

void pattern_accumulate(struct pattern_run *run)
{
	MPI_Accumulate(run->from, run->bytes, MPI_BYTE, run->peer, 0,
		       run->bytes, MPI_BYTE, MPI_BXOR, run->win);
}

void pattern_fetch_and_op(struct pattern_run *run)
{
	MPI_Fetch_and_op(run->from, run->to, MPI_INT64_T, run->peer, 0, MPI_SUM,
			 run->win);
}

static void counter_fill(struct pattern_run *run)
{
	const int64_t start = START;
	const int64_t step = STEP;

	memcpy(run->memory, &start, sizeof(start));
	memcpy(run->from, &step, sizeof(step));
}

void pattern_fill(struct pattern_run *run)
{
	if (run->pattern->issue == pattern_fetch_and_op) {
		counter_fill(run);
		return;
	}
	verify_fill(run->from, run->rank, run->peer, run->bytes);
	if (run->win != MPI_WIN_NULL)
		verify_fill(run->memory, run->rank, run->rank, run->bytes);
}

bool pattern_put_is_right(const struct pattern_run *run, int times)
{
	(void)times;
	return run->first ||
	       verify_holds(run->memory, run->peer, run->rank, run->bytes);
}

bool pattern_get_is_right(const struct pattern_run *run, int times)
{
	(void)times;
	return !run->first ||
	       verify_holds(run->to, run->peer, run->peer, run->bytes);
}

/* An even number of exclusive ors of the same leaves nothing. */
bool pattern_sum_is_right(const struct pattern_run *run, int times)
{
	for (int i = 0; !run->first && i < run->bytes; i++) {
		unsigned char due = verify_byte(run->rank, run->rank, i);

		if (times % 2)
			due ^= verify_byte(run->peer, run->rank, i);
		if ((unsigned char)run->memory[i] != due)
			return false;
	}
	return true;
}

/* The origin's last answer is that before its own step. */
bool pattern_fetch_is_right(const struct pattern_run *run, int times)
{
	int64_t value;

	memcpy(&value, run->first ? run->to : run->memory, sizeof(value));
	return value == START + (int64_t)STEP * (times - run->first);
}
