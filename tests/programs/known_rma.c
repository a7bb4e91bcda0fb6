/* SPDX-License-Identifier: BSD-3-Clause */

/* Windows and one-sided calls; the calls are in a table beside them. */
#include "known.h"

#define next ((rank + 1) % KNOWN_RANKS)

static int buf[10];
static int old[10];

static void active(MPI_Win win)
{
	static const struct known table[] = {
		{ "MPI_Win_fence", ALL(3), NONE, NONE },
		{ "MPI_Put", ALL(2), ALL(40 + 8), NONE },
		{ "MPI_Get", ALL(1), NONE, ALL(20) },
		{ "MPI_Accumulate", ALL(1), ALL(12), NONE },
	};

	MPI_Win_fence(0, win);
	MPI_Put(buf, 10, MPI_INT, next, 0, 10, MPI_INT, win);
	MPI_Put(buf, 1, MPI_DOUBLE, next, 10, 8, MPI_BYTE, win);
	MPI_Put(buf, 10, MPI_INT, MPI_PROC_NULL, 0, 10, MPI_INT, win);
	known_line("MPI_Put", 1, 0, 0);
	MPI_Win_fence(0, win);
	MPI_Get(buf, 5, MPI_INT, next, 0, 5, MPI_INT, win);
	MPI_Accumulate(buf, 3, MPI_INT, next, 20, 3, MPI_INT, MPI_SUM, win);
	MPI_Win_fence(0, win);
	known_print(table);
}

static void passive(MPI_Win win)
{
	static const struct known table[] = {
		{ "MPI_Win_lock", ALL(1), NONE, NONE },
		{ "MPI_Win_flush", ALL(1), NONE, NONE },
		{ "MPI_Win_unlock", ALL(1), NONE, NONE },
		{ "MPI_Fetch_and_op", ALL(1), ALL(4), ALL(4) },
		{ "MPI_Get_accumulate", ALL(1), ALL(12), ALL(12) },
		{ "MPI_Rput", ALL(1), ALL(16), NONE },
		{ "MPI_Rget", ALL(1), NONE, ALL(24) },
		{ "MPI_Waitall", ALL(1), NONE, NONE },
	};
	MPI_Request requests[2];

	MPI_Win_lock(MPI_LOCK_SHARED, next, 0, win);
	MPI_Fetch_and_op(buf, old, MPI_INT, next, 30, MPI_SUM, win);
	MPI_Get_accumulate(buf, 3, MPI_INT, old, 3, MPI_INT, next, 40, 3,
			   MPI_INT, MPI_SUM, win);
	MPI_Win_flush(next, win);
	MPI_Rput(buf, 4, MPI_INT, next, 50, 4, MPI_INT, win, &requests[0]);
	MPI_Rget(old, 6, MPI_INT, next, 60, 6, MPI_INT, win, &requests[1]);
	MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
	MPI_Win_unlock(next, win);
	known_print(table);
}

int main(int argc, char **argv)
{
	MPI_Win win;
	int *base;

	known_begin(&argc, &argv);
	MPI_Win_allocate(400, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &base,
			 &win);
	active(win);
	passive(win);
	MPI_Win_free(&win);
	known_line("MPI_Win_allocate", 1, 0, 0);
	known_line("MPI_Win_free", 1, 0, 0);
	MPI_Finalize();
	return 0;
}
