/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Calls of known sizes, each in a phase of its own.  The test knows which of
 * them `bcs model fit` may take for the time of an operation.
 */
#include <mpi.h>
#include <stdlib.h>

#define TIMES 20
#define MOST  (1 << 20)

static char *buffer;
static int rank;

/* Rank 0 to 1, which is there. */
static void send(int bytes, int synchronous)
{
	int (*const call)(const void *, int, MPI_Datatype, int, int,
			  MPI_Comm) = synchronous ? MPI_Ssend : MPI_Send;

	if (rank == 0)
		call(buffer, bytes, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
	if (rank == 1)
		MPI_Recv(buffer, bytes, MPI_CHAR, 0, 0, MPI_COMM_WORLD,
			 MPI_STATUS_IGNORE);
}

static void phase(const char *name, int what, int bytes)
{
	MPI_Pcontrol(4, name);
	for (int i = 0; i < TIMES; i++) {
		if (what == 's' || what == 'S')
			send(bytes, what == 'S');
		else if (what == 'm')
			send(bytes * (1 + i % 2), 0);
		else if (what == 'b')
			MPI_Bcast(buffer, bytes, MPI_CHAR, 0, MPI_COMM_WORLD);
		else if (what == 'a')
			MPI_Alltoall(buffer, bytes, MPI_CHAR, buffer + MOST,
				     bytes, MPI_CHAR, MPI_COMM_WORLD);
		else
			MPI_Barrier(MPI_COMM_WORLD);
	}
	MPI_Pcontrol(5);
}

int main(int argc, char **argv)
{
	(void)argv;
	MPI_Init(NULL, NULL);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	buffer = calloc(2, MOST);
	phase("small", 's', 4096);
	phase("synchronous", 'S', 512);
	phase("a", 's', 49152);
	phase("b", 's', 65536);
	phase("c", 's', 262144);
	phase("d", 's', 1048576);
	phase("mixed", 'm', 20000);
	phase("bcast", 'b', 30000);
	phase("e", 'a', 24);
	phase("f", 'a', 4000);
	phase("barrier", 0, 0);
	/*
	 * With an argument there are collectives of other communicators, too.
	 */
	if (argc > 1)
		MPI_Barrier(MPI_COMM_SELF);
	free(buffer);
	MPI_Finalize();
	return 0;
}
