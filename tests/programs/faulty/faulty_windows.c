/* SPDX-License-Identifier: BSD-3-Clause */

/* One-sided calls that are wrong, and such that look so. */
#include "faulty.h"

static MPI_Request one;
static MPI_Win win;
static int *memory;

#define PUT(to, at) MPI_Put(x, 1, MPI_INT, to, at, 1, MPI_INT, win)
#define GET(to, at) MPI_Get(y, 1, MPI_INT, to, at, 1, MPI_INT, win)

static void open_window(void)
{
	MPI_Win_allocate(64 * sizeof(int), sizeof(int), MPI_INFO_NULL, comm,
			 &memory, &win);
}

static void outside_of_fences(void)
{
	open_window();
	/* ! mpi-error */
	PUT(after, 0);
	MPI_Win_free(&win);
}

static void behind_the_last_fence(void)
{
	open_window();
	MPI_Win_fence(0, win);
	MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
	/* ! mpi-error */
	GET(after, 0);
	MPI_Win_free(&win);
}

static void other_than_locked(void)
{
	open_window();
	MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
	/* ! access-not-locked */
	PUT(1, rank);
	MPI_Win_unlock(0, win);
	BARRIER();
	MPI_Win_free(&win);
}

static void unlock_of_none(void)
{
	open_window();
	/* ! mpi-error */
	MPI_Win_unlock(0, win);
	MPI_Win_free(&win);
}

static void put_and_put(void)
{
	open_window();
	MPI_Win_fence(0, win);
	PUT(after, 3);
	/* ! accesses-conflict */
	PUT(after, 3);
	MPI_Win_fence(0, win);
	MPI_Win_free(&win);
}

static void put_and_get(void)
{
	open_window();
	MPI_Win_lock_all(0, win);
	PUT(after, 5);
	MPI_Win_flush_local(after, win);
	/* ! accesses-conflict */
	GET(after, 5);
	MPI_Win_unlock_all(win);
	MPI_Win_free(&win);
}

static void sum_and_put(void)
{
	open_window();
	MPI_Win_fence(0, win);
	MPI_Accumulate(x, 4, MPI_INT, after, 0, 4, MPI_INT, MPI_SUM, win);
	/* ! accesses-conflict */
	PUT(after, 0);
	MPI_Win_fence(0, win);
	MPI_Win_free(&win);
}

static void one_after_another(void)
{
	open_window();
	MPI_Win_fence(0, win);
	for (int i = 0; i < 3; i++) {
		PUT(after, 0);
		PUT(after, 1);
		GET(after, 2);
		GET(after, 2);
		MPI_Win_fence(0, win);
	}
	MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
	MPI_Win_free(&win);
}

static void flushed_between(void)
{
	open_window();
	MPI_Win_lock(MPI_LOCK_SHARED, after, 0, win);
	PUT(after, 0);
	MPI_Win_flush(after, win);
	GET(after, 0);
	MPI_Win_unlock(after, win);
	MPI_Win_lock_all(0, win);
	GET(after, 0);
	GET(before, 0);
	MPI_Rget(y, 1, MPI_INT, after, 9, 1, MPI_INT, win, &one);
	WAIT(&one);
	PUT(after, 9);
	GET(after, 11);
	MPI_Win_flush_local(after, win);
	PUT(after, 11);
	GET(after, 13);
	MPI_Win_flush_local_all(win);
	PUT(after, 13);
	MPI_Win_unlock_all(win);
	MPI_Win_free(&win);
}

static void sums_of_several(void)
{
	open_window();
	MPI_Win_fence(0, win);
	MPI_Accumulate(x, 4, MPI_INT, after, 0, 4, MPI_INT, MPI_SUM, win);
	MPI_Accumulate(x, 4, MPI_INT, after, 0, 4, MPI_INT, MPI_SUM, win);
	MPI_Put(x, 0, MPI_INT, after, 0, 0, MPI_INT, win);
	PUT(MPI_PROC_NULL, 0);
	PUT(MPI_PROC_NULL, 0);
	MPI_Win_fence(0, win);
	MPI_Win_free(&win);
}

static void posts_and_starts(void)
{
	MPI_Group all;
	MPI_Group to;
	MPI_Group from;

	open_window();
	MPI_Comm_group(comm, &all);
	MPI_Group_incl(all, 1, &after, &to);
	MPI_Group_incl(all, 1, &before, &from);
	for (int i = 0; i < 2; i++) {
		MPI_Win_post(from, 0, win);
		MPI_Win_start(to, 0, win);
		PUT(after, 7);
		MPI_Win_complete(win);
		MPI_Win_wait(win);
	}
	MPI_Group_free(&all);
	MPI_Group_free(&to);
	MPI_Group_free(&from);
	MPI_Win_free(&win);
}

const struct faulty faulty_windows[] = {
	CASE(outside_of_fences, 2), CASE(behind_the_last_fence, 2),
	CASE(other_than_locked, 2), CASE(unlock_of_none, 2),
	CASE(put_and_put, 2),       CASE(put_and_get, 2),
	CASE(sum_and_put, 2),       CASE(one_after_another, 2),
	CASE(flushed_between, 2),   CASE(sums_of_several, 2),
	CASE(posts_and_starts, 2),  { 0 },
};
