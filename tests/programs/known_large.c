/* SPDX-License-Identifier: BSD-3-Clause */
#include "known.h"

/* The calls with large counts, of MPI 4. */

#define WORLD MPI_COMM_WORLD
#define next  ((rank + 1) % KNOWN_RANKS)
#define prev  ((rank + KNOWN_RANKS - 1) % KNOWN_RANKS)

static int in[100];
static int out[100];

static void pairs(void)
{
	static const struct known table[] = {
		{ "MPI_Isend_c", ALL(1), ALL(12), NONE },
		{ "MPI_Recv_c", ALL(1), NONE, ALL(12) },
		{ "MPI_Irecv_c", ALL(1), NONE, ALL(20) },
		{ "MPI_Send_c", ALL(1), ALL(20), NONE },
		{ "MPI_Wait", ALL(2), NONE, NONE },
		{ "MPI_Sendrecv_c", ALL(1), ALL(4), ALL(4) },
		{ "MPI_Get_count_c", ALL(1), NONE, NONE },
		{ "MPI_Type_contiguous_c", ALL(1), NONE, NONE },
		{ "MPI_Type_commit", ALL(1), NONE, NONE },
		{ "MPI_Type_size_c", ALL(1), NONE, NONE },
		{ "MPI_Type_free", ALL(1), NONE, NONE },
	};
	MPI_Datatype three;
	MPI_Request request;
	MPI_Status status;
	MPI_Count n;

	MPI_Type_contiguous_c(3, MPI_INT, &three);
	MPI_Type_commit(&three);
	MPI_Type_size_c(three, &n);
	MPI_Isend_c(out, 1, three, next, 1, WORLD, &request);
	MPI_Recv_c(in, 100, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, WORLD,
		   &status);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Get_count_c(&status, MPI_INT, &n);
	known_check(n == 3, "Recv_c");
	MPI_Irecv_c(in, 100, MPI_INT, prev, 2, WORLD, &request);
	MPI_Send_c(out, 5, MPI_INT, next, 2, WORLD);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Sendrecv_c(out, 1, MPI_INT, next, 3, in, 100, MPI_INT, prev, 3,
		       WORLD, MPI_STATUS_IGNORE);
	MPI_Type_free(&three);
	known_print(table);
}

static void collectives(void)
{
	static const struct known table[] = {
		{ "MPI_Bcast_c", ALL(1), { 0, 0, 40 }, { 40, 40, 0 } },
		{ "MPI_Allreduce_c", ALL(2), ALL(56), ALL(56) },
		{ "MPI_Allgatherv_c", ALL(1), { 4, 8, 12 }, ALL(24) },
		{ "MPI_Alltoallv_c", ALL(1), { 12, 24, 36 }, ALL(24) },
		{ "MPI_Gather_c", ALL(1), ALL(8), { 24, 0, 0 } },
		{ "MPI_Ialltoall_c", ALL(1), ALL(24), ALL(24) },
		{ "MPI_Wait", ALL(1), NONE, NONE },
	};
	const MPI_Count n = rank + 1;
	const MPI_Count mine[] = { n, n, n };
	const MPI_Count theirs[] = { 1, 2, 3 };
	const MPI_Aint places[] = { 0, 10, 20 };
	MPI_Request request;

	MPI_Bcast_c(out, 10, MPI_INT, 2, WORLD);
	MPI_Allreduce_c(out, in, 7, MPI_INT, MPI_SUM, WORLD);
	MPI_Allreduce_c(MPI_IN_PLACE, in, 7, MPI_INT, MPI_SUM, WORLD);
	MPI_Allgatherv_c(out, n, MPI_INT, in, theirs, places, MPI_INT, WORLD);
	MPI_Alltoallv_c(out, mine, places, MPI_INT, in, theirs, places, MPI_INT,
			WORLD);
	MPI_Gather_c(out, 2, MPI_INT, in, 2, MPI_INT, 0, WORLD);
	MPI_Ialltoall_c(out, 2, MPI_INT, in, 2, MPI_INT, WORLD, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	known_print(table);
}

int main(int argc, char **argv)
{
	known_begin(&argc, &argv);
	pairs();
	collectives();
	MPI_Finalize();
	return 0;
}
