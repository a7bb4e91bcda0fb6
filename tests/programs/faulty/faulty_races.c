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

/* That of the other rank has another tag, or another communicator. */
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

const struct faulty faulty_races[] = {
	CASE(race_recv, 3),
	CASE(race_irecv, 3),
	CASE(order_of_one, 3),
	CASE(others_there, 3),
	{ 0 },
};
