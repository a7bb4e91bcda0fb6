/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Receives from any source for which two ranks have sent, and some that only
 * look so: BCS_STRICT=races.
 */
#include "faulty.h"

static MPI_Request one;

static void race_recv(void)
{
	if (rank)
		/* ! sent */
		ISEND(0, 0, &one);
	BARRIER();
	if (rank) {
		WAIT(&one);
	} else {
		/* ! message-race */
		RECV(MPI_ANY_SOURCE, 0);
		RECV(MPI_ANY_SOURCE, 0);
	}
}

static void race_irecv(void)
{
	if (rank)
		/* ! sent */
		ISEND(0, 0, &one);
	BARRIER();
	if (rank) {
		WAIT(&one);
	} else {
		/* ! message-race */
		IRECV(MPI_ANY_SOURCE, MPI_ANY_TAG, &one);
		WAIT(&one);
		RECV(MPI_ANY_SOURCE, 0);
	}
}

/* Two of the same rank come in their order. */
static void order_of_one(void)
{
	MPI_Request more;

	if (rank == 1) {
		ISEND(0, 0, &one);
		ISEND(0, 0, &more);
	}
	BARRIER();
	if (rank == 1) {
		WAIT(&one);
		WAIT(&more);
	} else if (rank == 0) {
		RECV(MPI_ANY_SOURCE, 0);
		RECV(MPI_ANY_SOURCE, 0);
	}
}

/* Rank 2 sends with another tag, and on another communicator. */
static void others_there(void)
{
	MPI_Request more;
	MPI_Comm dup;

	MPI_Comm_dup(comm, &dup);
	if (rank)
		ISEND(0, rank, &one);
	if (rank == 2)
		MPI_Isend(x, 1, MPI_INT, 0, 1, dup, &more);
	BARRIER();
	if (rank)
		WAIT(&one);
	else
		RECV(MPI_ANY_SOURCE, 1);
	if (rank == 2)
		WAIT(&more);
	if (rank == 0) {
		RECV(2, 2);
		MPI_Recv(y, 1, MPI_INT, 2, 1, dup, NOTHING);
	}
	MPI_Comm_free(&dup);
}

static MPI_Win fence_begin(void)
{
	int *memory;
	MPI_Win win;

	MPI_Win_allocate(64 * sizeof(int), sizeof(int), MPI_INFO_NULL, comm,
			 &memory, &win);
	MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
	return win;
}

static void fence_end(MPI_Win win)
{
	MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
	MPI_Win_free(&win);
}

static void put_of_two(void)
{
	MPI_Win win = fence_begin();

	if (rank)
		/* ! accesses-conflict */
		MPI_Put(x, 2, MPI_INT, 0, 2 + rank, 2, MPI_INT, win);
	fence_end(win);
}

static void get_of_another(void)
{
	MPI_Win win = fence_begin();

	if (rank == 1)
		/* ! accesses-conflict */
		MPI_Put(x, 1, MPI_INT, 0, 7, 1, MPI_INT, win);
	if (rank == 2)
		/* ! accesses-conflict */
		MPI_Get(y, 8, MPI_INT, 0, 0, 8, MPI_INT, win);
	fence_end(win);
}

/* Other bytes, reads, sums, another target, and an epoch of its own. */
static void origins_apart(void)
{
	MPI_Win win = fence_begin();

	if (rank) {
		MPI_Put(x, 2, MPI_INT, 0, 2 * rank, 2, MPI_INT, win);
		MPI_Get(y, 8, MPI_INT, 0, 16, 8, MPI_INT, win);
		MPI_Accumulate(x, 2, MPI_INT, 0, 32, 2, MPI_INT, MPI_SUM, win);
		MPI_Put(x, 4, MPI_INT, rank, 40, 4, MPI_INT, win);
	}
	MPI_Win_fence(0, win);
	if (rank == 1)
		MPI_Put(x, 4, MPI_INT, 0, 50, 4, MPI_INT, win);
	MPI_Win_fence(0, win);
	if (rank == 2)
		MPI_Put(x, 4, MPI_INT, 0, 50, 4, MPI_INT, win);
	fence_end(win);
}

/* The lock of one is over before the other's begins. */
static void locks_apart(void)
{
	int *memory;
	MPI_Win win;

	MPI_Win_allocate(64 * sizeof(int), sizeof(int), MPI_INFO_NULL, comm,
			 &memory, &win);
	for (int i = 0; i < size; i++) {
		if (i == rank) {
			MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
			MPI_Put(x, 1, MPI_INT, 0, 3, 1, MPI_INT, win);
			MPI_Win_unlock(0, win);
		}
		BARRIER();
	}
	MPI_Win_fence(0, win);
	fence_end(win);
}

const struct faulty faulty_races[] = {
	CASE(race_recv, 3),     CASE(race_irecv, 3),  CASE(order_of_one, 3),
	CASE(others_there, 3),  CASE(put_of_two, 3),  CASE(get_of_another, 3),
	CASE(origins_apart, 3), CASE(locks_apart, 3), { 0 },
};
