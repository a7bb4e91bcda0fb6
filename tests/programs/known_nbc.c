/* SPDX-License-Identifier: BSD-3-Clause */

/* Non-blocking collectives; the calls are in a table beside them. */
#include "known.h"

#define WORLD MPI_COMM_WORLD

static int in[100];
static int out[100];

static void wait_for(MPI_Request *request)
{
	MPI_Wait(request, MPI_STATUS_IGNORE);
	known_line("MPI_Wait", 1, 0, 0);
}

/* The bytes of a collective are known when it starts, and credited to it. */
static void nonblocking(void)
{
	static const struct known table[] = {
		{ "MPI_Ibarrier", ALL(1), NONE, NONE },
		{ "MPI_Ibcast", ALL(1), { 40, 0, 0 }, { 0, 40, 40 } },
		{ "MPI_Iallreduce", ALL(1), ALL(28), ALL(28) },
		{ "MPI_Igatherv", ALL(1), { 4, 8, 12 }, { 0, 0, 24 } },
		{ "MPI_Ialltoall", ALL(1), ALL(24), ALL(24) },
		{ "MPI_Ireduce_scatter", ALL(1), ALL(24), { 4, 8, 12 } },
		{ "MPI_Iexscan", ALL(1), ALL(4), { 0, 4, 4 } },
	};
	const int counts[] = { 1, 2, 3 };
	const int places[] = { 0, 10, 20 };
	MPI_Request request;

	MPI_Ibarrier(WORLD, &request);
	wait_for(&request);
	MPI_Ibcast(out, 10, MPI_INT, 0, WORLD, &request);
	wait_for(&request);
	MPI_Iallreduce(out, in, 7, MPI_INT, MPI_SUM, WORLD, &request);
	wait_for(&request);
	MPI_Igatherv(out, rank + 1, MPI_INT, in, counts, places, MPI_INT, 2,
		     WORLD, &request);
	wait_for(&request);
	MPI_Ialltoall(out, 2, MPI_INT, in, 2, MPI_INT, WORLD, &request);
	wait_for(&request);
	MPI_Ireduce_scatter(out, in, counts, MPI_INT, MPI_SUM, WORLD, &request);
	wait_for(&request);
	MPI_Iexscan(out, in, 1, MPI_INT, MPI_SUM, WORLD, &request);
	wait_for(&request);
	known_print(table);
}

/* A ring of three: two neighbours each. */
static void neighbours(void)
{
	static const struct known table[] = {
		{ "MPI_Cart_create", ALL(1), NONE, NONE },
		{ "MPI_Cart_shift", ALL(1), NONE, NONE },
		{ "MPI_Neighbor_allgather", ALL(1), ALL(12), ALL(24) },
		{ "MPI_Neighbor_alltoall", ALL(1), ALL(24), ALL(24) },
		{ "MPI_Neighbor_alltoallv", ALL(1), ALL(12), ALL(12) },
		{ "MPI_Comm_free", ALL(1), NONE, NONE },
	};
	const int counts[] = { 1, 2 };
	const int crossed[] = { 2, 1 };
	const int places[] = { 0, 10 };
	const int periods[] = { 1 };
	const int dims[] = { KNOWN_RANKS };
	MPI_Comm ring;
	int from;
	int to;

	MPI_Cart_create(WORLD, 1, dims, periods, 0, &ring);
	MPI_Cart_shift(ring, 0, 1, &from, &to);
	MPI_Neighbor_allgather(out, 3, MPI_INT, in, 3, MPI_INT, ring);
	MPI_Neighbor_alltoall(out, 3, MPI_INT, in, 3, MPI_INT, ring);
	MPI_Neighbor_alltoallv(out, counts, places, MPI_INT, in, crossed,
			       places, MPI_INT, ring);
	MPI_Comm_free(&ring);
	known_print(table);
}

static void persistent(void)
{
	static const struct known table[] = {
		{ "MPI_Bcast_init", ALL(1), NONE, NONE },
		{ "MPI_Allreduce_init", ALL(1), NONE, NONE },
		{ "MPI_Start",
		  ALL(3),
		  { 80 + 8, 8, 8 },
		  { 8, 80 + 8, 80 + 8 } },
		{ "MPI_Request_free", ALL(2), NONE, NONE },
	};
	MPI_Request bcast;
	MPI_Request allreduce;

	MPI_Bcast_init(out, 10, MPI_INT, 0, WORLD, MPI_INFO_NULL, &bcast);
	MPI_Allreduce_init(out, in, 2, MPI_INT, MPI_SUM, WORLD, MPI_INFO_NULL,
			   &allreduce);
	for (int i = 0; i < 2; i++) {
		MPI_Start(&bcast);
		wait_for(&bcast);
	}
	MPI_Start(&allreduce);
	wait_for(&allreduce);
	MPI_Request_free(&bcast);
	MPI_Request_free(&allreduce);
	known_print(table);
}

int main(int argc, char **argv)
{
	known_begin(&argc, &argv);
	nonblocking();
	neighbours();
	persistent();
	MPI_Finalize();
	return 0;
}
