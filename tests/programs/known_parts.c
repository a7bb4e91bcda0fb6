/* SPDX-License-Identifier: BSD-3-Clause */

/* Partitioned messages; the calls are in a table beside them. */
#include "known.h"

#define WORLD MPI_COMM_WORLD
#define PARTS 4
#define EACH  25

static int in[PARTS * EACH];
static int out[PARTS * EACH];

static void one_round(MPI_Request both[2])
{
	MPI_Startall(2, both);
	for (int i = 0; i < PARTS; i++)
		MPI_Pready(i, both[0]);
	MPI_Waitall(2, both, MPI_STATUSES_IGNORE);
}

/* Round a ring, twice. */
static void partitioned(void)
{
	static const struct known table[] = {
		{ "MPI_Psend_init", ALL(1), NONE, NONE },
		{ "MPI_Precv_init", ALL(1), NONE, NONE },
		{ "MPI_Startall", ALL(2), ALL(800), ALL(800) },
		{ "MPI_Pready", ALL(8), NONE, NONE },
		{ "MPI_Waitall", ALL(2), NONE, NONE },
		{ "MPI_Request_free", ALL(2), NONE, NONE },
	};
	const int from = (rank + 2) % 3;
	MPI_Request both[2];

	for (int i = 0; i < PARTS * EACH; i++)
		out[i] = rank * 1000 + i;
	MPI_Psend_init(out, PARTS, EACH, MPI_INT, (rank + 1) % 3, 0, WORLD,
		       MPI_INFO_NULL, &both[0]);
	MPI_Precv_init(in, PARTS, EACH, MPI_INT, from, 0, WORLD, MPI_INFO_NULL,
		       &both[1]);
	one_round(both);
	one_round(both);
	MPI_Request_free(&both[0]);
	MPI_Request_free(&both[1]);
	known_check(in[99] == from * 1000 + 99, "MPI_Precv_init");
	known_print(table);
}

int main(int argc, char **argv)
{
	known_begin(&argc, &argv);
	partitioned();
	return MPI_Finalize();
}
