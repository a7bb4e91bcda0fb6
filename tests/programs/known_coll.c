/* SPDX-License-Identifier: BSD-3-Clause */

/* Collectives and what each moves at each rank. */
#include "known.h"

#define WORLD MPI_COMM_WORLD

/* Large enough for what three ranks give to one. */
static int in[100];
static int out[100];

static void rooted(void)
{
	static const struct known table[] = {
		{ "MPI_Bcast", ALL(1), { 0, 40, 0 }, { 40, 0, 40 } },
		{ "MPI_Reduce", ALL(1), ALL(20), { 0, 0, 20 } },
		{ "MPI_Gather", ALL(1), ALL(8), { 0, 24, 0 } },
		{ "MPI_Scatter", ALL(1), { 0, 0, 36 }, ALL(12) },
		{ "MPI_Gatherv", ALL(1), { 4, 8, 12 }, { 24, 0, 0 } },
		{ "MPI_Scatterv", ALL(1), { 24, 0, 0 }, { 4, 8, 12 } },
	};
	const int counts[] = { 1, 2, 3 };
	const int places[] = { 0, 10, 20 };

	MPI_Bcast(out, 10, MPI_INT, 1, WORLD);
	MPI_Reduce(out, in, 5, MPI_INT, MPI_SUM, 2, WORLD);
	MPI_Gather(out, 2, MPI_INT, in, 2, MPI_INT, 1, WORLD);
	MPI_Scatter(out, 3, MPI_INT, in, 3, MPI_INT, 2, WORLD);
	MPI_Gatherv(out, rank + 1, MPI_INT, in, counts, places, MPI_INT, 0,
		    WORLD);
	MPI_Scatterv(out, counts, places, MPI_INT, in, rank + 1, MPI_INT, 0,
		     WORLD);
	known_print(table);
}

/* Arguments that are not significant off the root may be anything at all. */
static void insignificant(void)
{
	static const struct known table[] = {
		{ "MPI_Gather", ALL(1), ALL(8), { 24, 0, 0 } },
		{ "MPI_Scatter", ALL(1), { 24, 0, 0 }, ALL(8) },
		{ "MPI_Gatherv", ALL(1), ALL(8), { 24, 0, 0 } },
		{ "MPI_Scatterv", ALL(1), { 24, 0, 0 }, ALL(8) },
	};
	const int counts[] = { 2, 2, 2 };
	const int places[] = { 0, 2, 4 };
	const int root = rank == 0;
	const MPI_Datatype type = root ? MPI_INT : MPI_DATATYPE_NULL;
	const int n = root ? 2 : -1;
	const int *const counts_p = root ? counts : NULL;
	const int *const places_p = root ? places : NULL;

	MPI_Gather(out, 2, MPI_INT, in, n, type, 0, WORLD);
	MPI_Scatter(out, n, type, in, 2, MPI_INT, 0, WORLD);
	MPI_Gatherv(out, 2, MPI_INT, in, counts_p, places_p, type, 0, WORLD);
	MPI_Scatterv(out, counts_p, places_p, type, in, 2, MPI_INT, 0, WORLD);
	known_print(table);
}

static void all_to_all(void)
{
	static const struct known table[] = {
		{ "MPI_Barrier", ALL(1), NONE, NONE },
		{ "MPI_Allreduce", ALL(1), ALL(28), ALL(28) },
		{ "MPI_Allgather", ALL(1), ALL(8), ALL(24) },
		{ "MPI_Allgatherv", ALL(1), { 4, 8, 12 }, ALL(24) },
		{ "MPI_Alltoall", ALL(1), ALL(24), ALL(24) },
		{ "MPI_Alltoallv", ALL(1), { 12, 24, 36 }, ALL(24) },
		{ "MPI_Alltoallw", ALL(1), { 12, 24, 36 }, ALL(24) },
	};
	const int n = rank + 1;
	const int mine[] = { n, n, n };
	const int theirs[] = { 1, 2, 3 };
	const int places[] = { 0, 10, 20 };
	const int bytes[] = { 0, 40, 80 };
	const MPI_Datatype types[] = { MPI_INT, MPI_INT, MPI_INT };

	MPI_Barrier(WORLD);
	MPI_Allreduce(out, in, 7, MPI_INT, MPI_SUM, WORLD);
	MPI_Allgather(out, 2, MPI_INT, in, 2, MPI_INT, WORLD);
	MPI_Allgatherv(out, n, MPI_INT, in, theirs, places, MPI_INT, WORLD);
	MPI_Alltoall(out, 2, MPI_INT, in, 2, MPI_INT, WORLD);
	MPI_Alltoallv(out, mine, places, MPI_INT, in, theirs, places, MPI_INT,
		      WORLD);
	MPI_Alltoallw(out, mine, bytes, types, in, theirs, bytes, types, WORLD);
	known_print(table);
}

static void reductions(void)
{
	static const struct known table[] = {
		{ "MPI_Reduce_scatter", ALL(1), ALL(24), { 4, 8, 12 } },
		{ "MPI_Reduce_scatter_block", ALL(1), ALL(24), ALL(8) },
		{ "MPI_Scan", ALL(1), ALL(20), ALL(20) },
		{ "MPI_Exscan", ALL(1), ALL(20), { 0, 20, 20 } },
		{ "MPI_Reduce_local", ALL(1), NONE, NONE },
	};
	const int counts[] = { 1, 2, 3 };

	MPI_Reduce_scatter(out, in, counts, MPI_INT, MPI_SUM, WORLD);
	MPI_Reduce_scatter_block(out, in, 2, MPI_INT, MPI_SUM, WORLD);
	MPI_Scan(out, in, 5, MPI_INT, MPI_SUM, WORLD);
	MPI_Exscan(out, in, 5, MPI_INT, MPI_SUM, WORLD);
	MPI_Reduce_local(out, in, 5, MPI_INT, MPI_SUM);
	known_print(table);
}

static void in_place_rooted(void)
{
	static const struct known table[] = {
		{ "MPI_Reduce", ALL(1), ALL(20), { 20, 0, 0 } },
		{ "MPI_Gather", ALL(1), ALL(8), { 24, 0, 0 } },
		{ "MPI_Scatter", ALL(1), { 24, 0, 0 }, ALL(8) },
		{ "MPI_Gatherv", ALL(1), { 4, 8, 12 }, { 24, 0, 0 } },
		{ "MPI_Scatterv", ALL(1), { 24, 0, 0 }, { 4, 8, 12 } },
	};
	const MPI_Datatype none = MPI_DATATYPE_NULL;
	const int counts[] = { 1, 2, 3 };
	const int places[] = { 0, 10, 20 };
	const int n = rank + 1;

	if (rank == 0) {
		MPI_Reduce(MPI_IN_PLACE, in, 5, MPI_INT, MPI_SUM, 0, WORLD);
		MPI_Gather(MPI_IN_PLACE, 0, none, in, 2, MPI_INT, 0, WORLD);
		MPI_Scatter(out, 2, MPI_INT, MPI_IN_PLACE, 0, none, 0, WORLD);
		MPI_Gatherv(MPI_IN_PLACE, 0, none, in, counts, places, MPI_INT,
			    0, WORLD);
		MPI_Scatterv(out, counts, places, MPI_INT, MPI_IN_PLACE, 0,
			     none, 0, WORLD);
	} else {
		MPI_Reduce(out, NULL, 5, MPI_INT, MPI_SUM, 0, WORLD);
		MPI_Gather(out, 2, MPI_INT, NULL, 0, none, 0, WORLD);
		MPI_Scatter(NULL, 0, none, in, 2, MPI_INT, 0, WORLD);
		MPI_Gatherv(out, n, MPI_INT, NULL, NULL, NULL, none, 0, WORLD);
		MPI_Scatterv(NULL, NULL, NULL, none, in, n, MPI_INT, 0, WORLD);
	}
	known_print(table);
}

static void in_place(void)
{
	static const struct known table[] = {
		{ "MPI_Allreduce", ALL(1), ALL(28), ALL(28) },
		{ "MPI_Allgather", ALL(1), ALL(8), ALL(24) },
		{ "MPI_Allgatherv", ALL(1), { 4, 8, 12 }, ALL(24) },
		{ "MPI_Alltoall", ALL(1), ALL(24), ALL(24) },
		{ "MPI_Alltoallv", ALL(1), ALL(24), ALL(24) },
		{ "MPI_Reduce_scatter_block", ALL(1), ALL(24), ALL(8) },
		{ "MPI_Scan", ALL(1), ALL(20), ALL(20) },
		{ "MPI_Exscan", ALL(1), ALL(20), { 0, 20, 20 } },
	};
	const MPI_Datatype none = MPI_DATATYPE_NULL;
	const int theirs[] = { 1, 2, 3 };
	const int twos[] = { 2, 2, 2 };
	const int places[] = { 0, 10, 20 };

	MPI_Allreduce(MPI_IN_PLACE, in, 7, MPI_INT, MPI_SUM, WORLD);
	MPI_Allgather(MPI_IN_PLACE, 0, none, in, 2, MPI_INT, WORLD);
	MPI_Allgatherv(MPI_IN_PLACE, 0, none, in, theirs, places, MPI_INT,
		       WORLD);
	MPI_Alltoall(MPI_IN_PLACE, 0, none, in, 2, MPI_INT, WORLD);
	MPI_Alltoallv(MPI_IN_PLACE, NULL, NULL, none, in, twos, places, MPI_INT,
		      WORLD);
	MPI_Reduce_scatter_block(MPI_IN_PLACE, in, 2, MPI_INT, MPI_SUM, WORLD);
	MPI_Scan(MPI_IN_PLACE, in, 5, MPI_INT, MPI_SUM, WORLD);
	MPI_Exscan(MPI_IN_PLACE, in, 5, MPI_INT, MPI_SUM, WORLD);
	known_print(table);
}

int main(int argc, char **argv)
{
	known_begin(&argc, &argv);
	rooted();
	insignificant();
	all_to_all();
	reductions();
	in_place_rooted();
	in_place();
	MPI_Finalize();
	return 0;
}
